//! The opened index of a generation: terms to sets of ordinals.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tantivy::directory::MmapDirectory;
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, Index, InvertedIndexReader, SegmentReader, Term};

use super::Ordinal;
use super::contents::INDEX;
use super::key::Key;
use super::ordinal_set::OrdinalSet;
use super::schema::{ORDINAL, SCHEMA};
use crate::{Error, Result};

/// How many ordinals are compared at once when a segment is opened.
const BATCH: u32 = 4096;

/// An opened index.
pub(super) struct CatalogueIndex {
    /// Its folder.
    pub(super) path: PathBuf,
    /// The engine's index.
    pub(super) index: Index,
    /// The segments, ascending by ordinal.
    pub(super) segments: Vec<IndexSegment>,
}

/// A segment, whose documents are the resources of consecutive ordinals.
pub(super) struct IndexSegment {
    /// The ordinal of the first document.
    pub(super) first: Ordinal,
    /// The engine's reader.
    pub(super) reader: SegmentReader,
}

/// Terms from one on, to before another.
pub(super) struct KeyRange {
    /// The field.
    field: Field,
    /// The first term.
    start: Vec<u8>,
    /// What is behind the last one; `None` is behind all.
    end: Option<Vec<u8>>,
}

impl KeyRange {
    /// Makes the range of all terms that begin with a key.
    pub(super) fn prefixed(prefix: &Key) -> Self {
        Self { field: prefix.field.field(), start: prefix.bytes.clone(), end: prefix.behind() }
    }

    /// Makes the range of terms from one to another, which is the last.
    pub(super) fn between(first: Key, last: Key) -> Self {
        let Key { field, bytes: mut end } = last;
        end.push(0);
        Self { field: field.field(), start: first.bytes, end: Some(end) }
    }
}

impl CatalogueIndex {
    /// Opens the index of a generation, and checks that its documents are all resources in order.
    pub(super) fn open(generation: &Path, num_resources: u32) -> Result<Self> {
        let path = generation.join(INDEX);
        let altered = |problem: String| Error::Altered { path: path.clone(), problem };
        let index =
            Index::open(MmapDirectory::open(&path).map_err(Error::index(&path))?).map_err(Error::index(&path))?;
        if index.schema() != SCHEMA.schema {
            return Err(altered("it has other fields".to_owned()));
        }
        let mut segments = Vec::new();
        for segment in index.searchable_segments().map_err(Error::index(&path))? {
            let reader = SegmentReader::open(&segment).map_err(Error::index(&path))?;
            let first = first_ordinal(&reader).map_err(Error::index(&path))?;
            let first = first.ok_or_else(|| altered("the resources of a segment are not in order".to_owned()))?;
            segments.push(IndexSegment { first, reader });
        }
        segments.sort_unstable_by_key(|segment| segment.first);
        let mut next = 0;
        for segment in &segments {
            if u64::from(segment.first) != next {
                return Err(altered(format!("its segments are not contiguous at {next}")));
            }
            next += u64::from(segment.reader.max_doc());
        }
        if next != u64::from(num_resources) {
            return Err(altered(format!("it has {next} of {num_resources} resources")));
        }
        Ok(Self { path, index, segments })
    }

    /// Tells whether any resource has a term.
    pub(super) fn has(&self, key: &Key) -> Result<bool> {
        for segment in &self.segments {
            let terms = self.terms(segment, key.field.field())?;
            if terms.terms().get(&key.bytes).map_err(Error::index(&self.path))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Puts in all resources of the set's type that have a term.
    pub(super) fn insert_key(&self, key: &Key, set: &mut OrdinalSet) -> Result<()> {
        self.insert_term(key.field.field(), &key.bytes, set)
    }

    /// Puts in all resources of the set's type that have a word in their searchable text.
    pub(super) fn insert_word(&self, word: &str, set: &mut OrdinalSet) -> Result<()> {
        self.insert_term(SCHEMA.text, Term::from_field_text(SCHEMA.text, word).serialized_value_bytes(), set)
    }

    /// Puts in all resources of the set's type that have a term in a field.
    fn insert_term(&self, field: Field, bytes: &[u8], set: &mut OrdinalSet) -> Result<()> {
        for segment in self.segments_of(set.range()) {
            let terms = self.terms(segment, field)?;
            let Some(info) = terms.terms().get(bytes).map_err(Error::index(&self.path))? else { continue };
            let mut postings = terms
                .read_block_postings_from_terminfo(&info, IndexRecordOption::Basic)
                .map_err(Error::index(&self.path))?;
            segment.insert_postings(&mut postings, set);
        }
        Ok(())
    }

    /// Puts in all resources of the set's type that have a term of a range which is wanted, until it is cancelled.
    pub(super) fn insert_range(
        &self,
        range: &KeyRange,
        mut is_wanted: impl FnMut(&[u8]) -> bool,
        is_cancelled: &AtomicBool,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        for segment in self.segments_of(set.range()) {
            let terms = self.terms(segment, range.field)?;
            let mut postings: Option<BlockSegmentPostings> = None;
            self.visit(&terms, range, |term, info| {
                if is_wanted(term) {
                    let postings = match &mut postings {
                        Some(postings) => {
                            terms.reset_block_postings_from_terminfo(info, postings)?;
                            postings
                        }
                        none => none.insert(terms.read_block_postings_from_terminfo(info, IndexRecordOption::Basic)?),
                    };
                    segment.insert_postings(postings, set);
                }
                Ok(!is_cancelled.load(Ordering::Relaxed))
            })?;
        }
        Ok(())
    }

    /// Tells whether any resource has a term of a range.
    pub(super) fn has_any(&self, range: &KeyRange) -> Result<bool> {
        let mut has_any = false;
        for segment in &self.segments {
            let terms = self.terms(segment, range.field)?;
            self.visit(&terms, range, |_, _| {
                has_any = true;
                Ok(false)
            })?;
        }
        Ok(has_any)
    }

    /// Returns all terms of a range, ascending, each once.
    pub(super) fn keys(&self, range: &KeyRange) -> Result<Vec<Vec<u8>>> {
        let mut keys = Vec::new();
        for segment in &self.segments {
            let terms = self.terms(segment, range.field)?;
            self.visit(&terms, range, |term, _| {
                keys.push(term.to_vec());
                Ok(true)
            })?;
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Visits the terms of a range in a segment, until the visitor wants no more.
    fn visit(
        &self,
        terms: &InvertedIndexReader,
        range: &KeyRange,
        mut visit: impl FnMut(&[u8], &tantivy::postings::TermInfo) -> std::io::Result<bool>,
    ) -> Result<()> {
        let from_start = terms.terms().range().ge(&range.start);
        let bounded = match &range.end {
            Some(end) => from_start.lt(end),
            None => from_start,
        };
        let mut found = bounded.into_stream().map_err(Error::index(&self.path))?;
        while let Some((term, info)) = found.next() {
            if !visit(term, info).map_err(Error::index(&self.path))? {
                break;
            }
        }
        Ok(())
    }

    /// Returns the segments that have resources of a range.
    fn segments_of(&self, range: Range<u64>) -> impl Iterator<Item = &IndexSegment> {
        self.segments.iter().filter(move |segment| {
            let first = u64::from(segment.first);
            first < range.end && range.start < first + u64::from(segment.reader.max_doc())
        })
    }

    /// Returns the terms of a field in a segment.
    fn terms(&self, segment: &IndexSegment, field: Field) -> Result<Arc<InvertedIndexReader>> {
        segment.reader.inverted_index(field).map_err(Error::index(&self.path))
    }
}

impl IndexSegment {
    /// Puts the documents of a term into a set, block by block, without those before and behind the type.
    fn insert_postings(&self, postings: &mut BlockSegmentPostings, set: &mut OrdinalSet) {
        let range = set.range();
        let first = u64::from(self.first);
        let doc = |ordinal: u64| DocId::try_from(ordinal.saturating_sub(first)).unwrap_or(DocId::MAX);
        let (start, end) = (doc(range.start), doc(range.end));
        if start > 0 {
            postings.seek(start);
        }
        while let Some(&block_first) = postings.docs().first().filter(|&&doc| doc < end) {
            debug_assert!(block_first < self.reader.max_doc());
            for &doc in postings.docs() {
                set.insert(self.first + doc);
            }
            postings.advance();
        }
    }
}

/// Returns the ordinal of the first document of a segment, or `None` if those of the others do not follow it.
fn first_ordinal(reader: &SegmentReader) -> tantivy::Result<Option<Ordinal>> {
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
