//! The resources of a type in an order other than the default one.

use super::Ordinal;

/// The bit of an entry that says that its value equals that of the entry before.
pub(super) const TIED: u32 = 1 << 31;

/// How many resources there can be, so that [`TIED`] is free.
pub(super) const ORDINALS_MAX: u32 = TIED;

/// All ordinals of a type in an order.
#[derive(Debug)]
pub(super) struct Permutation {
    /// The ordinals, perhaps with [`TIED`].
    entries: Box<[u32]>,
}

impl Permutation {
    /// Takes stored entries.
    pub(super) fn from_entries(entries: Vec<u32>) -> Self {
        Self { entries: entries.into() }
    }

    /// Returns how many there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the ordinal at a position.
    pub(super) fn ordinal(&self, position: usize) -> Ordinal {
        self.entries[position] & !TIED
    }

    /// Returns all ordinals in order.
    pub(super) fn ordinals(&self) -> impl ExactSizeIterator<Item = Ordinal> {
        self.entries.iter().map(|entry| entry & !TIED)
    }

    /// Returns the rank of each resource of the type by its ordinal without that of the first: equal values have equal ranks, ascending
    /// or descending like the permutation, without gaps.
    pub(super) fn ranks(&self, first: Ordinal) -> Vec<u32> {
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

    /// Orders by a weightier field; what is equal in it stays as it is. Both are of one type. The time is linear.
    pub(super) fn sorted_by(&self, weightier: &Self, first: Ordinal) -> Self {
        let ranks = weightier.ranks(first);
        let rank_of = |ordinal: Ordinal| ranks[(ordinal - first) as usize] as usize;
        let num_ranks = ranks.iter().max().map_or(0, |&rank| rank as usize + 1);
        // Where the resources of the next rank begin.
        let mut starts = vec![0_usize; num_ranks + 1];
        for &rank in &ranks {
            starts[rank as usize + 1] += 1;
        }
        for rank in 0..num_ranks {
            starts[rank + 1] += starts[rank];
        }
        let mut entries = vec![0; self.len()];
        for ordinal in self.ordinals() {
            let place = &mut starts[rank_of(ordinal)];
            entries[*place] = ordinal;
            *place += 1;
        }
        Self::from_entries(entries)
    }

    /// Tells whether every ordinal of a type is there, once.
    pub(super) fn is_of(&self, first: Ordinal, num_resources: u32) -> bool {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(num_resources as usize);
        let is_new = |ordinal: Ordinal| {
            let offset = ordinal.wrapping_sub(first) as usize;
            offset < seen.len() && !seen.put(offset)
        };
        self.len() == num_resources as usize && self.ordinals().all(is_new)
    }
}
