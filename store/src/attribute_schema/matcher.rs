//! Patterns and formats, with bounds on their size and time.

use std::time::Duration;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator, draft4};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

const PROGRAM_BYTES_MAX: usize = 64 << 10;

/// The most bytes of one of a few large patterns, such as counted letters of all languages.
const LARGE_PROGRAM_BYTES_MAX: usize = 1 << 20;

const NUM_LARGE_MAX: usize = 16;

/// The most bytes of each compiled part of a pattern with look-around or back-references.
const BACKTRACKING_PROGRAM_BYTES_MAX: usize = 8 << 10;

/// What such a pattern may take in memory for each of its bytes: each may begin a part that is compiled.
const BACKTRACKING_BYTES_EACH: usize = 4 << 10;

/// What a format may take in memory. Most are code.
const FORMAT_BYTES: usize = 8 << 10;

/// The most bytes of a text for such a pattern, which takes quadratic time: 0.1 s in the worst case.
const BACKTRACKING_TEXT_BYTES_MAX: usize = 1 << 10;

/// How often such a match may backtrack.
const BACKTRACKS_MAX: usize = 10_000;

/// How many steps the matches of one check may take untimed. Most checks take far fewer, so that their outcome does not depend on time.
const UNTIMED_STEPS_MAX: usize = 8 << 10;

/// The CPU time of all matches of one check, once they are timed. Ordinary checks take microseconds.
const TIME_MAX: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    No,
    /// Finding out would take too long.
    Undecided,
}

/// Bounds the time of one check.
///
/// Pattern and text bound the steps of a single match, but a schema may apply each of many patterns to each of many attributes. What is not
/// decided in time does not conform.
#[derive(Debug)]
pub(super) struct Allowance {
    /// Bytes of text, each counted as often as it may have been read.
    num_steps: usize,
    /// The CPU time of this thread at which the check ends.
    until: Duration,
}

impl Allowance {
    pub(super) fn start() -> Self {
        Self { num_steps: 0, until: processor_time() + TIME_MAX }
    }

    fn grants(&mut self, num_steps: usize) -> bool {
        self.num_steps += num_steps;
        self.num_steps <= UNTIMED_STEPS_MAX || processor_time() < self.until
    }
}

fn processor_time() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(used).unwrap_or_default()
}

#[derive(Debug)]
pub(super) struct PatternCompiler {
    num_large_left: usize,
}

impl Default for PatternCompiler {
    fn default() -> Self {
        Self { num_large_left: NUM_LARGE_MAX }
    }
}

impl PatternCompiler {
    /// Compiles a pattern. Returns `None` if it is invalid or too large.
    pub(super) fn compile(&mut self, pattern: &str) -> Option<Matcher> {
        let schema = json!({ "pattern": pattern });
        if let Some(matcher) = Matcher::linear(&schema, PROGRAM_BYTES_MAX).or_else(|| Matcher::backtracking(&schema)) {
            return Some(matcher);
        }
        self.num_large_left = self.num_large_left.checked_sub(1)?;
        Matcher::linear(&schema, LARGE_PROGRAM_BYTES_MAX)
    }
}

#[derive(Debug)]
pub(super) struct Matcher {
    /// Of a schema with this keyword only.
    validator: Validator,
    is_backtracking: bool,
    /// What it may take in memory.
    pub(super) size_bytes: usize,
}

impl Matcher {
    /// Compiles a format of Draft 4. Unknown formats accept everything.
    pub(super) fn of_format(name: &str) -> Option<Self> {
        let matcher = Self::linear(&json!({ "format": name }), PROGRAM_BYTES_MAX)?;
        Some(Self { size_bytes: FORMAT_BYTES, ..matcher })
    }

    /// Compiles a schema of one keyword, without look-around and back-references.
    fn linear(schema: &Value, bytes_max: usize) -> Option<Self> {
        let bounds = PatternOptions::regex().size_limit(bytes_max).dfa_size_limit(bytes_max);
        let validator = draft4::options().offline().with_pattern_options(bounds).build(schema).ok()?;
        // What matches lazily grows up to the same bound.
        Some(Self { validator, is_backtracking: false, size_bytes: 2 * bytes_max })
    }

    /// Compiles a schema of one pattern, with look-around and back-references.
    fn backtracking(schema: &Value) -> Option<Self> {
        let bytes_max = BACKTRACKING_PROGRAM_BYTES_MAX;
        let bounds = PatternOptions::fancy_regex().size_limit(bytes_max).dfa_size_limit(bytes_max);
        let bounds = bounds.backtrack_limit(BACKTRACKS_MAX);
        let validator = draft4::options().offline().with_pattern_options(bounds).build(schema).ok()?;
        let text_bytes = schema.to_string().len();
        Some(Self {
            validator,
            is_backtracking: true,
            size_bytes: PROGRAM_BYTES_MAX + BACKTRACKING_BYTES_EACH * text_bytes,
        })
    }

    /// Matches a text, given as a JSON string.
    pub(super) fn find(&self, text: &Value, allowance: &mut Allowance) -> Match {
        let num_bytes = text.as_str().map_or(0, str::len);
        if self.is_backtracking && num_bytes > BACKTRACKING_TEXT_BYTES_MAX {
            return Match::Undecided;
        }
        if !allowance.grants(if self.is_backtracking { num_bytes * num_bytes } else { num_bytes }) {
            return Match::Undecided;
        }
        if !self.is_backtracking {
            return if self.validator.is_valid(text) { Match::Yes } else { Match::No };
        }
        match self.validator.validate(text) {
            Ok(()) => Match::Yes,
            Err(error) if matches!(error.kind(), ValidationErrorKind::BacktrackLimitExceeded { .. }) => {
                Match::Undecided
            }
            Err(_) => Match::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(pattern: &str) -> Matcher {
        PatternCompiler::default().compile(pattern).expect(pattern)
    }

    #[test]
    fn what_is_not_decided_in_time_is_undecided() {
        let mut used_up = Allowance { num_steps: 0, until: Duration::ZERO };
        let half = Value::from("a".repeat(UNTIMED_STEPS_MAX / 2));
        let matches: Vec<_> = (0..4).map(|_| compile("a").find(&half, &mut used_up)).collect();
        assert_eq!(matches, [Match::Yes, Match::Yes, Match::Undecided, Match::Undecided]);
        assert_eq!(compile("a").find(&"b".into(), &mut Allowance::start()), Match::No);
    }

    #[test]
    fn what_goes_back_too_often_is_undecided() {
        let find = |pattern: &str, text: String| compile(pattern).find(&text.into(), &mut Allowance::start());
        assert_eq!(find(r"^(\w+\s?)+\1$", "a".repeat(50) + "!"), Match::Undecided);
        assert_eq!(find("^(?!b)a", "a".repeat(BACKTRACKING_TEXT_BYTES_MAX)), Match::Yes);
        assert_eq!(find("^(?!a)a", "a".repeat(BACKTRACKING_TEXT_BYTES_MAX)), Match::No);
        assert_eq!(find("^(?!b)a", "a".repeat(BACKTRACKING_TEXT_BYTES_MAX + 1)), Match::Undecided);
    }

    #[test]
    fn only_so_many_patterns_may_be_large() {
        let mut compiler = PatternCompiler::default();
        for _ in 0..NUM_LARGE_MAX {
            assert!(compiler.compile(r"^[\p{L} ]{1,20}$").is_some());
        }
        assert!(compiler.compile(r"^[\p{L} ]{1,20}$").is_none());
        assert!(compiler.compile(r"^[\p{L} ]+$").is_some());
        assert!(compiler.compile("(?=a)(a{1,1000})").is_none());
    }
}
