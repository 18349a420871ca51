//! Neighbouring terms of a field.

use std::io;
use std::ops::Bound;

use tantivy::InvertedIndexReader;
use tantivy::schema::Field;
use tantivy::termdict::TermStreamer;

use super::key::{Key, cut};

pub(crate) struct KeyRange {
    pub(super) field: Field,
    pub(super) start: Vec<u8>,
    /// Exclusive; `None` is after all terms.
    end: Option<Vec<u8>>,
}

impl KeyRange {
    pub(crate) fn prefixed(prefix: &Key) -> Self {
        Self { field: prefix.field.field(), start: prefix.bytes.clone(), end: prefix.after_prefix() }
    }

    /// Returns the terms of the range in their order, or in the opposite one.
    pub(super) fn of<'a>(&self, terms: &'a InvertedIndexReader, is_backward: bool) -> io::Result<TermStreamer<'a>> {
        let from_start = terms.terms().range().ge(&self.start);
        let bounded = match &self.end {
            Some(end) => from_start.lt(end),
            None => from_start,
        };
        if is_backward { bounded.backward().into_stream() } else { bounded.into_stream() }
    }

    /// All terms from the first to the last, inclusive.
    pub(crate) fn between(first: Key, last: Key) -> Self {
        let Key { field, bytes: mut end } = last;
        end.push(0);
        Self { field: field.field(), start: first.bytes, end: Some(end) }
    }

    /// The terms with a prefix whose text after it is within bounds.
    pub(crate) fn with_texts(prefix: &Key, from: Bound<&str>, to: Bound<&str>) -> Self {
        let term = |text: &str, is_after: bool| {
            let mut bytes = [&prefix.bytes, cut(text).as_bytes()].concat();
            // The least bytes after a term.
            bytes.extend(is_after.then_some(0));
            bytes
        };
        let Self { field, start, end } = Self::prefixed(prefix);
        let start = match from {
            Bound::Included(text) => term(text, false),
            Bound::Excluded(text) => term(text, true),
            Bound::Unbounded => start,
        };
        let end = match to {
            Bound::Included(text) => Some(term(text, true)),
            Bound::Excluded(text) => Some(term(text, false)),
            Bound::Unbounded => end,
        };
        Self { field, start, end }
    }
}
