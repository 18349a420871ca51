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
    /// With its source.
    pub(super) pattern: Option<(String, Matcher)>,
    pub(super) options: Option<Vec<Value>>,
    pub(super) format: Option<Format>,
}

#[derive(Debug)]
pub(super) struct Format {
    name: &'static str,
    pattern: &'static str,
    matcher: Matcher,
}

impl TextRules {
    /// Adds the violations of a value, given as a JSON string.
    pub(super) fn check(&self, key: &str, text: &Value, allowance: &mut Allowance, lines: &mut Lines) {
        let num_chars = text.as_str().map_or(0, |text| text.chars().count()) as u64;
        if let Some(min) = self.num_chars_min.filter(|&min| num_chars < min) {
            lines.add(key, format_args!("must be at least {min} characters long"));
        }
        if let Some(max) = self.num_chars_max.filter(|&max| num_chars > max) {
            lines.add(key, format_args!("may only be {max} characters long"));
        }
        if let Some((pattern, matcher)) = &self.pattern
            && matcher.find(text, allowance) != Match::Yes
        {
            lines.add(key, format_args!("does not match the regex pattern {pattern}"));
        }
        if let Some(options) = self.options.as_ref().filter(|options| !options.contains(text)) {
            let options: Vec<_> = options.iter().map(plain).collect();
            lines.add(key, format_args!("does not have a value in the enumeration [{}]", options.join(", ")));
        }
        if let Some(reason) = self.format.as_ref().and_then(|format| format.violation(text, allowance)) {
            lines.add(key, reason);
        }
    }
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

/// Returns a string without quotes, and anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
