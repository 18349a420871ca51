//! Biomes by lineage while a release is read: known ones are in the biome table, others are added as they come.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::{BiomeOrdinal, BiomeTable};

use crate::run::{Reason, Rejection};
use crate::{Error, Result};

/// How many lineages may come that the table lacks. The real table lacks none; a wrong column would bring millions.
const UNKNOWN_MAX: usize = 10_000;

/// Writes down a new lineage before it is used.
type Keep = Box<dyn FnMut(&str) -> Result<()> + Send>;

/// Gives an ordinal to every lineage. Only one thread may look up lineages at a time, so that the same rows give the same ordinals.
pub(crate) struct Lineages {
    /// The state.
    state: Mutex<State>,
}

/// The table as it is now.
struct State {
    /// All lineages up to now.
    table: Arc<BiomeTable>,
    /// Those that the biome table lacks, in the order in which they were met.
    added: Vec<String>,
    /// See [`Keep`].
    keep: Keep,
}

impl Lineages {
    /// Starts with a table, into which the lineages were put that an earlier run has added.
    pub(crate) fn new(table: BiomeTable, added: Vec<String>, keep: Keep) -> Self {
        Self { state: Mutex::new(State { table: Arc::new(table), added, keep }) }
    }

    /// Returns the ordinal of a lineage, after adding it where it is missing, or why the text is no lineage.
    ///
    /// # Errors
    ///
    /// * Too many lineages are unknown, or a new one cannot be written down.
    pub(crate) fn ordinal_of(&self, lineage: &str) -> Result<std::result::Result<BiomeOrdinal, Rejection>> {
        let mut state = self.state();
        if let Some(ordinal) = state.table.find_lineage(lineage) {
            return Ok(Ok(ordinal));
        }
        let mut table = BiomeTable::clone(&state.table);
        let ordinal = match table.insert(None, lineage) {
            Ok(ordinal) => ordinal,
            Err(error) => return Ok(Err(Rejection::new(Reason::BadLineage, error.to_string()))),
        };
        if state.added.len() >= UNKNOWN_MAX {
            return Err(Error::TooManyLineages { num_max: UNKNOWN_MAX, example: lineage.to_owned() });
        }
        (state.keep)(lineage)?;
        state.added.push(lineage.to_owned());
        state.table = Arc::new(table);
        Ok(Ok(ordinal))
    }

    /// Returns all lineages up to now.
    pub(crate) fn table(&self) -> Arc<BiomeTable> {
        Arc::clone(&self.state().table)
    }

    /// Returns the lineages that the biome table lacks, in the order in which they were met.
    pub(crate) fn added(&self) -> Vec<String> {
        self.state().added.clone()
    }

    /// Locks the state.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
