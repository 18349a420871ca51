//! Numbers of a cluster, summed up over its members.

use std::collections::{BTreeSet, HashSet};

use crate::assemblies::Assemblies;
use crate::protein::Protein;
use crate::random::Random;

/// The most left-out members that may add a biome.
const NUM_ABSENT_MAX: u64 = 8;

#[derive(Default)]
pub(crate) struct Cluster {
    pub(crate) size: u64,
    assemblies: HashSet<u32>,
    /// Assemblies of members that are left out.
    num_other_assemblies: u64,
    pub(crate) biomes: BTreeSet<u16>,
    /// Lineages of the representative.
    pub(crate) own_biomes: BTreeSet<u16>,
    /// The number of loci of the representative.
    pub(crate) num_identical: u64,
    /// The number of loci of all members.
    pub(crate) num_redundant: u64,
}

impl Cluster {
    pub(crate) fn add(&mut self, member: &Protein) {
        let lineages = member.biomes.iter().map(|&(lineage, _)| lineage);
        let num_loci = member.loci.len() as u64;
        if member.is_representative() {
            self.own_biomes.extend(lineages.clone());
            self.num_identical += num_loci;
        }
        self.biomes.extend(lineages);
        self.assemblies.extend(member.loci.iter().map(|locus| locus.assembly));
        self.num_redundant += num_loci;
        self.size += 1;
    }

    /// Adds members that are not in the release.
    pub(crate) fn add_absent(&mut self, num_absent: u64, random: &mut Random, assemblies: &Assemblies) {
        for _ in 0..num_absent.min(NUM_ABSENT_MAX) {
            if random.happens(0.2) {
                self.biomes.insert(assemblies.get(assemblies.pick(random)).lineage);
            }
        }
        self.size += num_absent;
        self.num_other_assemblies += num_absent - num_absent / 5;
        self.num_redundant += num_absent + num_absent / 50;
    }

    pub(crate) fn num_assemblies(&self) -> u64 {
        self.assemblies.len() as u64 + self.num_other_assemblies
    }
}
