//! A bounded list of messages: a schema may have many rules for each of many attributes.

use std::collections::HashSet;
use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};

const LINES_MAX: usize = 1_000;

const BYTES_MAX: usize = 64 << 10;

/// Messages in the order in which they were added. Those beyond the limits are only counted.
#[derive(Debug, Default)]
pub(super) struct Lines {
    kept: Vec<String>,
    num_bytes: usize,
    /// The number of lines that are only counted. After the first of them, all lines are only
    /// counted.
    num_omitted: usize,
    /// Hashes of all lines.
    seen: HashSet<u64>,
    hashes: RandomState,
}

impl Lines {
    /// Adds a message about a path, such as `$.age`, unless the list has it already.
    pub(super) fn add(&mut self, path: impl Display, problem: impl Display) {
        let line = format!("{path}: {problem}");
        if !self.seen.insert(self.hashes.hash_one(&line)) {
            return;
        }
        self.num_bytes += line.len();
        if self.num_omitted == 0 && self.kept.len() < LINES_MAX && self.num_bytes <= BYTES_MAX {
            self.kept.push(line);
        } else {
            self.num_omitted += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.num_omitted == 0
    }

    pub(super) fn into_parts(self) -> (Vec<String>, usize) {
        (self.kept, self.num_omitted)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn messages_of_a_path_are_kept_once_and_all_are_counted() {
        let mut lines = Lines::default();
        assert!(lines.is_empty());
        for (path, problem) in [("$.a", "x"), ("$.a", "x"), ("$.b", "x"), ("$.a", "y")] {
            lines.add(path, problem);
        }
        lines.add("$", "z".repeat(BYTES_MAX));
        assert_eq!(lines.into_parts(), (["$.a: x", "$.b: x", "$.a: y"].map(str::to_owned).to_vec(), 1));
    }

    proptest! {
        #[test]
        fn lines_match_a_simple_model(
            attributes in proptest::collection::vec(proptest::collection::vec((0..6_usize, 1..4_000_usize), 0..20), 0..100),
        ) {
            let mut lines = Lines::default();
            let mut all: Vec<String> = Vec::new();
            for (number, reasons) in attributes.into_iter().enumerate() {
                for (letter, length) in reasons {
                    let reason = ["a", "b", "c", "d", "e", "f"][letter].repeat(length);
                    let line = format!("$.{number}: {reason}");
                    if !all.contains(&line) {
                        all.push(line);
                    }
                    lines.add(format_args!("$.{number}"), reason);
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
