//! The stored record of a protein, which refers to the biome and family tables of its generation.

mod bytes;
mod codec;
mod label;
mod number;
mod parts;
mod residues;

use store::{BiomeOrdinal, BiomeTable, PfamAccession};

pub use bytes::RecordError;
pub use parts::RecordParts;

pub(crate) use bytes::{Bytes, put_varint};
pub(crate) use codec::completeness;

/// A protein without its accession. All lists are in the order in which they are served; see
/// [`Record::sort`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The name in the files of its source, or empty: proteins of a release have none.
    pub name: String,
    /// The description of its source, or empty.
    pub description: String,
    /// Residues: letters `A` to `Z`, `*` and `-`.
    pub sequence: String,
    /// True if the gene is complete, or `None` if the source does not say.
    pub full_length: Option<bool>,
    /// The number of proteins in the cluster that this protein represents, or 0 if the source does
    /// not say. See [`known_cluster_size`].
    pub cluster_size: u64,
    /// The biomes in which the protein was found.
    pub biomes: Vec<BiomeCount>,
    /// The matches of Pfam families.
    pub pfam_hits: Vec<PfamHit>,
    /// The loci that code for the protein.
    pub occurrences: Vec<Occurrence>,
}

/// Returns the stored size of a cluster, or `None` if it is not known.
pub const fn known_cluster_size(stored: u64) -> Option<u64> {
    if stored == 0 { None } else { Some(stored) }
}

/// The number of occurrences of a protein in a biome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BiomeCount {
    /// The ordinal in the biome table of the generation.
    pub biome: BiomeOrdinal,
    /// The number of occurrences there.
    pub count: u64,
}

/// A match of a Pfam family. Coordinates are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PfamHit {
    /// The family.
    pub family: PfamAccession,
    /// The expectation value of the source.
    pub evalue: f64,
    /// The score of the source in bits.
    pub bit_score: f64,
    /// The start of the match in the profile HMM, or 0 if the source does not say.
    pub hmm_start: u32,
    /// The end of the match in the profile HMM, or 0 if the source does not say.
    pub hmm_end: u32,
    /// The start of the envelope in the sequence.
    pub env_start: u32,
    /// The end of the envelope in the sequence.
    pub env_end: u32,
}

/// A locus on a contig that codes for a protein. Start and end are 1-based and inclusive, in
/// nucleotides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The study, such as `ERP108403`, or empty if the source does not say.
    pub study: String,
    /// The assembly, such as `ERZ534239`.
    pub assembly: String,
    /// The contig, such as `MGYC000564781877`.
    pub contig: String,
    /// The start of the gene.
    pub start: u32,
    /// The end of the gene.
    pub end: u32,
    /// The strand of the gene.
    pub strand: Strand,
    /// The name of the contig in its assembly.
    pub contig_name: String,
}

/// The strand of a gene on its contig.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strand {
    /// The strand of the contig's sequence.
    Forward,
    /// The reverse complement.
    Reverse,
}

impl Record {
    /// Sorts the lists into the order in which they are served: biomes by descending count, then
    /// lineage; matches by `env_start`, then accession, then `hmm_start`; occurrences by study,
    /// assembly, contig and start.
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
