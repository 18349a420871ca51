//! The resources of a type in an order that is not the default one.

use crate::Ordinal;

/// Set in an entry whose value equals the previous one.
pub(crate) const TIED: u32 = 1 << 31;

/// The most resources of a generation, so that [`TIED`] is free.
pub(crate) const ORDINALS_MAX: u32 = TIED;

#[derive(Debug)]
pub(crate) struct Permutation {
    /// Ordinals, some with [`TIED`].
    entries: Box<[u32]>,
}

impl Permutation {
    pub(crate) fn from_entries(entries: Vec<u32>) -> Self {
        Self { entries: entries.into() }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn ordinal(&self, position: usize) -> Ordinal {
        self.entries[position] & !TIED
    }

    pub(crate) fn ordinals(&self) -> impl ExactSizeIterator<Item = Ordinal> {
        self.entries.iter().map(|entry| entry & !TIED)
    }

    /// Returns the rank of each resource, by ordinal minus `first`, the first of the type. Equal
    /// values have equal ranks; the ranks follow the direction of the permutation and have no gaps.
    fn ranks(&self, first: Ordinal) -> Vec<u32> {
        let mut ranks = vec![0; self.len()];
        let mut rank = 0;
        for (position, &entry) in self.entries.iter().enumerate() {
            if position > 0 && entry & TIED == 0 {
                rank += 1;
            }
            ranks[((entry & !TIED) - first) as usize] = rank;
        }
        ranks
    }

    /// Sorts by a more significant field of the same type, stably and in linear time.
    pub(crate) fn sorted_by(&self, significant: &Self, first: Ordinal) -> Self {
        let ranks = significant.ranks(first);
        let num_ranks = ranks.iter().max().map_or(0, |&rank| rank as usize + 1);
        // The next place of each rank.
        let mut starts = vec![0_usize; num_ranks + 1];
        for &rank in &ranks {
            starts[rank as usize + 1] += 1;
        }
        for rank in 0..num_ranks {
            starts[rank + 1] += starts[rank];
        }
        let mut entries = vec![0; self.len()];
        for ordinal in self.ordinals() {
            let start = &mut starts[ranks[(ordinal - first) as usize] as usize];
            entries[*start] = ordinal;
            *start += 1;
        }
        Self::from_entries(entries)
    }

    pub(crate) fn is_of(&self, first: Ordinal, num_resources: u32) -> bool {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(num_resources as usize);
        let is_new = |ordinal: Ordinal| {
            let row = ordinal.wrapping_sub(first) as usize;
            row < seen.len() && !seen.put(row)
        };
        self.len() == num_resources as usize && self.ordinals().all(is_new)
    }
}
