//! Patterns of ECMA 262, with limits on their size and on the work of matching them.

mod backtracking;
mod classes;
mod parser;
mod tree;

use std::fmt;

use regex::{Regex, RegexBuilder};

use self::backtracking::Program;

/// The possible sizes of a compiled pattern. The first one that is large enough is used.
const PROGRAM_BYTES: [usize; 3] = [2 << 10, 16 << 10, 64 << 10];

/// The size of a large pattern, such as counted letters of all languages. A schema may have a few
/// of these.
const LARGE_PROGRAM_BYTES: usize = 1 << 20;

const NUM_LARGE_MAX: usize = 16;

/// The most bytes that a pattern that is not large may allocate while it matches.
const CACHE_BYTES: usize = 64 << 10;

/// The depth of a translated pattern. The nesting of groups in the original is limited to far less.
const NESTING_MAX: u32 = 1_000;

/// The most steps of a match with look-around or back-references.
const STEPS_MAX: usize = 4 << 20;

/// The work of such a step.
const STEP_WORK: usize = 512;

/// The work of one check, in bytes of text times bytes of compiled patterns, or in steps: 2 MiB of
/// text with a small pattern, 8 million steps. Ordinary checks take a thousandth, the worst some
/// tenths of a second.
const WORK_MAX: usize = 4 << 30;

/// The remaining work of one check.
///
/// A schema may apply each of many patterns to each of many attributes. An attribute that would
/// take more work does not conform. No clock is involved: the same attributes always have the same
/// outcome.
#[derive(Debug)]
pub(super) struct Work {
    left: usize,
}

/// The outcome of a match was not found within the limits.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Undecided;

impl Default for Work {
    fn default() -> Self {
        Self { left: WORK_MAX }
    }
}

impl Work {
    fn take(&mut self, work: usize) -> Result<(), Undecided> {
        self.left = self.left.checked_sub(work).ok_or(Undecided)?;
        Ok(())
    }
}

/// The kinds of reasons for which a pattern is rejected.
#[derive(Debug)]
pub(super) enum Refusal {
    Invalid(String),
    TooLarge(String),
    Unsupported(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(problem) => write!(f, "is not a regular expression of ECMA 262: {problem}"),
            Self::TooLarge(limit) => write!(f, "is too large: {limit}"),
            Self::Unsupported(part) => write!(f, "is not supported: {part}"),
        }
    }
}

/// Returns whether a text is a pattern of ECMA 262, even if it is rejected.
pub(super) fn is_valid(text: &str) -> bool {
    !matches!(parser::parse(text), Err(Refusal::Invalid(_)))
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    text: String,
    engine: Engine,
}

/// The way a pattern is matched.
#[derive(Debug)]
enum Engine {
    /// In linear time, by a program of at most `program_bytes`.
    Linear { regex: Regex, program_bytes: usize },
    /// With look-around and back-references.
    Backtracking(Program),
}

/// Compiles the patterns of one schema.
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
    pub(super) fn compile(&mut self, text: &str) -> Result<Pattern, Refusal> {
        let tree = parser::parse(text)?;
        let engine = match tree.root.to_linear() {
            Some(pattern) => self.compile_linear(&pattern.to_string())?,
            None => Engine::Backtracking(Program::new(&tree)),
        };
        Ok(Pattern { text: text.to_owned(), engine })
    }

    fn compile_linear(&mut self, pattern: &str) -> Result<Engine, Refusal> {
        let compiled = |program_bytes: usize| {
            let mut builder = RegexBuilder::new(pattern);
            builder.nest_limit(NESTING_MAX).size_limit(program_bytes).dfa_size_limit(program_bytes.max(CACHE_BYTES));
            Some(Engine::Linear { regex: builder.build().ok()?, program_bytes })
        };
        if let Some(engine) = PROGRAM_BYTES.into_iter().find_map(compiled) {
            return Ok(engine);
        }
        let [.., bytes_max] = PROGRAM_BYTES.map(|bytes| bytes >> 10);
        self.num_large_left = self.num_large_left.checked_sub(1).ok_or_else(|| {
            Refusal::TooLarge(format!("compiled, it takes more than {bytes_max} KiB, as {NUM_LARGE_MAX} others do"))
        })?;
        compiled(LARGE_PROGRAM_BYTES)
            .ok_or_else(|| Refusal::TooLarge(format!("compiled, it takes more than {} KiB", LARGE_PROGRAM_BYTES >> 10)))
    }
}

impl Pattern {
    /// Returns the message about a text that does not match.
    pub(super) fn mismatch(&self) -> String {
        format!("does not match the regex pattern {}", self.text)
    }

    /// Returns whether a text has a match.
    pub(super) fn is_match(&self, text: &str, work: &mut Work) -> Result<bool, Undecided> {
        match &self.engine {
            Engine::Linear { regex, program_bytes } => {
                work.take(text.len().saturating_mul(*program_bytes))?;
                Ok(regex.is_match(text))
            }
            Engine::Backtracking(program) => {
                let num_steps_max = STEPS_MAX.min(work.left / STEP_WORK);
                let mut num_steps = num_steps_max;
                let outcome = program.is_match(text, &mut num_steps);
                work.take((num_steps_max - num_steps) * STEP_WORK)?;
                outcome
            }
        }
    }

    /// Returns the most memory that it may take.
    pub(super) fn size_bytes(&self) -> usize {
        match &self.engine {
            Engine::Linear { program_bytes, .. } => program_bytes + CACHE_BYTES.max(*program_bytes),
            Engine::Backtracking(program) => program.size_bytes(),
        }
    }
}

#[cfg(test)]
mod tests;
