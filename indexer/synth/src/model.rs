//! The model that a release is drawn from: real families and lineages, and values from its plan.
//! `data/README.md` names the sources of the real data.

use std::io::Read;

use flate2::read::GzDecoder;
use indexer::{Progress, Unit};

use crate::SynthPlan;
use crate::assemblies::Assemblies;
use crate::clusters::{ClusterSizes, Ranks};
use crate::lineages::Lineages;

/// Pfam's table of families and clans, gzipped. Families that were defined first come first, and
/// are also the most frequent ones.
pub const PFAM: &[u8] = include_bytes!("../../../data/proteins/Pfam-A.clans.tsv.gz");

/// Lineages of the release of July 2026 under a header line: biome, lineage, proteins in it or
/// below, and proteins in it.
const BIOME_COUNTS: &str = include_str!("../../../data/proteins/mgy_biome_counts_2026_07.tsv");

const NUM_FAMILIES: usize = 20_000;

pub(crate) struct Model {
    pub(crate) sizes: ClusterSizes,
    pub(crate) ranks: Ranks,
    /// Pfam families, the most frequent first.
    pub(crate) families: Vec<u64>,
    pub(crate) lineages: Lineages,
    pub(crate) assemblies: Assemblies,
}

impl Model {
    pub(crate) fn new(plan: &SynthPlan) -> Self {
        let mut sizes = ClusterSizes::new(plan.seed, plan.num_proteins);
        let num_clusters = if plan.only_representatives {
            plan.num_proteins
        } else {
            let progress = Progress::start("counting", Unit::Proteins, plan.num_proteins);
            let num_clusters = sizes.fit(plan.num_proteins, |num_done| progress.set(num_done));
            progress.finish();
            num_clusters
        };
        let lineages = Lineages::new(lineages());
        let assemblies = Assemblies::new(plan.seed, lineages.shares());
        let ranks = Ranks::new(plan.seed, plan.num_proteins, num_clusters);
        Self { sizes, ranks, families: families(), lineages, assemblies }
    }
}

fn families() -> Vec<u64> {
    let mut text = String::new();
    GzDecoder::new(PFAM).read_to_string(&mut text).expect("the bundled table is gzipped text");
    let family = |line: &str| line.strip_prefix("PF")?.split('\t').next()?.parse().ok();
    text.lines().filter_map(family).take(NUM_FAMILIES).collect()
}

/// Returns each lineage with the number of proteins found in it, not counting lineages below it.
fn lineages() -> impl Iterator<Item = (&'static str, f64)> {
    BIOME_COUNTS.lines().skip(1).filter_map(|line| {
        let mut values = line.split('\t').skip(1);
        Some((values.next()?, values.nth(1)?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_bundled_tables_is_read() {
        let families = families();
        assert_eq!((families.len(), &families[..3]), (NUM_FAMILIES, &[1, 2, 3][..]));
        assert_eq!(lineages().count(), 187);
        assert_eq!(lineages().next(), Some(("root", 1_070_710.0)));
    }
}
