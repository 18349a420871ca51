//! The record of a protein as it is stored: it refers to the biome and family tables of its generation.

mod bytes;
mod codec;
mod contig_name;
mod label;
mod number;
mod residues;

pub use codec::{RecordError, SearchKeys};

use crate::biomes::{BiomeOrdinal, BiomeTable};
use crate::families::PfamAccession;

/// A protein without its accession, in the order in which it is served.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Residues: letters `A` to `Z`, `*` and `-`.
    pub sequence: String,
    /// Whether the gene is complete, or `None` where the source does not say.
    pub full_length: Option<bool>,
    /// How many proteins the cluster has that this one represents.
    pub cluster_size: u64,
    /// The biomes in which the protein was found, each with the number of times.
    pub biomes: Vec<BiomeCount>,
    /// The Pfam families that match the sequence.
    pub pfam_hits: Vec<PfamHit>,
    /// Where the protein was found.
    pub occurrences: Vec<Occurrence>,
}

/// How often a protein was found in a biome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BiomeCount {
    /// The biome, in the table of the generation.
    pub biome: BiomeOrdinal,
    /// The number of times.
    pub count: u64,
}

/// A match of a Pfam family. All positions are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PfamHit {
    /// The family.
    pub family: PfamAccession,
    /// The expectation value, as the source has it.
    pub evalue: f64,
    /// The score in bits, as the source has it.
    pub bit_score: f64,
    /// Where the match starts in the profile HMM; 0 where the source does not say.
    pub hmm_start: u32,
    /// Where the match ends in the profile HMM; 0 where the source does not say.
    pub hmm_end: u32,
    /// Where the envelope starts in the sequence.
    pub env_start: u32,
    /// Where the envelope ends in the sequence.
    pub env_end: u32,
}

/// A place on a contig that codes for a protein. Positions are 1-based and inclusive, in nucleotides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The study, such as `ERP108403`, or an empty text where the source does not say.
    pub study: String,
    /// The assembly, such as `ERZ534239`.
    pub assembly: String,
    /// The contig, such as `MGYC000564781877`.
    pub contig: String,
    /// Where the gene starts.
    pub start: u32,
    /// Where the gene ends.
    pub end: u32,
    /// The strand of the gene.
    pub strand: Strand,
    /// The name of the contig in its assembly.
    pub contig_name: String,
}

/// The strand of a gene on its contig.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strand {
    /// The strand as it stands in the contig.
    Forward,
    /// The reverse complement.
    Reverse,
}

impl Record {
    /// Puts the lists into the order in which they are served: biomes by falling count, then lineage; families by `env_start`,
    /// then accession, then `hmm_start`; occurrences by study, assembly, contig, start.
    pub fn sort(&mut self, biomes: &BiomeTable) {
        self.biomes.sort_by(|left, right| {
            right.count.cmp(&left.count).then_with(|| biomes[left.biome].lineage.cmp(&biomes[right.biome].lineage))
        });
        self.pfam_hits.sort_by_key(|hit| (hit.env_start, hit.family, hit.hmm_start, hit.env_end, hit.hmm_end));
        self.occurrences.sort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_put_into_the_served_order() {
        let mut table = BiomeTable::default();
        let soil = table.insert(Some(1), "root:Soil").expect("new");
        let air = table.insert(Some(2), "root:Air").expect("new");
        let sea = table.insert(Some(3), "root:Sea").expect("new");
        let hit = |family, env_start, hmm_start| PfamHit {
            family: PfamAccession(family),
            evalue: 1e-9,
            bit_score: 40.0,
            hmm_start,
            hmm_end: 50,
            env_start,
            env_end: 90,
        };
        let mut record = Record {
            biomes: [(soil, 1), (air, 1), (sea, 7)].map(|(biome, count)| BiomeCount { biome, count }).to_vec(),
            pfam_hits: vec![hit(9, 5, 1), hit(7, 5, 2), hit(7, 5, 1), hit(8, 1, 1)],
            ..Record::default()
        };
        record.sort(&table);
        assert_eq!(record.biomes.iter().map(|entry| entry.biome).collect::<Vec<_>>(), [sea, air, soil]);
        let order: Vec<_> = record.pfam_hits.iter().map(|hit| (hit.env_start, hit.family.0, hit.hmm_start)).collect();
        assert_eq!(order, [(1, 8, 1), (5, 7, 1), (5, 7, 2), (5, 9, 1)]);
    }
}
