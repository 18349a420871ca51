//! The lineages that proteins are found in.

use std::collections::BTreeMap;

/// A lineage that is in no biome table: readers must handle one.
const UNKNOWN: &str = "root:Environmental:Aquatic:Brine pool";

/// One in this number of pairs of protein and lineage has the [`UNKNOWN`] lineage.
const UNKNOWN_INTERVAL: f64 = 500.0;

/// Lineages in ascending order, each with its share of all pairs of protein and lineage.
pub(crate) struct Lineages {
    names: Vec<&'static str>,
    shares: Vec<f64>,
}

impl Lineages {
    /// Creates a list of lineages with their shares, without those whose share is 0, and adds the
    /// unknown one.
    pub(crate) fn new(lineages: impl IntoIterator<Item = (&'static str, f64)>) -> Self {
        let mut all: BTreeMap<_, _> = lineages.into_iter().filter(|(_, share)| *share > 0.0).collect();
        let total: f64 = all.values().sum();
        all.entry(UNKNOWN).or_insert((total / UNKNOWN_INTERVAL).floor().max(1.0));
        let (names, shares) = all.into_iter().unzip();
        Self { names, shares }
    }

    pub(crate) fn shares(&self) -> &[f64] {
        &self.shares
    }

    pub(crate) fn name(&self, lineage: u16) -> &'static str {
        self.names[usize::from(lineage)]
    }

    pub(crate) fn join<'a>(&self, lineages: impl IntoIterator<Item = &'a u16>) -> String {
        lineages.into_iter().map(|&lineage| self.name(lineage)).collect::<Vec<_>>().join(";")
    }

    /// Adds up the number of pairs of each lineage under all its prefixes. Prefixes are in
    /// ascending order.
    pub(crate) fn prefix_counts(&self, num_pairs: &[u64]) -> BTreeMap<&'static str, u64> {
        let mut counts = BTreeMap::new();
        for (name, &num_pairs) in self.names.iter().zip(num_pairs).filter(|(_, num_pairs)| **num_pairs > 0) {
            for end in name.match_indices(':').map(|(end, _)| end).chain([name.len()]) {
                *counts.entry(&name[..end]).or_default() += num_pairs;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_count_under_each_prefix() {
        let lineages = Lineages::new([("root:Mixed", 5.0), ("root:Empty", 0.0)]);
        assert_eq!(lineages.names, [UNKNOWN, "root:Mixed"]);
        let counts = lineages.prefix_counts(&[1, 2]);
        assert_eq!(counts.get("root"), Some(&3));
        assert_eq!(counts.get("root:Mixed"), Some(&2));
        assert_eq!(lineages.join(&[0, 1]), format!("{UNKNOWN};root:Mixed"));
        assert_eq!(lineages.prefix_counts(&[0, 2]).keys().copied().collect::<Vec<_>>(), ["root", "root:Mixed"]);
    }
}
