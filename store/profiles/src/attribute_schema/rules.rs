//! The rules for a text: a key or a value.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Validator, draft4};
use serde_json::{Map, Value, json};

use super::lines::Lines;
use super::pattern::{self, Pattern, Work};

/// The memory of rules in addition to a pattern. Most of it is code.
const PLAIN_BYTES: usize = 8 << 10;

/// The keywords of a rule, in the order of their messages.
const KEYWORDS: [&str; 5] = ["minLength", "maxLength", "pattern", "enum", "format"];

/// The formats that are checked, and the standard that messages name.
const FORMATS: [(&str, &str); 9] = [
    ("date", "of RFC 3339"),
    ("date-time", "of RFC 3339"),
    ("email", "of RFC 5321"),
    ("hostname", "of RFC 1034"),
    ("ipv4", "of RFC 2673"),
    ("ipv6", "of RFC 4291"),
    ("regex", "of ECMA 262"),
    ("time", "of RFC 3339"),
    ("uri", "of RFC 3986"),
];

/// The rules for a text.
#[derive(Debug)]
pub(super) struct Rules {
    /// All rules except the pattern.
    validator: Validator,
    pattern: Option<Pattern>,
}

impl Rules {
    /// Compiles the keywords that are rules and have a value of the right type, except patterns.
    /// Returns `None` if they are not a schema.
    pub(super) fn compile(schema: &Map<String, Value>, pattern: Option<Pattern>) -> Option<Self> {
        let is_rule = |(keyword, value): &(&String, &Value)| match keyword.as_str() {
            "minLength" | "maxLength" => value.is_u64(),
            "enum" => draft4::meta::is_valid(&json!({ "enum": value })),
            "format" => FORMATS.iter().any(|(format, _)| *value == format),
            _ => false,
        };
        let rules = schema.iter().filter(is_rule).map(|(keyword, value)| (keyword.clone(), value.clone())).collect();
        let options = draft4::options().offline().with_format("regex", pattern::is_valid);
        Some(Self { validator: options.build(&Value::Object(rules)).ok()?, pattern })
    }

    /// Returns the most memory that they may take.
    pub(super) fn size_bytes(&self) -> usize {
        PLAIN_BYTES + self.pattern.as_ref().map_or(0, Pattern::size_bytes)
    }

    /// Adds the violations of a value, given as a JSON string.
    pub(super) fn check(&self, key: &str, value: &Value, work: &mut Work, lines: &mut Lines) {
        let text = value.as_str().unwrap_or_default();
        let mismatch = self.pattern.as_ref().filter(|pattern| pattern.is_match(text, work) != Ok(true));
        let place = |keyword: &str| KEYWORDS.iter().position(|other| *other == keyword);
        let mut problems: Vec<_> = mismatch.map(|pattern| (place("pattern"), pattern.mismatch())).into_iter().collect();
        problems.extend(self.validator.iter_errors(value).map(|violation| {
            let problem = match violation.kind() {
                ValidationErrorKind::MinLength { limit } => format!("must be at least {limit} characters long"),
                ValidationErrorKind::MaxLength { limit } => format!("may only be {limit} characters long"),
                ValidationErrorKind::Enum { options } => {
                    let options: Vec<_> = options.as_array().into_iter().flatten().map(plain).collect();
                    format!("does not have a value in the enumeration [{}]", options.join(", "))
                }
                ValidationErrorKind::Format { format } => {
                    let pattern = FORMATS.iter().find(|(name, _)| name == format).map_or("", |(_, pattern)| pattern);
                    format!("does not match the {format} pattern {pattern}")
                }
                _ => violation.masked().to_string(),
            };
            (place(violation.kind().keyword()), problem)
        }));
        problems.sort_by_key(|(place, _)| *place);
        for (_, problem) in problems {
            lines.add(format_args!("$.{key}"), problem);
        }
    }
}

/// Returns a string without quotes, and other values as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
