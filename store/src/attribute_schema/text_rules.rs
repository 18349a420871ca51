//! The rules for a value.

use serde_json::Value;

use super::lines::Lines;
use super::matcher::{Allowance, Match, Matcher};

/// The pattern that messages name for each format: for `email` the text that clients know, for others the standard.
const PATTERNS: [(&str, &str); 9] = [
    ("date", "of RFC 3339"),
    ("date-time", "of RFC 3339"),
    ("email", r"^\S+@\S+$"),
    ("hostname", "of RFC 1034"),
    ("ipv4", "of RFC 2673"),
    ("ipv6", "of RFC 4291"),
    ("regex", "of ECMA 262"),
    ("time", "of RFC 3339"),
    ("uri", "of RFC 3986"),
];

#[derive(Debug, Default)]
pub(super) struct TextRules {
    /// In code points.
    pub(super) num_chars_min: Option<u64>,
    /// In code points.
    pub(super) num_chars_max: Option<u64>,
    pub(super) pattern: Option<Pattern>,
    pub(super) options: Option<Vec<Value>>,
    pub(super) format: Option<Pattern>,
}

/// What a value must match.
#[derive(Debug)]
pub(super) struct Pattern {
    /// As messages name it.
    name: String,
    matcher: Matcher,
}

impl TextRules {
    /// Returns what patterns and formats may take in memory.
    pub(super) fn size_bytes(&self) -> usize {
        self.pattern.iter().chain(&self.format).map(|pattern| pattern.matcher.size_bytes).sum()
    }

    /// Adds the violations of a value, given as a JSON string.
    pub(super) fn check(&self, key: &str, text: &Value, allowance: &mut Allowance, lines: &mut Lines) {
        let num_chars = text.as_str().map_or(0, |text| text.chars().count()) as u64;
        if let Some(min) = self.num_chars_min.filter(|&min| num_chars < min) {
            lines.add(key, format_args!("must be at least {min} characters long"));
        }
        if let Some(max) = self.num_chars_max.filter(|&max| num_chars > max) {
            lines.add(key, format_args!("may only be {max} characters long"));
        }
        if let Some(pattern) = &self.pattern {
            pattern.check(key, text, allowance, lines);
        }
        if let Some(options) = self.options.as_ref().filter(|options| !options.contains(text)) {
            let options: Vec<_> = options.iter().map(plain).collect();
            lines.add(key, format_args!("does not have a value in the enumeration [{}]", options.join(", ")));
        }
        if let Some(format) = &self.format {
            format.check(key, text, allowance, lines);
        }
    }
}

impl Pattern {
    pub(super) fn new(pattern: &str, matcher: Matcher) -> Self {
        Self { name: format!("regex pattern {pattern}"), matcher }
    }

    /// Returns the pattern of a format. Draft 4 ignores unknown formats.
    pub(super) fn of_format(format: &str) -> Option<Self> {
        let (name, pattern) = PATTERNS.iter().find(|(known, _)| *known == format)?;
        Some(Self { name: format!("{name} pattern {pattern}"), matcher: Matcher::of_format(name)? })
    }

    fn check(&self, key: &str, text: &Value, allowance: &mut Allowance, lines: &mut Lines) {
        if self.matcher.find(text, allowance) != Match::Yes {
            lines.add(key, format_args!("does not match the {}", self.name));
        }
    }
}

/// Returns a string without quotes, and anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
