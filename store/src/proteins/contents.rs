//! The part of the manifest that is about proteins.

use serde::{Deserialize, Serialize};

use crate::{Contents, ProteinAccession};

use super::checksums::ChecksumsEntry;

/// The contents of a protein generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProteinContents {
    /// The segments of proteins, ascending.
    pub segments: Vec<SegmentEntry>,
    /// The segments of replaced accessions, ascending.
    pub replacements: Vec<SegmentEntry>,
    /// The indexes of the digests of sequences, each of the proteins of some segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checksums: Vec<ChecksumsEntry>,
}

/// A segment: a folder with an index whose documents ascend by accession. Segments do not overlap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentEntry {
    /// The folder inside the generation.
    pub folder: String,
    /// The number of documents.
    pub num_docs: u32,
    /// The accession of the first document.
    pub first: ProteinAccession,
    /// The accession of the last document.
    pub last: ProteinAccession,
}

impl Contents for ProteinContents {
    const KIND: &'static str = "proteins";
    const COMMAND: &'static str = "mgdex index";
    const FORMAT: u32 = 4;
}

impl ProteinContents {
    /// Returns the number of proteins.
    pub fn num_proteins(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.num_docs)).sum()
    }

    /// Returns the number of replaced accessions.
    pub fn num_replacements(&self) -> u64 {
        self.replacements.iter().map(|segment| u64::from(segment.num_docs)).sum()
    }
}
