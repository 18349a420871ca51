//! The part of the manifest that describes proteins.

use serde::{Deserialize, Serialize};
use store::{Contents, ProteinAccession};
use store_context::contigs::ContigsEntry;
use store_context::members::MembersEntry;

use super::checksums::ChecksumsEntry;
use super::cited_release::CitedRelease;
use super::own::SourceEntry;

/// The contents of a protein generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProteinContents {
    /// The segments of proteins, ascending: those of the release, then those of each source.
    pub segments: Vec<SegmentEntry>,
    /// The segments of replaced accessions, ascending.
    pub replacements: Vec<SegmentEntry>,
    /// The indexes of the digests of sequences, each of the proteins of some segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checksums: Vec<ChecksumsEntry>,
    /// The members of the clusters of the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub members: Option<MembersEntry>,
    /// The contigs of the release and of sources, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contigs: Vec<ContigsEntry>,
    /// The sources of own data, ascending by accession.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceEntry>,
    /// The names of the release. `None` without a release, and in manifests of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited: Option<CitedRelease>,
}

/// The release or a source: a part of a generation with files of its own.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// `None` for the release.
    pub source: Option<&'a SourceEntry>,
    /// The segments, ascending. A release may have none.
    pub segments: &'a [SegmentEntry],
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
    const FORMAT: u32 = 7;
}

impl ProteinContents {
    /// Returns the number of proteins, own data included.
    pub fn num_proteins(&self) -> u64 {
        num_docs(&self.segments)
    }

    /// Returns the release.
    pub fn release(&self) -> Part<'_> {
        let num_segments = self.segments.partition_point(|segment| !segment.first.is_own());
        Part { source: None, segments: &self.segments[..num_segments] }
    }

    /// Returns a source, which must be one of the contents.
    pub fn source<'a>(&'a self, source: &'a SourceEntry) -> Part<'a> {
        let place = |accession| self.segments.partition_point(|segment| segment.first < accession);
        let end = source.last.next().map_or(self.segments.len(), place);
        Part { source: Some(source), segments: &self.segments[place(source.first)..end] }
    }

    /// Returns the release and all sources, ascending by accession.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        [self.release()].into_iter().chain(self.sources.iter().map(|source| self.source(source)))
    }

    /// Returns the number of replaced accessions.
    pub fn num_replacements(&self) -> u64 {
        num_docs(&self.replacements)
    }
}

impl Part<'_> {
    /// Returns the number of proteins.
    pub fn num_proteins(&self) -> u64 {
        num_docs(self.segments)
    }

    /// Returns the path of a file or folder of the part inside the generation.
    pub(super) fn path(&self, name: &str) -> String {
        self.source.map_or_else(|| name.to_owned(), |source| format!("{}/{name}", source.folder()))
    }
}

fn num_docs(segments: &[SegmentEntry]) -> u64 {
    segments.iter().map(|segment| u64::from(segment.num_docs)).sum()
}
