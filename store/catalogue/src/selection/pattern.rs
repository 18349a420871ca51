//! Regular expressions in filters, which match in linear time and have a bounded size.

use std::fmt;

use regex::RegexBuilder;

/// The limit of a compiled pattern. Matching takes at most this times the length of the text, for
/// every value of an attribute.
const COMPILED_BYTES_MAX: usize = 512 * 1024;

/// The limit of the states that are cached while matching.
const CACHED_BYTES_MAX: usize = 4 * 1024 * 1024;

const NESTING_MAX: u32 = 50;

/// A compiled regular expression: case-insensitive and not anchored. Two are equal if their texts
/// are.
#[derive(Clone)]
pub struct Pattern(regex::Regex);

/// The error for a regular expression that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

impl Pattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    ///
    /// * It is invalid, uses look-around or back-references, or becomes too large.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        RegexBuilder::new(text)
            .case_insensitive(true)
            .size_limit(COMPILED_BYTES_MAX)
            .dfa_size_limit(CACHED_BYTES_MAX)
            .nest_limit(NESTING_MAX)
            .build()
            .map(Self)
            .map_err(|error| PatternError(error.to_string()))
    }

    /// Returns a pattern that matches a text literally, as a part of another pattern.
    pub fn escape(text: &str) -> String {
        regex::escape(text)
    }

    /// Returns whether the pattern matches anywhere in a text.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0.as_str())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_ignored_and_nothing_is_anchored() {
        let pattern = Pattern::parse("MARINE|straße").expect("valid");
        assert!(pattern.is_match("root:Environmental:Aquatic:Marine:Oceanic") && pattern.is_match("STRAßE 5"));
        assert!(!pattern.is_match("soil"));
        assert!(Pattern::parse("").expect("valid").is_match(""));
        assert_eq!(pattern, Pattern::parse("MARINE|straße").expect("valid"));
        assert_ne!(pattern, Pattern::parse("marine|straße").expect("valid"));
        assert_eq!(format!("{pattern:?}"), "\"MARINE|straße\"");
    }

    #[test]
    fn invalid_and_large_patterns_are_rejected() {
        let deep = format!("{}a{}", "(".repeat(200), ")".repeat(200));
        for text in ["[", "(?=a)", r"(a)\1", "(a|b){1000}{1000}", r"\pL{1000}", "((a{100}){100}){100}", &deep] {
            let error = Pattern::parse(text).expect_err(text);
            assert!(!error.to_string().is_empty());
        }
        for text in
            [r"\w{1,5}\s\w+", "(soil|sea|gut){3}", ".*a.*b.*", "root:.*(soil|marine)", "^(a|b)c+$", r"\w+ \d{4}"]
        {
            Pattern::parse(text).expect(text);
        }
    }
}
