//! Bounds on the size of patterns and on the work of matching them.

use jsonschema::{PatternOptions, Validator, draft4};
use serde_json::Value;

/// The sizes that a compiled pattern may have. The first that is large enough counts.
const PROGRAM_BYTES: [usize; 3] = [2 << 10, 16 << 10, 64 << 10];

/// The size of one of a few large patterns, such as counted letters of all languages.
const LARGE_PROGRAM_BYTES: usize = 1 << 20;

const NUM_LARGE_MAX: usize = 16;

/// The most bytes of what a pattern that is not large may build while it matches.
const CACHE_BYTES: usize = 64 << 10;

/// The most bytes of each compiled part of a pattern with look-around or back-references.
const BACKTRACKING_PROGRAM_BYTES: usize = 8 << 10;

/// The memory of such a pattern for each of its bytes: each may begin a part that is compiled.
const BACKTRACKING_BYTES_EACH: usize = 4 << 10;

/// The limit of steps back of such a match.
const BACKTRACKS_MAX: usize = 10_000;

/// The work of such a match, which takes quadratic time, for each byte of text and each byte of text again.
const BACKTRACKING_WORK: usize = 4 << 10;

/// Shorter texts may take as long as one of this length: until the limit of backtracking.
const BACKTRACKING_TEXT_BYTES_MIN: usize = 32;

/// The work of one check, in bytes of text times bytes of compiled patterns: 1 MiB of text with a small pattern, 1 KiB with look-around.
/// Ordinary checks take a thousandth, the worst some tenths of a second.
const WORK_MAX: usize = 4 << 30;

/// The work that is left to one check.
///
/// A schema may apply each of many patterns to each of many attributes. What would take more work does not conform. No clock decides that: the
/// same attributes always have the same outcome.
#[derive(Debug)]
pub(super) struct Work {
    left: usize,
}

/// The outcome of a match was not found within the bounds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Undecided;

impl Default for Work {
    fn default() -> Self {
        Self { left: WORK_MAX }
    }
}

impl Work {
    pub(super) fn take(&mut self, work: usize) -> Result<(), Undecided> {
        self.left = self.left.checked_sub(work).ok_or(Undecided)?;
        Ok(())
    }
}

/// The way a pattern is matched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Engine {
    /// In linear time, by a program of at most so many bytes.
    Linear { program_bytes: usize },
    /// With look-around and back-references.
    Backtracking,
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
    /// Compiles a schema of at most one pattern. Returns `None` if that is invalid or too large.
    pub(super) fn compile(&mut self, schema: &Value) -> Option<(Engine, Validator)> {
        let linear = PROGRAM_BYTES.map(|program_bytes| Engine::Linear { program_bytes });
        let compiled = |engine: Engine| Some((engine, engine.compile(schema)?));
        linear.into_iter().chain([Engine::Backtracking]).find_map(compiled).or_else(|| {
            self.num_large_left = self.num_large_left.checked_sub(1)?;
            compiled(Engine::Linear { program_bytes: LARGE_PROGRAM_BYTES })
        })
    }
}

impl Engine {
    fn compile(self, schema: &Value) -> Option<Validator> {
        let options = draft4::options().offline();
        let options = match self {
            Self::Linear { program_bytes } => {
                let bounds = PatternOptions::regex().size_limit(program_bytes);
                options.with_pattern_options(bounds.dfa_size_limit(program_bytes.max(CACHE_BYTES)))
            }
            Self::Backtracking => {
                let bounds = PatternOptions::fancy_regex().size_limit(BACKTRACKING_PROGRAM_BYTES);
                let bounds = bounds.dfa_size_limit(BACKTRACKING_PROGRAM_BYTES).backtrack_limit(BACKTRACKS_MAX);
                options.with_pattern_options(bounds)
            }
        };
        options.build(schema).ok()
    }

    /// Returns the most work that matching a text may take.
    pub(super) fn work(self, text: &str) -> usize {
        match self {
            Self::Linear { program_bytes } => text.len().saturating_mul(program_bytes),
            Self::Backtracking => {
                text.len().max(BACKTRACKING_TEXT_BYTES_MIN).saturating_pow(2).saturating_mul(BACKTRACKING_WORK)
            }
        }
    }

    /// Returns the memory that a pattern may take.
    pub(super) fn size_bytes(self, pattern: &str) -> usize {
        match self {
            Self::Linear { program_bytes } => program_bytes + program_bytes.max(CACHE_BYTES),
            Self::Backtracking => CACHE_BYTES + BACKTRACKING_BYTES_EACH * pattern.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn compile(compiler: &mut PatternCompiler, pattern: &str) -> Option<Engine> {
        compiler.compile(&json!({ "pattern": pattern })).map(|(engine, _)| engine)
    }

    #[test]
    fn work_is_bounded_and_the_same_each_time() {
        let mut work = Work::default();
        let engine = Engine::Linear { program_bytes: 1 << 20 };
        assert_eq!(work.take(engine.work(&"a".repeat(4095))), Ok(()));
        assert_eq!(work.take(engine.work("aa")), Err(Undecided));
        assert_eq!(work.take(engine.work("a")), Ok(()), "it still fits");
        assert_eq!(work.take(1), Err(Undecided));
        let longest = "a".repeat(1 << 10);
        assert_eq!(Work::default().take(Engine::Backtracking.work(&longest)), Ok(()));
        assert_eq!(Work::default().take(Engine::Backtracking.work(&(longest + "a"))), Err(Undecided));
    }

    #[test]
    fn patterns_have_the_smallest_engine_that_can_match_them() {
        let compiler = &mut PatternCompiler::default();
        for (pattern, program_bytes) in [
            ("^[A-Z]{3}[0-9]{3}$", PROGRAM_BYTES[0]),
            (r"^\S+@\S+$", PROGRAM_BYTES[1]),
            (r"^[\p{L} ]+$", PROGRAM_BYTES[2]),
            ("^.{255}$", LARGE_PROGRAM_BYTES),
        ] {
            let engine = compile(compiler, pattern);
            assert!(
                matches!(engine, Some(Engine::Linear { program_bytes: found }) if found == program_bytes),
                "{pattern}: {engine:?}"
            );
        }
        assert!(matches!(compile(compiler, r"(a|b)\1"), Some(Engine::Backtracking)));
    }

    #[test]
    fn only_so_many_patterns_may_be_large() {
        let compiler = &mut PatternCompiler::default();
        for _ in 0..NUM_LARGE_MAX {
            assert!(compile(compiler, r"^[\p{L} ]{1,20}$").is_some());
        }
        assert!(compile(compiler, r"^[\p{L} ]{1,20}$").is_none());
        assert!(compile(compiler, r"^[\p{L} ]+$").is_some());
        assert!(compile(compiler, "(?=a)(a{1,1000})").is_none());
    }
}
