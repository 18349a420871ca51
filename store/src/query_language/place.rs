//! Places in the text of a query.

use std::ops::Range;

/// A part of the text of a query.
#[derive(Clone, Copy, Debug)]
pub struct QueryPlace<'a> {
    /// The whole text.
    text: &'a str,
    start: usize,
    end: usize,
}

impl<'a> QueryPlace<'a> {
    /// Returns the place of a whole text.
    pub const fn whole(text: &'a str) -> Self {
        Self { text, start: 0, end: text.len() }
    }

    /// Returns the range of the part, in bytes.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the part.
    pub fn part(&self) -> &'a str {
        &self.text[self.range()]
    }

    /// Returns the text up to the end of the part.
    pub(super) fn text_to_end(&self) -> &'a str {
        &self.text[..self.end]
    }

    /// Returns another part of the same text.
    #[must_use]
    pub const fn at(&self, range: &Range<usize>) -> Self {
        Self { start: range.start, end: range.end, ..*self }
    }

    /// Returns the part without some bytes at its beginning.
    #[must_use]
    pub const fn without_first(&self, num_bytes: usize) -> Self {
        Self { start: self.start + num_bytes, ..*self }
    }
}
