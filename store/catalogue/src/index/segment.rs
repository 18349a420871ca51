//! A segment of an opened index.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use tantivy::postings::BlockSegmentPostings;
use tantivy::{DocId, InvertedIndexReader, SegmentReader};

use super::schema::ORDINAL;
use crate::{Effort, Ordinal};

const BATCH: u32 = 4096;

/// A segment. Its documents are resources with consecutive ordinals.
pub(crate) struct IndexSegment {
    pub(crate) first: Ordinal,
    pub(crate) reader: SegmentReader,
    /// The terms of each field, once they were needed. The engine keeps those of existing fields,
    /// and makes those of all others each time.
    pub(super) terms: Vec<OnceLock<Arc<InvertedIndexReader>>>,
}

impl IndexSegment {
    /// Passes on the documents of a term, block by block. Some may be slightly outside the range.
    pub(super) fn for_each(
        &self,
        postings: &mut BlockSegmentPostings,
        range: &Range<u64>,
        effort: &Effort,
        mut take: impl FnMut(Ordinal),
    ) {
        let first = u64::from(self.first);
        let doc = |ordinal: u64| DocId::try_from(ordinal.saturating_sub(first)).unwrap_or(DocId::MAX);
        let (start, end) = (doc(range.start), doc(range.end));
        if start > 0 {
            postings.seek(start);
        }
        while let Some(&block_first) = postings.docs().first().filter(|&&doc| doc < end) {
            debug_assert!(block_first < self.reader.max_doc());
            effort.spend(postings.docs().len() as u64);
            postings.docs().iter().for_each(|&doc| take(self.first + doc));
            postings.advance();
        }
    }
}

/// Returns the ordinal of the first document of a segment, or `None` if the ordinals are not
/// consecutive.
pub(super) fn first_ordinal(reader: &SegmentReader) -> tantivy::Result<Option<Ordinal>> {
    let column = reader.fast_fields().u64(ORDINAL)?;
    let num_docs = reader.max_doc();
    let mut values = Vec::new();
    let Some(Ok(first)) = column.first(0).map(Ordinal::try_from) else { return Ok(None) };
    if column.values.num_vals() != num_docs || reader.has_deletes() {
        return Ok(None);
    }
    for start in (0..num_docs).step_by(BATCH as usize) {
        values.resize((num_docs - start).min(BATCH) as usize, 0);
        column.values.get_range(start.into(), &mut values);
        let expected = u64::from(first) + u64::from(start);
        if !(expected..).zip(&values).all(|(expected, &value)| expected == value) {
            return Ok(None);
        }
    }
    Ok(Some(first))
}
