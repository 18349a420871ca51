//! The lineages that proteins are found in.

use std::collections::BTreeMap;

/// A lineage that no biome table has, so that readers meet one.
const UNKNOWN: &str = "root:Environmental:Aquatic:Brine pool";

/// The part of all pairs that [`UNKNOWN`] has.
const UNKNOWN_PART: u64 = 500;

/// The lineages in ascending order, and how many proteins were found in each.
pub(crate) struct Lineages {
    /// The lineages.
    names: Vec<&'static str>,
    /// Their shares.
    shares: Vec<u64>,
    /// The number of pairs of protein and lineage so far.
    num_pairs: Vec<u64>,
}

impl Lineages {
    /// Takes the lineages that have a share, and one that is unknown.
    pub(crate) fn new(lineages: impl IntoIterator<Item = (&'static str, u64)>) -> Self {
        let mut all: BTreeMap<_, _> = lineages.into_iter().filter(|(_, share)| *share > 0).collect();
        let total: u64 = all.values().sum();
        all.entry(UNKNOWN).or_insert((total / UNKNOWN_PART).max(1));
        let (names, shares): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        Self { num_pairs: vec![0; names.len()], names, shares }
    }

    /// Returns the share of each lineage.
    pub(crate) fn shares(&self) -> &[u64] {
        &self.shares
    }

    /// Returns a lineage.
    pub(crate) fn name(&self, lineage: u16) -> &'static str {
        self.names[usize::from(lineage)]
    }

    /// Returns several lineages as one text.
    pub(crate) fn join(&self, lineages: impl IntoIterator<Item = u16>) -> String {
        lineages.into_iter().map(|lineage| self.name(lineage)).collect::<Vec<_>>().join(";")
    }

    /// Counts a protein in a lineage.
    pub(crate) fn count(&mut self, lineage: u16) {
        self.num_pairs[usize::from(lineage)] += 1;
    }

    /// Returns the number of pairs under each prefix that has any, ascending by prefix.
    pub(crate) fn prefix_counts(&self) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        for (name, &num_pairs) in self.names.iter().zip(&self.num_pairs).filter(|(_, num_pairs)| **num_pairs > 0) {
            let ends = name.match_indices(':').map(|(end, _)| end).chain([name.len()]);
            for end in ends {
                *counts.entry(&name[..end]).or_default() += num_pairs;
            }
        }
        counts
    }
}

/// Returns a number as a weight.
#[expect(clippy::cast_precision_loss, reason = "a weight is rough")]
pub(crate) fn real(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_count_under_each_prefix() {
        let mut lineages = Lineages::new([("root:Mixed", 5), ("root:Empty", 0)]);
        let (first, last) = (0, u16::try_from(lineages.names.len() - 1).expect("few"));
        lineages.count(first);
        lineages.count(last);
        lineages.count(last);
        let counts = lineages.prefix_counts();
        assert_eq!(counts.get("root"), Some(&3));
        assert_eq!(counts.get(lineages.name(last)), Some(&2));
        assert!(lineages.names.contains(&UNKNOWN));
        assert_eq!(lineages.join([first, last]), format!("{};{}", lineages.name(first), lineages.name(last)));
    }
}
