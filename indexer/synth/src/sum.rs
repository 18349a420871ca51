//! What is said of a cluster, summed up over its members.

use std::collections::{BTreeSet, HashSet};

use crate::assemblies::Assemblies;
use crate::chance::Chance;
use crate::lineages::Lineages;
use crate::protein::Protein;

/// How many members that are not in the release can add a biome.
const NUM_ABSENT_MAX: u64 = 8;

/// A cluster.
pub(crate) struct Cluster {
    /// The representative.
    pub(crate) representative: u64,
    /// The number of proteins.
    pub(crate) size: u64,
    /// The number of assemblies that they were found in.
    pub(crate) num_assemblies: u64,
    /// How often the representative occurs.
    pub(crate) num_identical: u64,
    /// How often all proteins occur.
    pub(crate) num_redundant: u64,
    /// The lineages of the representative.
    pub(crate) own_biomes: String,
    /// The lineages of all proteins.
    pub(crate) all_biomes: String,
}

/// Replaces bytes by what a cluster needs to know of a member: identifier, number of places, lineages, assemblies.
pub(crate) fn encode_member(protein: &Protein, payload: &mut Vec<u8>) {
    payload.clear();
    payload.extend(protein.id.to_le_bytes());
    payload.extend((protein.places.len() as u64).to_le_bytes());
    payload.extend((protein.biomes.len() as u64).to_le_bytes());
    payload.extend(protein.biomes.iter().flat_map(|(lineage, _)| lineage.to_le_bytes()));
    payload.extend(protein.places.iter().flat_map(|place| place.assembly.to_le_bytes()));
}

/// The sum over the members so far.
#[derive(Default)]
pub(crate) struct ClusterSum {
    /// The number of members.
    size: u64,
    /// Where they were found.
    assemblies: HashSet<u32>,
    /// Assemblies of members that are not in the release.
    num_other_assemblies: u64,
    /// The lineages of all members.
    biomes: BTreeSet<u16>,
    /// The lineages of the representative.
    own_biomes: BTreeSet<u16>,
    /// How often the representative occurs.
    num_identical: u64,
    /// How often all members occur.
    num_redundant: u64,
}

impl ClusterSum {
    /// Adds a member, as [`encode_member`] wrote it, and returns its number.
    pub(crate) fn add(&mut self, representative: u64, payload: &[u8]) -> u64 {
        let (numbers, rest) = payload.split_at(3 * size_of::<u64>());
        let numbers = numbers.as_chunks().0;
        let [id, num_places, num_biomes] = [numbers[0], numbers[1], numbers[2]].map(u64::from_le_bytes);
        let (biomes, assemblies) = rest.split_at(usize::try_from(num_biomes).expect("few") * size_of::<u16>());
        let biomes = biomes.as_chunks().0.iter().copied().map(u16::from_le_bytes);
        if id == representative {
            self.own_biomes.extend(biomes.clone());
            self.num_identical += num_places;
        }
        self.biomes.extend(biomes);
        self.assemblies.extend(assemblies.as_chunks().0.iter().copied().map(u32::from_le_bytes));
        self.num_redundant += num_places;
        self.size += 1;
        id
    }

    /// Adds members that are not in the release.
    pub(crate) fn add_absent(&mut self, num_absent: u64, chance: &mut Chance, assemblies: &Assemblies) {
        for _ in 0..num_absent.min(NUM_ABSENT_MAX) {
            if chance.happens(0.2) {
                self.biomes.insert(assemblies.get(assemblies.pick(chance)).lineage);
            }
        }
        self.size += num_absent;
        self.num_other_assemblies += num_absent - num_absent / 5;
        self.num_redundant += num_absent + num_absent / 50;
    }

    /// Returns the cluster, and starts again.
    pub(crate) fn take(&mut self, representative: u64, lineages: &Lineages) -> Cluster {
        let cluster = Cluster {
            representative,
            size: self.size,
            num_assemblies: self.assemblies.len() as u64 + self.num_other_assemblies,
            num_identical: self.num_identical,
            num_redundant: self.num_redundant,
            own_biomes: lineages.join(self.own_biomes.iter().copied()),
            all_biomes: lineages.join(self.biomes.iter().copied()),
        };
        *self = Self::default();
        cluster
    }
}
