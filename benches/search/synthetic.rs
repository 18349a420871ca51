//! Synthetic representatives with the distributions of the real release.
//!
//! Taken from the 10,000 real representatives of `data/proteins` and the biome counts of the
//! release of July 2026: cluster sizes, lengths, residues, numbers of Pfam hits and biomes, the
//! share of each biome, the density of accessions. Family frequencies fall with rank to the power
//! of 0.75.

use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use store::{BiomeOrdinal, BiomeTable, PfamAccession, ProteinAccession};
use store_proteins::{BiomeCount, Occurrence, PfamHit, Record, Strand};

/// The same seed gives the same proteins.
const SEED: u64 = 20_261_120;

/// The number of families.
pub(crate) const NUM_FAMILIES: usize = 20_000;

/// The exponent of the family frequencies.
const FAMILY_EXPONENT: f64 = 0.75;

/// The mean distance between the accessions of representatives.
const MEAN_GAP: f64 = 6.7;

/// The numbers of assemblies and studies, about as in the real release.
const NUM_ASSEMBLIES: u32 = 35_000;

/// Proteins get their accessions assembly by assembly: of the 2,861 real representatives with an
/// assembly, which are of ten million accessions in a row, 84 % are of one, and the others of 20.
const MAIN_ASSEMBLY_SHARE: f64 = 0.84;
const RUN_ASSEMBLIES: u32 = 20;

/// The mean length of such a run of representatives.
const RUN_PROTEINS: f64 = 100_000.0;
const NUM_STUDIES: u32 = 2_000;

/// The share of representatives with 0, 1, 2, … Pfam hits, in ten-thousandths.
const PFAM_HITS: [u32; 8] = [7765, 1425, 476, 178, 72, 40, 21, 23];

/// The share of clusters of 1, 2, 3, … proteins, in ten-thousandths; the last stands for all larger
/// ones.
const CLUSTER_SIZES: [u32; 11] = [7881, 788, 333, 169, 104, 82, 65, 49, 48, 45, 436];

/// The letters of sequences.
const RESIDUES: &[u8; 21] = b"ACDEFGHIKLMNPQRSTVWYX";

/// The frequency of each letter, in hundreds.
const RESIDUE_WEIGHTS: [u32; 21] =
    [1146, 277, 754, 915, 661, 947, 304, 938, 941, 1311, 347, 697, 598, 490, 890, 1078, 875, 947, 165, 532, 84];

/// Makes proteins one after another, ascending by accession.
pub(crate) struct Synthetic {
    /// The source of all random numbers.
    random: SmallRng,
    /// The number of the last accession.
    previous: u64,
    /// Most proteins of a run are from this one.
    main_assembly: u32,
    /// The biomes that proteins are found in.
    biomes: Vec<BiomeOrdinal>,
    /// The share of each of them.
    biome_weights: WeightedIndex<u64>,
    /// The share of each family.
    family_weights: WeightedIndex<f64>,
    pfam_hits: WeightedIndex<u32>,
    cluster_sizes: WeightedIndex<u32>,
    residues: WeightedIndex<u32>,
}

impl Synthetic {
    /// Starts at the first protein. `biomes` are those that proteins are found in, each with its
    /// share.
    pub(crate) fn new(biomes: &[(BiomeOrdinal, u64)]) -> Self {
        let family_weights = (1..=NUM_FAMILIES).map(|rank| {
            let rank = u32::try_from(rank).expect("few families");
            f64::from(rank).powf(-FAMILY_EXPONENT)
        });
        Self {
            random: SmallRng::seed_from_u64(SEED),
            previous: 0,
            main_assembly: 0,
            biomes: biomes.iter().map(|&(biome, _)| biome).collect(),
            biome_weights: WeightedIndex::new(biomes.iter().map(|&(_, weight)| weight)).expect("shares"),
            family_weights: WeightedIndex::new(family_weights).expect("shares"),
            pfam_hits: WeightedIndex::new(PFAM_HITS).expect("shares"),
            cluster_sizes: WeightedIndex::new(CLUSTER_SIZES).expect("shares"),
            residues: WeightedIndex::new(RESIDUE_WEIGHTS).expect("shares"),
        }
    }

    /// Makes the next protein.
    pub(crate) fn next(&mut self, table: &BiomeTable) -> (ProteinAccession, Record) {
        self.previous += 1 + self.exponential(MEAN_GAP - 1.0);
        let accession = ProteinAccession::new(self.previous).expect("12 digits suffice");
        let length_aa = self.length_aa();
        let sequence = (0..length_aa).map(|_| char::from(RESIDUES[self.residues.sample(&mut self.random)])).collect();
        let num_biomes = if self.random.random_bool(0.003) { 2 } else { 1 };
        let num_hits = self.pfam_hits.sample(&mut self.random);
        let num_occurrences = if self.random.random_bool(0.009) { 2 } else { 1 };
        let mut record = Record {
            sequence,
            full_length: Some(self.random.random_bool(0.18)),
            cluster_size: self.cluster_size(),
            biomes: (0..num_biomes).map(|_| self.biome_count()).collect(),
            pfam_hits: (0..num_hits).map(|_| self.pfam_hit(length_aa)).collect(),
            occurrences: (0..num_occurrences).map(|_| self.occurrence(length_aa)).collect(),
            ..Record::default()
        };
        record.sort(table);
        (accession, record)
    }

    /// Returns a length around the real median of 106 residues.
    fn length_aa(&mut self) -> u32 {
        // The sum of twelve uniform numbers is as good as normal; lengths are log-normal.
        let normal: f64 = (0..12).map(|_| self.random.random::<f64>()).sum::<f64>() - 6.0;
        let length = (106_f64.ln() + 0.78 * normal).exp().clamp(20.0, 3736.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 20 and 3736")]
        let length = length as u32;
        length
    }

    /// Returns the size of a cluster: real shares up to 10, then a power law.
    fn cluster_size(&mut self) -> u64 {
        let class = self.cluster_sizes.sample(&mut self.random);
        if class < CLUSTER_SIZES.len() - 1 {
            return class as u64 + 1;
        }
        let uniform: f64 = self.random.random_range(0.0001..1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 110,000")]
        let size = (11.0 / uniform) as u64;
        size
    }

    /// Returns a biome of a protein.
    fn biome_count(&mut self) -> BiomeCount {
        BiomeCount { biome: self.biomes[self.biome_weights.sample(&mut self.random)], count: 1 }
    }

    /// Returns a hit somewhere in a sequence.
    fn pfam_hit(&mut self, length_aa: u32) -> PfamHit {
        let family = PfamAccession(self.family_weights.sample(&mut self.random) as u64 + 1);
        let env_start = self.random.random_range(1..=length_aa);
        let env_end = self.random.random_range(env_start..=length_aa);
        let exponent = self.random.random_range(5.0..60.0);
        PfamHit {
            family,
            evalue: 10_f64.powf(-exponent),
            bit_score: f64::from(self.random.random_range(20.0_f32..200.0)),
            hmm_start: self.random.random_range(1..50),
            hmm_end: self.random.random_range(50..300),
            env_start,
            env_end,
        }
    }

    /// Returns a locus on a contig with a realistic name.
    fn occurrence(&mut self, length_aa: u32) -> Occurrence {
        if self.random.random_bool(1.0 / RUN_PROTEINS) {
            self.main_assembly = self.random.random_range(0..NUM_ASSEMBLIES);
        }
        let is_main = self.random.random_bool(MAIN_ASSEMBLY_SHARE);
        let other = self.main_assembly + self.random.random_range(0..RUN_ASSEMBLIES);
        let number = if is_main { self.main_assembly } else { other % NUM_ASSEMBLIES };
        let assembly = format!("ERZ{:06}", 500_000 + 499 * number);
        let start = self.random.random_range(1..50_000);
        let contig_length = start + 3 * length_aa + self.random.random_range(0..2000);
        let contig_name = format!(
            "{assembly}.{}-NODE-{}-length-{contig_length}-cov-{:.4}",
            self.random.random_range(1..400_000),
            self.random.random_range(1..400_000),
            self.random.random_range(1.0..90.0_f64),
        );
        Occurrence {
            study: format!("ERP{:06}", 100_000 + number % NUM_STUDIES),
            assembly,
            contig: format!("MGYC{:012}", self.random.random_range(1..4_200_000_000_u64)),
            start,
            end: start + 3 * length_aa - 1,
            strand: if self.random.random() { Strand::Forward } else { Strand::Reverse },
            contig_name,
        }
    }

    /// Returns a whole number of an exponential distribution.
    fn exponential(&mut self, mean: f64) -> u64 {
        let uniform: f64 = self.random.random_range(f64::EPSILON..1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 36 times the mean")]
        let number = (-uniform.ln() * mean).round() as u64;
        number
    }
}
