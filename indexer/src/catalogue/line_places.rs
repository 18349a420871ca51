//! On which line of a text something stands.

/// Counts lines. Places are asked for in ascending order.
pub(super) struct LinePlaces<'a> {
    /// The text.
    text: &'a [u8],
    /// How far lines were counted, in bytes.
    position: usize,
    /// The line of that place, 1-based in the whole input.
    line: u64,
}

impl<'a> LinePlaces<'a> {
    /// Starts with the line on which the text starts.
    pub(super) const fn new(text: &'a [u8], first_line: u64) -> Self {
        Self { text, position: 0, line: first_line }
    }

    /// Returns the text.
    pub(super) const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Returns where a part of the text starts, in bytes.
    pub(super) fn offset(&self, part: &[u8]) -> usize {
        part.as_ptr().addr() - self.text.as_ptr().addr()
    }

    /// Returns the line on which a part of the text starts.
    pub(super) fn line_of(&mut self, part: &[u8]) -> u64 {
        let offset = self.offset(part);
        let passed = &self.text[self.position..offset];
        self.line += passed.split(|&byte| byte == b'\n').count() as u64 - 1;
        self.position = offset;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_the_first() {
        let text = b"a\nb\n\nc d";
        let mut places = LinePlaces::new(text, 10);
        let lines = [0, 2, 5, 7].map(|offset| places.line_of(&text[offset..]));
        assert_eq!(lines, [10, 11, 13, 13]);
    }
}
