//! Facts about proteins from the files, as the sorters store them.

use serde::{Deserialize, Serialize};
use store::{BiomeOrdinal, PfamAccession};
use store_proteins::PfamHit;

/// A row; the key is the name of a protein.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Entry {
    Protein {
        /// The position among the proteins of all files.
        rank: u64,
        sequence: String,
        header: Facts,
    },
    Annotation(Facts),
    Hit(Hit),
    Feature(Feature),
}

/// The facts about a protein in a row. Missing texts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) biome: Option<BiomeOrdinal>,
    pub(super) study: String,
    pub(super) assembly: String,
    pub(super) contig: String,
    /// Start and end on the contig, 1-based and inclusive.
    pub(super) range: Option<(u32, u32)>,
    pub(super) is_reverse: Option<bool>,
    pub(super) cluster_size: Option<u64>,
    pub(super) full_length: Option<bool>,
    pub(super) description: String,
}

/// A Pfam hit. Coordinates are 1-based and inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Hit {
    /// The number of the accession.
    pub(super) family: u64,
    pub(super) evalue: f64,
    pub(super) bit_score: f64,
    /// From and to in the profile HMM.
    pub(super) hmm: (u32, u32),
    /// From and to of the envelope in the sequence.
    pub(super) envelope: (u32, u32),
}

/// A coding sequence on a contig, under one of the names that its protein may have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Feature {
    /// The position among the features of all files.
    pub(super) number: u64,
    /// The position of the name among the possible names of the protein; the lowest one decides.
    pub(super) preference: u8,
    /// The id of the feature, which the lines of a gene in several parts share, or an empty text.
    pub(super) id: String,
    pub(super) facts: Facts,
    /// The second range of a gene that crosses the origin of its contig: the one that begins at the
    /// origin.
    pub(super) after_origin: Option<(u32, u32)>,
}

/// A part of a protein; the key is the rank of the protein.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Part {
    Protein(Box<JoinedProtein>),
    Feature { file: usize, feature: Feature },
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct JoinedProtein {
    /// The file of the sequence, by position.
    pub(super) file: usize,
    pub(super) name: String,
    pub(super) sequence: String,
    pub(super) header: Facts,
    pub(super) annotation: Facts,
    pub(super) hits: Vec<Hit>,
}

impl Facts {
    /// Fills missing facts from another row.
    pub(super) fn or(self, other: Self) -> Self {
        let text = |one: String, other: String| if one.is_empty() { other } else { one };
        Self {
            biome: self.biome.or(other.biome),
            study: text(self.study, other.study),
            assembly: text(self.assembly, other.assembly),
            contig: text(self.contig, other.contig),
            range: self.range.or(other.range),
            is_reverse: self.is_reverse.or(other.is_reverse),
            cluster_size: self.cluster_size.or(other.cluster_size),
            full_length: self.full_length.or(other.full_length),
            description: text(self.description, other.description),
        }
    }
}

impl Hit {
    /// Returns whether it is the same domain, regardless of the scores of the two searches.
    pub(super) fn is_same_domain(&self, other: &Self) -> bool {
        (self.family, self.envelope, self.hmm) == (other.family, other.envelope, other.hmm)
    }
}

impl From<Hit> for PfamHit {
    fn from(hit: Hit) -> Self {
        let Hit { family, evalue, bit_score, hmm: (hmm_start, hmm_end), envelope: (env_start, env_end) } = hit;
        Self { family: PfamAccession(family), evalue, bit_score, hmm_start, hmm_end, env_start, env_end }
    }
}
