//! The opened index of a generation: from terms to sets of ordinals.

use std::collections::BTreeSet;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use store::{Error, Result};
use tantivy::directory::MmapDirectory;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Index, InvertedIndexReader, SegmentReader, Term};

use super::key::{Key, number_of_bits};
use super::key_range::KeyRange;
use super::schema::{KeyField, SCHEMA};
use super::segment::{IndexSegment, first_ordinal};
use crate::contents::INDEX;
use crate::selection::effort::{LOOK_UP, TERM};
use crate::selection::ordinal_set::OrdinalSet;
use crate::{Effort, Ordinal};

pub(crate) struct CatalogueIndex {
    pub(crate) path: PathBuf,
    pub(crate) index: Index,
    pub(crate) segments: Vec<IndexSegment>,
    /// The number of words of all texts, if it differs from that of the segments: merging with
    /// deletions only estimates it.
    pub(crate) num_words: Option<u64>,
    /// The number of resources of the searched types, if these are not all: other types do not
    /// count for relevance.
    pub(crate) num_searched: Option<u64>,
}

impl CatalogueIndex {
    /// Opens the index of a generation, and checks that its documents are all resources, in order.
    pub(crate) fn open(generation: &Path, num_resources: u32) -> Result<Self> {
        let path = generation.join(INDEX);
        let directory = MmapDirectory::open(&path).map_err(Error::index(&path))?;
        let index = Index::open(directory).map_err(Error::index(&path))?;
        if index.schema() != SCHEMA.schema {
            return Err(Error::altered(path, "its fields differ from those expected"));
        }
        let mut segments = Vec::new();
        for segment in index.searchable_segments().map_err(Error::index(&path))? {
            let reader = SegmentReader::open(&segment).map_err(Error::index(&path))?;
            let first = first_ordinal(&reader).map_err(Error::index(&path))?;
            let first = first.ok_or_else(|| Error::altered(&path, "the resources of a segment are not in order"))?;
            let terms = SCHEMA.schema.fields().map(|_| OnceLock::new()).collect();
            segments.push(IndexSegment { first, reader, terms });
        }
        segments.sort_unstable_by_key(|segment| segment.first);
        let mut next = 0;
        for segment in &segments {
            if u64::from(segment.first) != next {
                return Err(Error::altered(path, format!("its segments are not contiguous at {next}")));
            }
            next += u64::from(segment.reader.max_doc());
        }
        if next != u64::from(num_resources) {
            return Err(Error::altered(path, format!("it has {next} of {num_resources} resources")));
        }
        Ok(Self { path, index, segments, num_words: None, num_searched: None })
    }

    /// Returns the number of words of all texts.
    pub(crate) fn count_words(&self) -> Result<u64> {
        let words = |segment: &IndexSegment| Ok(self.terms(segment, SCHEMA.text)?.total_num_tokens());
        self.segments.iter().map(words).sum()
    }

    pub(crate) fn has(&self, key: &Key) -> Result<bool> {
        Ok(self.num_docs(key)? > 0)
    }

    pub(crate) fn insert_key(&self, key: &Key, effort: &Effort, set: &mut OrdinalSet) -> Result<()> {
        self.insert_term(key.field.field(), &key.bytes, effort, set)
    }

    pub(crate) fn insert_word(&self, word: &str, effort: &Effort, set: &mut OrdinalSet) -> Result<()> {
        let term = Term::from_field_text(SCHEMA.text, word);
        self.insert_term(SCHEMA.text, term.serialized_value_bytes(), effort, set)
    }

    fn insert_term(&self, field: Field, bytes: &[u8], effort: &Effort, set: &mut OrdinalSet) -> Result<()> {
        for segment in self.segments_of(set.range()) {
            effort.spend(LOOK_UP);
            let terms = self.terms(segment, field)?;
            let Some(info) = terms.terms().get(bytes).map_err(Error::index(&self.path))? else { continue };
            let mut postings = terms
                .read_block_postings_from_terminfo(&info, IndexRecordOption::Basic)
                .map_err(Error::index(&self.path))?;
            segment.for_each(&mut postings, &set.range(), effort, |ordinal| set.insert(ordinal));
        }
        Ok(())
    }

    /// Inserts all resources that have a wanted term of a range, until the effort ends.
    pub(crate) fn insert_range(
        &self,
        range: &KeyRange,
        mut is_wanted: impl FnMut(&[u8]) -> bool,
        effort: &Effort,
        set: &mut OrdinalSet,
    ) -> Result<()> {
        let wanted = |term: &[u8]| ControlFlow::Continue(is_wanted(term).then_some(()));
        self.for_each(range, set.range(), effort, wanted, |(), ordinal| set.insert(ordinal))
    }

    /// Passes the value that `wanted` returns for each term of a range to `take`, together with
    /// each resource that has the term, until `wanted` breaks or the effort ends. A term is visited
    /// once for each segment, and some resources may be slightly outside `ordinals`.
    pub(crate) fn for_each<T: Copy>(
        &self,
        range: &KeyRange,
        ordinals: Range<u64>,
        effort: &Effort,
        mut wanted: impl FnMut(&[u8]) -> ControlFlow<(), Option<T>>,
        mut take: impl FnMut(T, Ordinal),
    ) -> Result<()> {
        for segment in self.segments_of(ordinals.clone()) {
            let mut postings: Option<BlockSegmentPostings> = None;
            self.visit(segment, range, |terms, term, info| {
                effort.spend(TERM);
                let ControlFlow::Continue(wanted) = wanted(term) else { return Ok(false) };
                if let Some(wanted) = wanted {
                    let postings = match &mut postings {
                        Some(postings) => {
                            terms.reset_block_postings_from_terminfo(info, postings)?;
                            postings
                        }
                        none => none.insert(terms.read_block_postings_from_terminfo(info, IndexRecordOption::Basic)?),
                    };
                    segment.for_each(postings, &ordinals, effort, |ordinal| take(wanted, ordinal));
                }
                Ok(effort.may_continue())
            })?;
        }
        Ok(())
    }

    /// Returns the texts that follow a prefix in terms with further texts, each once. Terms between
    /// them are skipped.
    pub(crate) fn next_texts(&self, prefix: &Key) -> Result<BTreeSet<String>> {
        let mut texts = BTreeSet::new();
        for segment in &self.segments {
            let mut range = KeyRange::prefixed(prefix);
            loop {
                let mut next = None;
                self.visit(segment, &range, |_, term, _| {
                    next = split_text(&term[prefix.bytes.len()..]).map(|(text, _)| text.to_owned());
                    Ok(false)
                })?;
                let Some(text) = next else { break };
                let Some(after) = prefix.clone().with(&text).after_prefix() else { break };
                range.start = after;
                texts.insert(text);
            }
        }
        Ok(texts)
    }

    pub(crate) fn keys(&self, range: &KeyRange) -> Result<BTreeSet<Vec<u8>>> {
        let mut keys = BTreeSet::new();
        for segment in &self.segments {
            self.visit(segment, range, |_, term, _| {
                keys.insert(term.to_vec());
                Ok(true)
            })?;
        }
        Ok(keys)
    }

    /// Returns the last texts of all terms with a prefix, in order.
    pub(crate) fn last_texts(&self, field: KeyField, texts: &[&str]) -> Result<Vec<String>> {
        let prefix = Key::prefix(field, texts);
        let terms = self.keys(&KeyRange::prefixed(&prefix))?;
        let last = |term: Vec<u8>| String::from_utf8(term[prefix.bytes.len()..].to_vec()).ok();
        Ok(terms.into_iter().filter_map(last).collect())
    }

    /// Returns the number of documents that have a term.
    pub(crate) fn num_docs(&self, key: &Key) -> Result<u64> {
        let mut num_docs = 0;
        for segment in &self.segments {
            let info =
                self.terms(segment, key.field.field())?.terms().get(&key.bytes).map_err(Error::index(&self.path))?;
            num_docs += info.map_or(0, |info| u64::from(info.doc_freq));
        }
        Ok(num_docs)
    }

    /// Returns the least and the greatest number of the terms that consist of a prefix and a
    /// number.
    pub(crate) fn number_bounds(&self, prefix: &Key) -> Result<Option<(f64, f64)>> {
        let (range, mut bounds) = (KeyRange::prefixed(prefix), None);
        for segment in &self.segments {
            let terms = self.terms(segment, range.field)?;
            let ends = [false, true].map(|is_last| {
                let mut found = range.of(&terms, is_last)?;
                let bits = found.next().and_then(|(term, _)| term[prefix.bytes.len()..].try_into().ok());
                Ok(bits.map(|bits| number_of_bits(u64::from_be_bytes(bits))))
            });
            let [min, max] = ends.map(|end: io::Result<_>| end.map_err(Error::index(&self.path)));
            if let (Some(min), Some(max)) = (min?, max?) {
                let (least, greatest) = bounds.unwrap_or((min, max));
                bounds = Some((min.min(least), max.max(greatest)));
            }
        }
        Ok(bounds)
    }

    pub(crate) fn has_any(&self, range: &KeyRange) -> Result<bool> {
        let mut has_any = false;
        for segment in &self.segments {
            self.visit(segment, range, |_, _, _| {
                has_any = true;
                Ok(false)
            })?;
        }
        Ok(has_any)
    }

    /// Visits the terms of a range in a segment, until the visitor returns `false`.
    fn visit(
        &self,
        segment: &IndexSegment,
        range: &KeyRange,
        mut visit: impl FnMut(&InvertedIndexReader, &[u8], &TermInfo) -> io::Result<bool>,
    ) -> Result<()> {
        let terms = self.terms(segment, range.field)?;
        let mut found = range.of(&terms, false).map_err(Error::index(&self.path))?;
        while let Some((term, info)) = found.next() {
            if !visit(&terms, term, info).map_err(Error::index(&self.path))? {
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn segments_of(&self, range: Range<u64>) -> impl Iterator<Item = &IndexSegment> {
        self.segments.iter().filter(move |segment| {
            let first = u64::from(segment.first);
            first < range.end && range.start < first + u64::from(segment.reader.max_doc())
        })
    }

    fn terms(&self, segment: &IndexSegment, field: Field) -> Result<Arc<InvertedIndexReader>> {
        let kept = &segment.terms[field.field_id() as usize];
        if let Some(terms) = kept.get() {
            return Ok(Arc::clone(terms));
        }
        let terms = segment.reader.inverted_index(field).map_err(Error::index(&self.path))?;
        Ok(Arc::clone(kept.get_or_init(|| terms)))
    }
}

/// Splits a text with its length before it off a term.
pub(crate) fn split_text(term: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = term.split_first_chunk()?;
    let (text, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    Some((str::from_utf8(text).ok()?, rest))
}
