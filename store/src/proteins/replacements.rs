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
use super::segment::open_reader;
use super::segment_writer::SegmentSeries;

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
struct ReplacementSegment {
    /// The highest replaced accession.
    last: ProteinAccession,
    /// The replaced accessions, ascending.
    old: DenseColumn,
    /// The accessions that replace them.
    new: DenseColumn,
}

impl Replacements {
    /// Opens the segments of a generation.
    pub(super) fn open(generation: &Path, entries: &[SegmentEntry]) -> Result<Self> {
        let mut segments = Vec::new();
        for entry in entries {
            let path = generation.join(&entry.folder);
            let reader = open_reader(&path)?;
            let old = DenseColumn::open(&reader, OLD).map_err(Error::index(&path))?;
            let new = DenseColumn::open(&reader, NEW).map_err(Error::index(&path))?;
            segments.push(ReplacementSegment { last: entry.last, old, new });
        }
        Ok(Self { segments })
    }

    /// Returns the accession that replaces one.
    pub(super) fn find(&self, accession: ProteinAccession) -> Option<ProteinAccession> {
        let index = self.segments.partition_point(|segment| segment.last < accession);
        let segment = self.segments.get(index)?;
        let doc = segment.old.bisect(accession.number(), identity)?;
        ProteinAccession::new(segment.new.get(doc)).ok()
    }

    /// Tells whether the replaced accessions ascend.
    pub(super) fn ascend(&self) -> bool {
        self.segments.iter().all(|segment| segment.old.first_descent(identity).is_none())
            && self.segments.is_sorted_by(|left, right| left.last < right.last)
    }
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
