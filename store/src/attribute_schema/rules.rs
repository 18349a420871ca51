//! The rules for a text: a key or a value.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator, draft4};
use serde_json::{Map, Value, json};

use super::engine::{Engine, PatternCompiler, Undecided, Work};
use super::lines::Lines;

/// The memory of rules without a pattern. Most of them are code.
const PLAIN_BYTES: usize = 8 << 10;

/// The keywords of a rule, in the order of their messages.
const KEYWORDS: [&str; 5] = ["minLength", "maxLength", "pattern", "enum", "format"];

/// The formats that are checked, and the pattern that messages name: for `email` the text that clients know, for others the standard.
const FORMATS: [(&str, &str); 9] = [
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

/// The rules for a text.
#[derive(Debug)]
pub(super) struct Rules {
    validator: Validator,
    pattern: Option<(String, Engine)>,
}

impl Rules {
    /// Compiles the keywords that are rules and have a value of the right type. Returns `None` if the pattern is invalid or too large.
    pub(super) fn compile(schema: &Map<String, Value>, patterns: &mut PatternCompiler) -> Option<Self> {
        let is_rule = |(keyword, value): &(&String, &Value)| match keyword.as_str() {
            "minLength" | "maxLength" => value.is_u64(),
            "pattern" => value.is_string(),
            "enum" => draft4::meta::is_valid(&json!({ "enum": value })),
            "format" => FORMATS.iter().any(|(format, _)| *value == format),
            _ => false,
        };
        let rules = schema.iter().filter(is_rule).map(|(keyword, value)| (keyword.clone(), value.clone())).collect();
        let (engine, validator) = patterns.compile(&Value::Object(rules))?;
        let pattern = schema.get("pattern").and_then(Value::as_str);
        Some(Self { validator, pattern: pattern.map(|pattern| (pattern.to_owned(), engine)) })
    }

    /// Returns the memory that they may take.
    pub(super) fn size_bytes(&self) -> usize {
        self.pattern.as_ref().map_or(PLAIN_BYTES, |(pattern, engine)| engine.size_bytes(pattern))
    }

    /// Returns the violations of a text, given as a JSON string.
    pub(super) fn violations<'a>(
        &'a self,
        text: &'a Value,
        work: &mut Work,
    ) -> Result<Vec<ValidationError<'a>>, Undecided> {
        if let Some((_, engine)) = &self.pattern {
            work.take(engine.work(text.as_str().unwrap_or_default()))?;
        }
        let violations: Vec<_> = self.validator.iter_errors(text).collect();
        let is_undecided = |violation: &ValidationError<'_>| {
            use ValidationErrorKind::{BacktrackLimitExceeded, RegexEngineFailure};
            matches!(violation.kind(), BacktrackLimitExceeded { .. } | RegexEngineFailure { .. })
        };
        if violations.iter().any(is_undecided) { Err(Undecided) } else { Ok(violations) }
    }

    /// Adds the violations of a value, given as a JSON string.
    pub(super) fn check(&self, key: &str, value: &Value, work: &mut Work, lines: &mut Lines) {
        let Ok(mut violations) = self.violations(value, work) else { return self.add_mismatch(key, lines) };
        violations.sort_by_key(|violation| KEYWORDS.iter().position(|keyword| *keyword == violation.kind().keyword()));
        for violation in violations {
            let problem = match violation.kind() {
                ValidationErrorKind::MinLength { limit } => format!("must be at least {limit} characters long"),
                ValidationErrorKind::MaxLength { limit } => format!("may only be {limit} characters long"),
                ValidationErrorKind::Pattern { pattern } => format!("does not match the regex pattern {pattern}"),
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
            lines.add(format_args!("$.{key}"), problem);
        }
    }

    /// Adds that a text does not match the pattern.
    pub(super) fn add_mismatch(&self, key: &str, lines: &mut Lines) {
        if let Some((pattern, _)) = &self.pattern {
            lines.add(format_args!("$.{key}"), format_args!("does not match the regex pattern {pattern}"));
        }
    }
}

/// Returns a string without quotes, and anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
