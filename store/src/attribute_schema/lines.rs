//! The lines that tell what is wrong, within bounds: a schema may say much of each of many attributes.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::fmt::{self, Display, Write};
use std::hash::{BuildHasher, Hasher};

/// How many lines are told.
const LINES_MAX: usize = 1_000;

/// How many bytes the lines that are told may have together.
const BYTES_MAX: usize = 64 << 10;

/// Lines, in the order in which they were added. Lines beyond the bounds are counted and never built.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Those that are told.
    told: Vec<String>,
    /// How many bytes they have.
    num_bytes: usize,
    /// How many there are beyond those that are told. Once there is one, no other is told either.
    num_untold: usize,
    /// What was said of the attribute that the next line is of, as hashes.
    reasons: HashSet<u64>,
    /// Hashes them.
    hashes: RandomState,
}

impl Lines {
    /// Begins with another attribute: what was said of those before may be said of it too.
    pub(super) fn next_attribute(&mut self) {
        self.reasons.clear();
    }

    /// Adds what is wrong with an attribute, unless that was said already.
    pub(super) fn add(&mut self, key: &str, reason: impl Display) {
        if self.is_new(&reason) {
            self.tell(format_args!("$.{key}: {reason}"));
        }
    }

    /// Adds what is wrong at a place of a schema, unless that was said already.
    pub(super) fn add_at(&mut self, place: &str, problem: impl Display) {
        if self.is_new(&format_args!("{place}: {problem}")) {
            self.tell(format_args!("{place}: {problem}"));
        }
    }

    /// Adds what is wrong with all attributes together.
    pub(super) fn add_of_all(&mut self, reason: impl Display) {
        self.tell(format_args!("$: {reason}"));
    }

    /// Tells a line, if there is room.
    fn tell(&mut self, line: fmt::Arguments<'_>) {
        if self.num_untold == 0 && self.told.len() < LINES_MAX {
            let line = line.to_string();
            if self.num_bytes + line.len() <= BYTES_MAX {
                self.num_bytes += line.len();
                self.told.push(line);
                return;
            }
        }
        self.num_untold += 1;
    }

    /// Tells whether something was not said yet.
    fn is_new(&mut self, reason: &impl Display) -> bool {
        let mut hash = HashWriter(self.hashes.build_hasher());
        // Hashing cannot fail.
        let _ = write!(hash, "{reason}");
        self.reasons.insert(hash.0.finish())
    }

    /// Tells whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty() && self.num_untold == 0
    }

    /// Returns the lines that are told, and how many there are beyond them.
    pub(super) fn into_told(self) -> (Vec<String>, usize) {
        (self.told, self.num_untold)
    }
}

/// Hashes what is written.
struct HashWriter<H>(H);

impl<H: Hasher> Write for HashWriter<H> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_that_is_not_told_is_never_built() {
        /// Counts how often it is written.
        struct Counted<'a>(&'a Cell<usize>);
        impl Display for Counted<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.set(self.0.get() + 1);
                f.write_str("x")
            }
        }
        let mut lines = Lines::default();
        for number in 0..LINES_MAX {
            lines.next_attribute();
            lines.add(&number.to_string(), "y");
        }
        let num_written = Cell::new(0);
        lines.add("a", Counted(&num_written));
        assert_eq!(num_written.get(), 1, "it is hashed");
        lines.add_of_all(Counted(&num_written));
        assert_eq!(num_written.get(), 1);
        let (told, num_untold) = lines.into_told();
        assert_eq!((told.len(), num_untold), (LINES_MAX, 2));
    }

    #[test]
    fn what_is_wrong_at_a_place_is_told_once_and_all_is_counted() {
        let mut lines = Lines::default();
        assert!(lines.is_empty());
        for (place, problem) in [("$.a", "x"), ("$.a", "x"), ("$.b", "x"), ("$.a", "y")] {
            lines.add_at(place, problem);
        }
        lines.add_at("$", "z".repeat(BYTES_MAX));
        assert_eq!(lines.into_told(), (["$.a: x", "$.b: x", "$.a: y"].map(str::to_owned).to_vec(), 1));
    }

    proptest! {
        #[test]
        fn lines_are_those_of_a_simple_model(
            attributes in proptest::collection::vec(proptest::collection::vec((0..6_usize, 1..4_000_usize), 0..20), 0..100),
        ) {
            let mut lines = Lines::default();
            let mut all: Vec<String> = Vec::new();
            for (number, reasons) in attributes.into_iter().enumerate() {
                lines.next_attribute();
                for (letter, length) in reasons {
                    let reason = ["a", "b", "c", "d", "e", "f"][letter].repeat(length);
                    let line = format!("$.{number}: {reason}");
                    if !all.contains(&line) {
                        all.push(line);
                    }
                    lines.add(&number.to_string(), reason);
                }
            }
            let mut num_bytes = 0;
            let fits = |line: &&String| {
                num_bytes += line.len();
                num_bytes <= BYTES_MAX
            };
            let expected: Vec<String> = all.iter().take_while(fits).take(LINES_MAX).cloned().collect();
            let num_untold = all.len() - expected.len();
            prop_assert_eq!(lines.into_told(), (expected, num_untold));
        }
    }
}
