//! Lineages of decoded rows.

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use store::BiomeOrdinal;

use crate::rejects::Reason;
use crate::release::read::fault::Fault;
use crate::release::read::lineages::LineageCache;

use super::cells::{Cells, Texts};

/// A column of lineages. Those of a dictionary are looked up once for all rows of a batch.
pub(super) struct LineageCells {
    lineages: Texts,
    /// What was looked up, by position in the dictionary.
    ordinals: Vec<Option<BiomeOrdinal>>,
}

impl Cells for LineageCells {
    fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        let lineages = Texts::of(name, original)?;
        let ordinals = vec![None; lineages.dictionary_len()];
        Ok(Self { lineages, ordinals })
    }
}

impl LineageCells {
    pub(super) fn ordinal(&mut self, row: usize, cache: &mut LineageCache) -> Result<BiomeOrdinal, Fault> {
        let slot = self.lineages.dictionary_key(row).and_then(|key| self.ordinals.get_mut(key));
        if let Some(Some(ordinal)) = slot {
            return Ok(*ordinal);
        }
        let ordinal = cache.ordinal_of(self.lineages.get_or(Reason::BadLineage, row)?)?;
        if let Some(slot) = slot {
            *slot = Some(ordinal);
        }
        Ok(ordinal)
    }
}
