//! Replaced accessions: two columns, the old accession ascending, and the new one.

use std::convert::identity;
use std::path::Path;
use std::sync::LazyLock;

use tantivy::TantivyDocument;
use tantivy::schema::{Field, NumericOptions, Schema};

use crate::accession::ProteinAccession;
use crate::{Error, Result};

use super::column::DenseColumn;
use super::contents::SegmentEntry;
use super::segment::{Access, open_reader};
use super::segment_series::SegmentSeries;

/// The column of the replaced accessions.
const OLD: &str = "old";

/// The column of the accessions that replace them.
const NEW: &str = "new";

/// The schema with its two columns, old and new.
static SCHEMA: LazyLock<(Schema, Field, Field)> = LazyLock::new(|| {
    let mut builder = Schema::builder();
    let old = builder.add_u64_field(OLD, NumericOptions::default().set_fast());
    let new = builder.add_u64_field(NEW, NumericOptions::default().set_fast());
    (builder.build(), old, new)
});

/// All replaced accessions of a generation.
pub(super) struct Replacements {
    /// Ascending segments.
    segments: Vec<ReplacementSegment>,
}

/// A segment of replaced accessions.
pub(super) struct ReplacementSegment {
    /// The highest replaced accession.
    last: ProteinAccession,
    /// The replaced accessions, ascending.
    pub(super) old: DenseColumn,
    /// The accessions that replace them.
    pub(super) new: DenseColumn,
}

impl ReplacementSegment {
    /// Opens a segment of a generation.
    pub(super) fn open(generation: &Path, entry: &SegmentEntry, access: Access) -> Result<Self> {
        let path = generation.join(&entry.folder);
        let reader = open_reader(&path, entry, access)?;
        let old = DenseColumn::open(&reader, OLD).map_err(Error::index(&path))?;
        let new = DenseColumn::open(&reader, NEW).map_err(Error::index(&path))?;
        Ok(Self { last: entry.last, old, new })
    }
}

impl Replacements {
    /// Opens the segments of a generation.
    pub(super) fn open(generation: &Path, entries: &[SegmentEntry]) -> Result<Self> {
        let open = |entry| ReplacementSegment::open(generation, entry, Access::Mapped);
        Ok(Self { segments: entries.iter().map(open).collect::<Result<_>>()? })
    }

    /// Returns the accession that replaces one.
    pub(super) fn find(&self, accession: ProteinAccession) -> Option<ProteinAccession> {
        let index = self.segments.partition_point(|segment| segment.last < accession);
        let segment = self.segments.get(index)?;
        let doc = segment.old.bisect(accession.number(), identity)?;
        ProteinAccession::new(segment.new.get(doc)).ok()
    }
}

/// Checks that the replaced accessions ascend inside and between segments, one segment at a time.
pub(super) fn check_replacements(generation: &Path, entries: &[SegmentEntry]) -> Result<()> {
    let altered = |problem: &str| Error::Altered { path: generation.to_owned(), problem: problem.to_owned() };
    if !entries.is_sorted_by(|left, right| left.last < right.first) {
        return Err(altered("segments of replaced accessions overlap or are out of order"));
    }
    for entry in entries {
        let segment = ReplacementSegment::open(generation, entry, Access::Unmapped)?;
        let ends = [0, entry.num_docs - 1].map(|doc| segment.old.get(doc));
        if segment.old.first_descent(identity).is_some()
            || ends != [entry.first, entry.last].map(ProteinAccession::number)
        {
            return Err(altered("replaced accessions do not ascend, or are not those of the manifest"));
        }
    }
    Ok(())
}

/// Starts the segments of a generation.
pub(super) fn replacement_series(generation: &Path, memory_bytes: usize) -> SegmentSeries {
    SegmentSeries::new(generation, "replacements", &SCHEMA.0, memory_bytes)
}

/// Returns the document of a replacement.
pub(super) fn replacement_document(old: ProteinAccession, new: ProteinAccession) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_u64(SCHEMA.1, old.number());
    document.add_u64(SCHEMA.2, new.number());
    document
}
