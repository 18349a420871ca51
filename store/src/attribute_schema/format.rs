//! The formats that are checked.

use serde_json::Value;

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

#[derive(Debug)]
pub(super) struct Format {
    name: &'static str,
    pattern: &'static str,
    matcher: Matcher,
}

impl Format {
    /// Returns the format with a name. Draft 4 ignores unknown formats.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let &(name, pattern) = PATTERNS.iter().find(|(known, _)| *known == name)?;
        Some(Self { name, pattern, matcher: Matcher::of_format(name)? })
    }

    pub(super) fn violation(&self, text: &Value, allowance: &mut Allowance) -> Option<String> {
        let conforms = self.matcher.find(text, allowance) == Match::Yes;
        (!conforms).then(|| format!("does not match the {} pattern {}", self.name, self.pattern))
    }
}
