//! Replaced accessions: a column of old accessions, ascending, and one of their replacements.

use std::convert::identity;
use std::path::Path;
use std::sync::LazyLock;

use store::{Error, ProteinAccession, Result};
use tantivy::schema::{NumericOptions, Schema};

use super::contents::SegmentEntry;
use super::segments::column::DenseColumn;
use super::segments::segment::{Access, open_reader};
use super::segments::segment_series::SegmentSeries;

const OLD: &str = "old";
const NEW: &str = "new";

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let mut builder = Schema::builder();
    for column in [OLD, NEW] {
        builder.add_u64_field(column, NumericOptions::default().set_fast());
    }
    builder.build()
});

pub(super) struct ReplacementSegment {
    /// The highest replaced accession.
    last: ProteinAccession,
    /// Ascending.
    pub(super) old: DenseColumn,
    pub(super) new: DenseColumn,
}

impl ReplacementSegment {
    pub(super) fn open(generation: &Path, entry: &SegmentEntry, access: Access) -> Result<Self> {
        let path = generation.join(&entry.folder);
        let reader = open_reader(&path, entry, access)?;
        let old = DenseColumn::open(&reader, OLD).map_err(Error::index(&path))?;
        let new = DenseColumn::open(&reader, NEW).map_err(Error::index(&path))?;
        Ok(Self { last: entry.last, old, new })
    }
}

/// Finds the replacement of an accession in ascending segments.
pub(super) fn find_replacement(
    segments: &[ReplacementSegment],
    accession: ProteinAccession,
) -> Option<ProteinAccession> {
    let index = segments.partition_point(|segment| segment.last < accession);
    let segment = segments.get(index)?;
    let doc = segment.old.find(accession.number(), None, identity)?;
    ProteinAccession::new(segment.new.get(doc)).ok()
}

/// Checks that the replaced accessions ascend inside and across segments, one segment at a time.
pub(super) fn check_replacements(generation: &Path, entries: &[SegmentEntry]) -> Result<()> {
    if !entries.is_sorted_by(|left, right| left.last < right.first) {
        return Err(Error::altered(generation, "segments of replaced accessions overlap or are out of order"));
    }
    for entry in entries {
        let segment = ReplacementSegment::open(generation, entry, Access::Unmapped)?;
        let ends = [0, entry.num_docs - 1].map(|doc| segment.old.get(doc));
        let expected = [entry.first, entry.last].map(ProteinAccession::number);
        if segment.old.first_descent(identity).is_some() || ends != expected {
            let problem = "replaced accessions do not ascend, or are not those of the manifest";
            return Err(Error::altered(generation, problem));
        }
    }
    Ok(())
}

pub(super) fn replacement_series(generation: &Path, memory_bytes: usize) -> SegmentSeries {
    SegmentSeries::new(generation, "replacements", &SCHEMA, memory_bytes)
}

pub(super) fn add_replacement(series: &mut SegmentSeries, old: ProteinAccession, new: ProteinAccession) -> Result<()> {
    series.add(old, None, |document| {
        document.add_number(OLD, old.number());
        document.add_number(NEW, new.number());
    })
}
