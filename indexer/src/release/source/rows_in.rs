//! Rows on their way into a batch: good ones, bad ones, and clans.

use std::collections::HashMap;
use std::sync::Arc;

use store::BiomeOrdinal;

use crate::Error;
use crate::release::block::RowPlace;
use crate::release::lineages::Lineages;
use crate::run::{Reason, Rejection, excerpt};

use super::Batch;
use super::checks::reject;

/// Why a row is not in the batch.
pub(super) enum Fault {
    /// It is bad.
    Rejected(Rejection),
    /// Its annotation is a clan.
    Clan,
    /// The run cannot go on.
    Fatal(Error),
}

impl From<Rejection> for Fault {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Fatal(error)
    }
}

impl Batch {
    /// Takes down a row that is not good. `text` is what the row looks like.
    #[cold]
    pub(super) fn leave_out(&mut self, fault: Fault, place: RowPlace, text: &[u8]) -> crate::Result<()> {
        match fault {
            Fault::Rejected(rejection) => self.rejected.push((place, rejection, excerpt(text).to_vec())),
            Fault::Clan => self.clan_rows.push(place),
            Fault::Fatal(error) => return Err(error),
        }
        Ok(())
    }
}

/// Remembers the ordinals of lineages, so that the shared table is asked once for each.
pub(super) struct LineageCache {
    /// The shared table.
    lineages: Arc<Lineages>,
    /// What it answered.
    known: HashMap<String, BiomeOrdinal>,
    /// The last lineage: rows of one biome often follow one another.
    last: Option<(String, BiomeOrdinal)>,
}

impl LineageCache {
    /// Starts with nothing.
    pub(super) fn new(lineages: &Arc<Lineages>) -> Self {
        Self { lineages: Arc::clone(lineages), known: HashMap::new(), last: None }
    }

    /// Returns the ordinal of a lineage.
    pub(super) fn ordinal_of(&mut self, lineage: &str) -> Result<BiomeOrdinal, Fault> {
        if let Some((last, ordinal)) = &self.last
            && last == lineage
        {
            return Ok(*ordinal);
        }
        let ordinal = match self.known.get(lineage) {
            Some(&ordinal) => ordinal,
            None => self.look_up(lineage)?,
        };
        let last = self.last.get_or_insert_default();
        last.0.clear();
        last.0.push_str(lineage);
        last.1 = ordinal;
        Ok(ordinal)
    }

    /// Asks the shared table.
    #[cold]
    fn look_up(&mut self, lineage: &str) -> Result<BiomeOrdinal, Fault> {
        if lineage.is_empty() {
            return Err(reject(Reason::BadLineage, "the lineage is missing".to_owned()).into());
        }
        let ordinal = self.lineages.ordinal_of(lineage)??;
        self.known.insert(lineage.to_owned(), ordinal);
        Ok(ordinal)
    }
}
