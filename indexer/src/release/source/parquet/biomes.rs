//! Lineages of decoded rows.

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use store::BiomeOrdinal;

use crate::release::source::rows_in::{Fault, LineageCache};
use crate::run::Reason;

use super::cells::Texts;

/// A column of lineages. What stands in a dictionary is looked up once for all rows of a batch.
pub(super) struct Biomes {
    /// The lineages.
    lineages: Texts,
    /// What was looked up, by position in the dictionary.
    ordinals: Vec<Option<BiomeOrdinal>>,
}

impl Biomes {
    /// Makes a column.
    pub(super) fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        let lineages = Texts::of(name, original)?;
        let ordinals = vec![None; lineages.dictionary_len()];
        Ok(Self { lineages, ordinals })
    }

    /// Returns the ordinal of a row's lineage.
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
