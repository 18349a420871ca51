//! Biomes by lineage while a release is read: the biome table has the known ones, and new ones are
//! added when they occur.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use indexer::run::{Reason, Rejection};
use indexer::{Error, Result};
use store::{BiomeOrdinal, BiomeTable, lock};

use super::batch::Fault;

/// The most lineages that the table may lack. The real table lacks none; a wrong column would add
/// millions.
const UNKNOWN_MAX: usize = 10_000;

type Record = Box<dyn FnMut(&str) -> Result<()> + Send>;

/// Assigns an ordinal to every lineage. Only one thread may look up lineages at a time, so that the
/// same rows get the same ordinals.
pub(crate) struct Lineages {
    state: Mutex<State>,
}

struct State {
    table: Arc<BiomeTable>,
    /// The number of lineages that the biome table lacks.
    num_added: usize,
    record: Record,
}

impl Lineages {
    /// Starts with the lineages of a table, and those that an earlier run has added.
    pub(crate) fn new(
        mut table: BiomeTable,
        added: &[String],
        record: impl FnMut(&str) -> Result<()> + Send + 'static,
    ) -> Result<Self> {
        for lineage in added {
            table.insert(None, lineage)?;
        }
        let state = State { table: Arc::new(table), num_added: added.len(), record: Box::new(record) };
        Ok(Self { state: Mutex::new(state) })
    }

    pub(crate) fn table(&self) -> Arc<BiomeTable> {
        Arc::clone(&self.state().table)
    }

    /// Returns the ordinal of a lineage, which is added if it is new. Ends the run if too many
    /// lineages are new, or one cannot be recorded.
    fn ordinal_of(&self, lineage: &str) -> Result<BiomeOrdinal, Fault> {
        let mut state = self.state();
        if let Some(ordinal) = state.table.find_lineage(lineage) {
            return Ok(ordinal);
        }
        let mut table = BiomeTable::clone(&state.table);
        let ordinal =
            table.insert(None, lineage).map_err(|error| Rejection::new(Reason::BadLineage, error.to_string()))?;
        if state.num_added >= UNKNOWN_MAX {
            let problem = format!(
                "more than {UNKNOWN_MAX} lineages are not in the biome table, such as {lineage:?}: is this the column of biomes?"
            );
            return Err(Error::Refused { problem }.into());
        }
        (state.record)(lineage)?;
        state.num_added += 1;
        state.table = Arc::new(table);
        Ok(ordinal)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// Caches the ordinals of lineages, so that each is looked up in the shared table only once.
#[derive(Clone)]
pub(super) struct LineageCache {
    lineages: Arc<Lineages>,
    known: HashMap<String, BiomeOrdinal>,
}

impl LineageCache {
    pub(super) fn new(lineages: &Arc<Lineages>) -> Self {
        Self { lineages: Arc::clone(lineages), known: HashMap::new() }
    }

    pub(super) fn ordinal_of(&mut self, lineage: &str) -> Result<BiomeOrdinal, Fault> {
        match self.known.get(lineage) {
            Some(&ordinal) => Ok(ordinal),
            None => self.look_up(lineage),
        }
    }

    #[cold]
    fn look_up(&mut self, lineage: &str) -> Result<BiomeOrdinal, Fault> {
        if lineage.is_empty() {
            return Err(Rejection::new(Reason::BadLineage, "the lineage is missing").into());
        }
        let ordinal = self.lineages.ordinal_of(lineage)?;
        self.known.insert(lineage.to_owned(), ordinal);
        Ok(ordinal)
    }
}
