//! Compares the numbers of proteins by lineage with those that the release gives. They are for information: no run fails because of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexer::run::LineageCounts;
use indexer::{Error, Result};
use store::{BiomeOrdinal, BiomeTable};

use crate::read::layout::TableInput;
use crate::read::lineages::Lineages;
use crate::read::{Batch, LeftOut, open};

/// Compares the proteins of each lineage and all below it with what the release says, as far as that can be read.
pub(super) fn compare(
    input: &TableInput,
    biomes: &BiomeTable,
    proteins_by_biome: &BTreeMap<BiomeOrdinal, u64>,
) -> LineageCounts {
    let mut counted: BTreeMap<BiomeOrdinal, u64> = BTreeMap::new();
    for (&biome, &num_proteins) in proteins_by_biome {
        for lineage in biomes.self_and_ancestors(biome) {
            *counted.entry(lineage).or_default() += num_proteins;
        }
    }
    let mut comparison = LineageCounts::default();
    if let Err(error) = compare_into(&mut comparison, input, biomes, &counted) {
        tracing::warn!("the numbers of proteins by lineage are compared no further: {error}");
        comparison.problem = Some(error.to_string());
    }
    comparison
}

fn compare_into(
    comparison: &mut LineageCounts,
    input: &TableInput,
    biomes: &BiomeTable,
    counted: &BTreeMap<BiomeOrdinal, u64>,
) -> Result<()> {
    // Lineages that occur here only are not part of the index.
    let lineages = Arc::new(Lineages::unrecorded(biomes.clone()));
    let mut source = open(input, &lineages)?.source;
    let mut batch = Batch::default();
    let mut is_more = true;
    while is_more {
        batch.clear();
        is_more = source.next(&mut batch)?;
        let is_rejected = |left_out: &LeftOut| matches!(left_out, LeftOut::Rejected(_));
        comparison.num_unreadable += batch.left_out.iter().filter(|(_, row)| is_rejected(row)).count() as u64;
        for row in batch.rows.iter() {
            let expected: u64 = row.decode()?;
            let biome = BiomeOrdinal::try_from(row.key)
                .map_err(|_| Error::Internal("the key of a biome count is no ordinal"))?;
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
