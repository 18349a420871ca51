//! Finds rows of a protein that are there twice.

use std::collections::HashSet;

/// The rows of one protein in one table.
#[derive(Debug, Default)]
pub(super) struct SeenRows {
    /// The first row. Most proteins have no other.
    first: Option<Vec<u8>>,
    /// The rows behind the first.
    others: HashSet<Vec<u8>>,
    /// The bytes of an earlier first row, to be used again.
    spare: Vec<u8>,
}

impl SeenRows {
    /// Starts with the next protein.
    pub(super) fn clear(&mut self) {
        if let Some(first) = self.first.take() {
            self.spare = first;
        }
        if !self.others.is_empty() {
            self.others.clear();
        }
    }

    /// Tells whether the same row was there before.
    pub(super) fn is_again(&mut self, payload: &[u8]) -> bool {
        match &self.first {
            None => {
                let mut first = std::mem::take(&mut self.spare);
                first.clear();
                first.extend(payload);
                self.first = Some(first);
                false
            }
            Some(first) => first == payload || !self.others.insert(payload.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_again_until_the_next_protein() {
        let mut seen = SeenRows::default();
        for _ in 0..2 {
            let again: Vec<bool> = [b"a", b"b", b"a", b"c", b"b"].map(|row| seen.is_again(row)).into();
            assert_eq!(again, [false, false, true, false, true]);
            seen.clear();
        }
    }
}
