//! The numbers of genes by family.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use store::{Error, Result};

use super::reader::Contigs;

/// The genes of a part by the families of their proteins. A gene counts for its protein if members
/// of clusters have places of their own, otherwise for the representative. Genes whose protein has
/// no record do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneCounts {
    /// All genes.
    pub num_genes: u64,
    /// The genes without a family.
    pub num_without: u64,
    /// The genes without a clan.
    pub num_without_clan: u64,
    /// The genes of each family, by the number of its accession.
    pub by_family: BTreeMap<u64, u64>,
    /// The genes of each clan. One that has two families of a clan counts once.
    pub by_clan: BTreeMap<String, u64>,
}

impl GeneCounts {
    /// Adds genes of a protein with these families, by their numbers.
    pub fn add<'a>(&mut self, num_genes: u64, families: &[u64], clan_of: impl Fn(u64) -> Option<&'a str>) {
        if num_genes == 0 {
            return;
        }
        self.num_genes += num_genes;
        let clans: BTreeSet<&str> = families.iter().filter_map(|family| clan_of(*family)).collect();
        self.num_without += if families.is_empty() { num_genes } else { 0 };
        self.num_without_clan += if clans.is_empty() { num_genes } else { 0 };
        for family in families {
            *self.by_family.entry(*family).or_default() += num_genes;
        }
        for clan in clans {
            match self.by_clan.get_mut(clan) {
                Some(number) => *number += num_genes,
                None => drop(self.by_clan.insert(clan.to_owned(), num_genes)),
            }
        }
    }

    pub(super) fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).map_err(Error::io("cannot read", path))?;
        let counts: Self = serde_json::from_slice(&bytes).map_err(|error| Error::altered(path, error.to_string()))?;
        let of = |num_without: u64| counts.num_genes.checked_sub(num_without);
        let are_possible = |of: Option<u64>, counts: Vec<&u64>| of.is_some_and(|of| counts.iter().all(|n| **n <= of));
        let [families, clans] = [counts.by_family.values().collect(), counts.by_clan.values().collect()];
        if are_possible(of(counts.num_without), families) && are_possible(of(counts.num_without_clan), clans) {
            return Ok(counts);
        }
        Err(Error::altered(path, "a family has more genes than there are"))
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let bytes = serde_json::to_vec(self).map_err(|error| Error::io("cannot write", path)(error.into()))?;
        fs::write(path, bytes).map_err(Error::io("cannot write", path))
    }
}

impl Contigs {
    /// Returns the numbers of genes by family.
    pub fn gene_counts(&self) -> &GeneCounts {
        &self.gene_counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gene_counts_once_for_each_family_and_clan() {
        let clan_of = |family| match family {
            1 | 2 => Some("CL0001"),
            3 => Some("CL0002"),
            _ => None,
        };
        let mut counts = GeneCounts::default();
        for (num_genes, families) in [(5, &[1, 2, 3][..]), (7, &[2, 4]), (2, &[4]), (1, &[]), (0, &[9])] {
            counts.add(num_genes, families, clan_of);
        }
        assert_eq!((counts.num_genes, counts.num_without, counts.num_without_clan), (15, 1, 3));
        assert_eq!(counts.by_family, BTreeMap::from([(1, 5), (2, 12), (3, 5), (4, 9)]));
        assert_eq!(counts.by_clan, BTreeMap::from([("CL0001".to_owned(), 12), ("CL0002".to_owned(), 5)]));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("counts.json");
        counts.write(&path).expect("room");
        assert_eq!(GeneCounts::read(&path).expect("just written"), counts);
        for (number, other) in [(r#""num_genes":15"#, r#""num_genes":12"#), (":15,", ":null,")] {
            let text = serde_json::to_string(&counts).expect("a text").replace(number, other);
            fs::write(&path, text).expect("room");
            assert!(GeneCounts::read(&path).expect_err(other).is_damage());
        }
    }
}
