//! A bounded list of messages: a schema may have many rules for each of many attributes.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::fmt::{self, Display, Write};
use std::hash::{BuildHasher, Hasher};

const LINES_MAX: usize = 1_000;

const BYTES_MAX: usize = 64 << 10;

/// Messages in the order in which they were added. Those beyond the bounds are only counted.
#[derive(Debug, Default)]
pub(super) struct Lines {
    kept: Vec<String>,
    num_bytes: usize,
    /// How many lines are only counted. After the first one all are.
    num_omitted: usize,
    /// Hashes of the messages about the current attribute.
    reasons: HashSet<u64>,
    hashes: RandomState,
}

impl Lines {
    /// Begins with another attribute, which may get the same messages as the one before.
    pub(super) fn next_attribute(&mut self) {
        self.reasons.clear();
    }

    /// Adds a message about an attribute, unless it is there already.
    pub(super) fn add(&mut self, key: &str, reason: impl Display) {
        if self.is_new(&reason) {
            self.push(format_args!("$.{key}: {reason}"));
        }
    }

    /// Adds a message about a path in a schema, unless it is there already.
    pub(super) fn add_at(&mut self, path: &str, problem: impl Display) {
        if self.is_new(&format_args!("{path}: {problem}")) {
            self.push(format_args!("{path}: {problem}"));
        }
    }

    /// Adds a message about all attributes together.
    pub(super) fn add_of_all(&mut self, reason: impl Display) {
        self.push(format_args!("$: {reason}"));
    }

    fn push(&mut self, line: fmt::Arguments<'_>) {
        if self.num_omitted == 0 && self.kept.len() < LINES_MAX {
            let line = line.to_string();
            if self.num_bytes + line.len() <= BYTES_MAX {
                self.num_bytes += line.len();
                self.kept.push(line);
                return;
            }
        }
        self.num_omitted += 1;
    }

    fn is_new(&mut self, reason: &impl Display) -> bool {
        let mut hash = HashWriter(self.hashes.build_hasher());
        // Hashing cannot fail.
        let _ = write!(hash, "{reason}");
        self.reasons.insert(hash.0.finish())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.num_omitted == 0
    }

    pub(super) fn into_parts(self) -> (Vec<String>, usize) {
        (self.kept, self.num_omitted)
    }
}

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
    fn a_line_that_is_omitted_is_never_built() {
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
        let (kept, num_omitted) = lines.into_parts();
        assert_eq!((kept.len(), num_omitted), (LINES_MAX, 2));
    }

    #[test]
    fn what_is_wrong_at_a_path_is_kept_once_and_all_is_counted() {
        let mut lines = Lines::default();
        assert!(lines.is_empty());
        for (path, problem) in [("$.a", "x"), ("$.a", "x"), ("$.b", "x"), ("$.a", "y")] {
            lines.add_at(path, problem);
        }
        lines.add_at("$", "z".repeat(BYTES_MAX));
        assert_eq!(lines.into_parts(), (["$.a: x", "$.b: x", "$.a: y"].map(str::to_owned).to_vec(), 1));
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
            let num_omitted = all.len() - expected.len();
            prop_assert_eq!(lines.into_parts(), (expected, num_omitted));
        }
    }
}
