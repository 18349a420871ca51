//! The identifiers of a type, while a generation is being built.

use std::ops::Range;

use crate::Ordinal;

/// Identifiers with their ordinals. Each takes about 30 bytes.
#[derive(Default)]
pub(crate) struct IdentifierList {
    bytes: Vec<u8>,
    /// Offset, length and ordinal of each identifier.
    entries: Vec<(usize, u32, Ordinal)>,
}

impl IdentifierList {
    /// Identifiers are cut at 4 GiB.
    pub(crate) fn push(&mut self, identifier: &str, ordinal: Ordinal) {
        let length = u32::try_from(identifier.len()).unwrap_or(u32::MAX);
        self.entries.push((self.bytes.len(), length, ordinal));
        self.bytes.extend_from_slice(&identifier.as_bytes()[..length as usize]);
    }

    /// Sorts the identifiers, and keeps the one with the lowest ordinal of equal ones. Only then
    /// they can be found. Returns the others.
    pub(crate) fn sort(&mut self) -> Vec<(String, Ordinal)> {
        let Self { bytes, entries } = self;
        let key = |&(start, length, ordinal): &(usize, u32, Ordinal)| (&bytes[range(start, length)], ordinal);
        // Runs that are sorted already, such as those of an earlier generation, are merged.
        entries.sort_by(|left, right| key(left).cmp(&key(right)));
        let mut others = Vec::new();
        entries.dedup_by(|next, kept| {
            let is_other = key(next).0 == key(kept).0;
            if is_other {
                others.push((String::from_utf8_lossy(key(next).0).into_owned(), next.2));
            }
            is_other
        });
        others
    }

    /// Returns the list of the identifiers that have an ordinal in another generation.
    pub(crate) fn renumbered(mut self, ordinal_of: impl Fn(Ordinal) -> Option<Ordinal>) -> Self {
        self.entries.retain_mut(|(_, _, ordinal)| {
            let renumbered = ordinal_of(*ordinal);
            *ordinal = renumbered.unwrap_or_default();
            renumbered.is_some()
        });
        self
    }

    pub(crate) fn find(&self, identifier: &str) -> Option<Ordinal> {
        let position = self
            .entries
            .binary_search_by(|&(start, length, _)| self.bytes[range(start, length)].cmp(identifier.as_bytes()));
        position.ok().map(|position| self.entries[position].2)
    }

    /// Returns the ordinals of the named resources that are found, ascending, each once.
    pub(crate) fn find_all<'a>(&self, named: impl Iterator<Item = &'a (String, String)>) -> Vec<Ordinal> {
        let mut ordinals: Vec<_> = named.filter_map(|(_, identifier)| self.find(identifier)).collect();
        ordinals.sort_unstable();
        ordinals.dedup();
        ordinals
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], Ordinal)> {
        self.entries.iter().map(|&(start, length, ordinal)| (&self.bytes[range(start, length)], ordinal))
    }
}

fn range(start: usize, length: u32) -> Range<usize> {
    start..start + length as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_ones_stays() {
        let mut list = IdentifierList::default();
        for (ordinal, identifier) in ["b", "", "ab", "b", "a", ""].into_iter().enumerate() {
            list.push(identifier, u32::try_from(ordinal).expect("small"));
        }
        list.sort();
        assert_eq!(list.iter().collect::<Vec<_>>(), [(&b""[..], 1), (b"a", 4), (b"ab", 2), (b"b", 0)]);
        assert_eq!(
            [list.find("b"), list.find("ab"), list.find("abc"), list.find("")],
            [Some(0), Some(2), None, Some(1)]
        );
    }
}
