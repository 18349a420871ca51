//! Summaries of errors: a short description for everybody, and a full one for the log.

use std::fmt;

use crate::Error;

/// The most bytes of a text that is logged: it may come from another machine.
const TEXT_BYTES_MAX: usize = 4 << 10;

/// The summary of an error. Its kind, one of a few fixed texts, is public. Its text is for the log:
/// it may have paths, addresses and texts of other machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorSummary {
    kind: &'static str,
    text: String,
}

impl ErrorSummary {
    /// Creates a summary. Its text is [`shortened`].
    pub fn new(kind: &'static str, text: &str) -> Self {
        Self { kind, text: shortened(text) }
    }

    /// Returns the public description.
    pub fn kind(&self) -> &'static str {
        self.kind
    }
}

impl fmt::Display for ErrorSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&Error> for ErrorSummary {
    fn from(error: &Error) -> Self {
        Self::new(error.kind(), &error.to_string())
    }
}

/// Returns a text as one line of at most 4 KiB.
pub fn shortened(text: &str) -> String {
    let is_cut = text.len() > TEXT_BYTES_MAX;
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX - '…'.len_utf8() * usize::from(is_cut))];
    let mut line: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    line.extend(is_cut.then_some('…'));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shortened_to_one_line() {
        assert_eq!(shortened("line\nnext\u{1b}[31m"), "line next [31m");
        for text in ["ä".repeat(TEXT_BYTES_MAX), "a".repeat(TEXT_BYTES_MAX + 1)] {
            let cut = shortened(&text);
            assert!((TEXT_BYTES_MAX - 2..=TEXT_BYTES_MAX).contains(&cut.len()) && cut.ends_with('…'), "{}", cut.len());
        }
        assert_eq!(shortened(&"a".repeat(TEXT_BYTES_MAX)).len(), TEXT_BYTES_MAX);
    }

    #[test]
    fn public_descriptions_have_no_path() {
        let error = Error::altered("/secret/place", "its checksum is wrong");
        let summary = ErrorSummary::from(&error);
        assert_eq!((summary.kind(), summary.to_string()), ("damaged data", error.to_string()));
    }
}
