//! Finding proteins of own data by their names.

use std::ops::RangeInclusive;

use store::engine::catch_panics;
use store::{ProteinAccession, Result};

use super::ProteinGeneration;
use super::own::SOURCES_MAX;
use super::segments::schema::SearchTerm;
use super::segments::segment::Segment;

impl ProteinGeneration {
    /// Returns the proteins that a text names, ascending: the protein of `{source}:{name}` with the
    /// source in any letter case, or otherwise the proteins of this name, at most one of each
    /// source.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn find_name(&self, text: &str) -> Result<Vec<ProteinAccession>> {
        if let Some((range, name)) = self.split_name(text) {
            let found = self.named_within(name, self.segments_within(&range))?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        self.named(text)
    }

    /// Returns the proteins of own data that have a name, ascending: at most one of each source.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn named(&self, name: &str) -> Result<Vec<ProteinAccession>> {
        self.named_within(name, self.own_segments())
    }

    /// Splits `{source}:{name}` into the accessions of the source and the name. Returns `None` if
    /// the source does not exist.
    fn split_name<'a>(&self, text: &'a str) -> Option<(RangeInclusive<ProteinAccession>, &'a str)> {
        let (source, name) = text.split_once(':')?;
        Some((self.find_source(source)?, name))
    }

    fn named_within(&self, name: &str, segments: &[Segment]) -> Result<Vec<ProteinAccession>> {
        catch_panics(&self.path, || {
            let mut hits = Vec::new();
            for segment in segments {
                segment.search(SearchTerm::name(name), SOURCES_MAX, &mut hits)?;
            }
            Ok(hits.into_iter().map(|hit| hit.accession).collect())
        })
    }

    /// Returns the segments of all sources.
    pub(super) fn own_segments(&self) -> &[Segment] {
        &self.segments[self.manifest().contents.release().segments.len()..]
    }

    fn segments_within(&self, range: &RangeInclusive<ProteinAccession>) -> &[Segment] {
        let start = self.segments.partition_point(|segment| segment.entry.first < *range.start());
        let end = self.segments.partition_point(|segment| segment.entry.first <= *range.end());
        &self.segments[start..end]
    }
}
