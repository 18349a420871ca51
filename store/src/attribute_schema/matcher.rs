//! Patterns and formats, matched within bounds.

use std::time::Duration;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator, draft4};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// How many bytes of program a pattern may have.
const PROGRAM_BYTES_MAX: usize = 64 << 10;

/// How many bytes of program one of a few large patterns may have. Letters of all languages, counted, take so many.
const LARGE_PROGRAM_BYTES_MAX: usize = 1 << 20;

/// How many large patterns a schema may have.
const NUM_LARGE_MAX: usize = 16;

/// How many bytes of program each part of a pattern with look-around or back-references may have.
const BACKTRACKING_PROGRAM_BYTES_MAX: usize = 8 << 10;

/// How many bytes a text may have in which such a pattern is looked for. Each try may look at all of it, and there may be a try for each
/// byte: the worst take 0.1 s for so many.
const BACKTRACKING_TEXT_BYTES_MAX: usize = 1 << 10;

/// How often such a match may go back and try another way.
const BACKTRACKS_MAX: usize = 10_000;

/// How many steps the matches of one check may take without being timed. Most checks take far fewer, so that they come out the same however
/// busy the machine is.
const UNTIMED_STEPS_MAX: usize = 8 << 10;

/// How much of the processor's time the matches of one check may take together, once they are timed: how busy the machine is does not matter. Without ill will they take microseconds; with it, they hold up a
/// thread of whoever asks, never the one that writes.
const TIME_MAX: Duration = Duration::from_millis(100);

/// What is known of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// It matches.
    Yes,
    /// It does not.
    No,
    /// It would take too long to find out.
    Undecided,
}

/// Bounds the time of one check.
///
/// The number of steps of one match is bounded by its pattern and its text, but a schema may apply each of its patterns to each of many
/// attributes. What is not decided in time counts as not conforming.
#[derive(Debug)]
pub(super) struct Allowance {
    /// How many steps were taken: bytes of text looked at, as often as they may have been.
    num_steps: usize,
    /// How much of the processor this thread may have used by the end.
    until: Duration,
}

impl Allowance {
    /// Returns a fresh one.
    pub(super) fn start() -> Self {
        Self { num_steps: 0, until: processor_time() + TIME_MAX }
    }

    /// Tells whether so many steps more may be taken.
    fn grants(&mut self, num_steps: usize) -> bool {
        self.num_steps += num_steps;
        self.num_steps <= UNTIMED_STEPS_MAX || processor_time() < self.until
    }
}

/// Returns how much of the processor this thread has used.
fn processor_time() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(used).unwrap_or_default()
}

/// Compiles the patterns of one schema.
#[derive(Debug)]
pub(super) struct PatternCompiler {
    /// How many large ones it may have yet.
    num_large_left: usize,
}

impl Default for PatternCompiler {
    fn default() -> Self {
        Self { num_large_left: NUM_LARGE_MAX }
    }
}

impl PatternCompiler {
    /// Compiles a pattern. Returns `None` if it is none, or too large.
    pub(super) fn compile(&mut self, pattern: &str) -> Option<Matcher> {
        let schema = json!({ "pattern": pattern });
        if let Some(matcher) = Matcher::linear(&schema, PROGRAM_BYTES_MAX).or_else(|| Matcher::backtracking(&schema)) {
            return Some(matcher);
        }
        self.num_large_left = self.num_large_left.checked_sub(1)?;
        Matcher::linear(&schema, LARGE_PROGRAM_BYTES_MAX)
    }
}

/// A compiled pattern or format.
#[derive(Debug)]
pub(super) struct Matcher {
    /// Validates a schema that has only this keyword.
    validator: Validator,
    /// Whether it may look at each part of a text many times.
    is_backtracking: bool,
}

impl Matcher {
    /// Compiles a format of Draft 4. Everything conforms to another.
    pub(super) fn of_format(name: &str) -> Option<Self> {
        Self::linear(&json!({ "format": name }), PROGRAM_BYTES_MAX)
    }

    /// Compiles a schema of one keyword. A pattern may not have look-around and back-references.
    fn linear(schema: &Value, bytes_max: usize) -> Option<Self> {
        let bounds = PatternOptions::regex().size_limit(bytes_max).dfa_size_limit(bytes_max);
        let validator = draft4::options().offline().with_pattern_options(bounds).build(schema).ok()?;
        Some(Self { validator, is_backtracking: false })
    }

    /// Compiles a schema that has only a pattern, which may have look-around and back-references.
    fn backtracking(schema: &Value) -> Option<Self> {
        let bytes_max = BACKTRACKING_PROGRAM_BYTES_MAX;
        let bounds = PatternOptions::fancy_regex().size_limit(bytes_max).dfa_size_limit(bytes_max);
        let bounds = bounds.backtrack_limit(BACKTRACKS_MAX);
        let validator = draft4::options().offline().with_pattern_options(bounds).build(schema).ok()?;
        Some(Self { validator, is_backtracking: true })
    }

    /// Tells whether a text, given as a JSON value, matches.
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
