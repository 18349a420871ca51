//! Compares the numbers of proteins by lineage with those that the release gives. They are for information: nothing fails by them.

use std::collections::BTreeMap;
use std::sync::Arc;

use store::{BiomeOrdinal, BiomeTable};

use super::layout::TableInput;
use super::lineages::Lineages;
use super::rows::CountRow;
use super::source::{self, Batch};
use crate::input::BytesRead;
use crate::run::LineageCounts;
use crate::{Error, Result};

/// Compares rows of biomes, counted under each lineage with all below it, with what the release says, as far as that can be read.
pub(super) fn compare(
    input: &TableInput,
    biomes: &BiomeTable,
    proteins_by_biome: &BTreeMap<BiomeOrdinal, u64>,
) -> LineageCounts {
    let mut comparison = LineageCounts::default();
    if let Err(error) = compare_into(&mut comparison, input, biomes, proteins_by_biome) {
        tracing::warn!("the numbers of proteins by lineage are compared no further: {error}");
        comparison.problem = Some(error.to_string());
    }
    comparison
}

/// Does the same until something is wrong.
fn compare_into(
    comparison: &mut LineageCounts,
    input: &TableInput,
    biomes: &BiomeTable,
    proteins_by_biome: &BTreeMap<BiomeOrdinal, u64>,
) -> Result<()> {
    let mut counted: BTreeMap<BiomeOrdinal, u64> = BTreeMap::new();
    for (&biome, &num_proteins) in proteins_by_biome {
        for lineage in biomes.self_and_ancestors(biome) {
            *counted.entry(lineage).or_default() += num_proteins;
        }
    }
    // Lineages that occur here only are not part of the index.
    let lineages = Arc::new(Lineages::new(biomes.clone(), Vec::new(), Box::new(|_| Ok(()))));
    let mut source = source::open(input, &lineages, &BytesRead::default())?;
    let mut batch = Batch::default();
    let mut is_more = true;
    while is_more {
        batch.clear();
        is_more = source.next(&mut batch)?;
        comparison.num_unreadable += batch.rejected.len() as u64;
        for row in batch.rows.iter() {
            let expected = CountRow::take(row.payload).map_err(|_| Error::Spill)?.count;
            let biome = BiomeOrdinal::try_from(row.key).map_err(|_| Error::Spill)?;
            let found = counted.get(&biome).copied().unwrap_or_default();
            comparison.num_compared += 1;
            if found != expected {
                let lineage = lineages.table()[biome].lineage.clone();
                comparison.differing.insert(lineage, (expected, found));
            }
        }
    }
    Ok(())
}
