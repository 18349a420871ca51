//! Bits whose n-th one is found at once.

use std::ops::Range;

use fixedbitset::{Block, FixedBitSet};

/// How many words of bits have one count.
const GROUP_WORDS: usize = 8;

/// Bits that do not change any more, with counts of those that are set.
#[derive(Debug)]
pub(super) struct RankedBits {
    /// The bits.
    bits: FixedBitSet,
    /// How many are set before each group of words.
    before: Vec<u32>,
    /// How many are set.
    num_ones: usize,
}

impl RankedBits {
    /// Counts the bits. There are at most 2^32.
    pub(super) fn new(bits: FixedBitSet) -> Self {
        let mut num_ones = 0;
        let before = bits
            .as_slice()
            .chunks(GROUP_WORDS)
            .map(|group| {
                let before = u32::try_from(num_ones).unwrap_or(u32::MAX);
                num_ones += group.iter().map(|word| word.count_ones() as usize).sum::<usize>();
                before
            })
            .collect();
        Self { bits, before, num_ones }
    }

    /// Returns how many are set.
    pub(super) fn num_ones(&self) -> usize {
        self.num_ones
    }

    /// Returns where the n-th to the m-th of those stand that are set, 0-based and without the m-th.
    pub(super) fn ones(&self, numbers: Range<usize>) -> impl Iterator<Item = usize> {
        let group = self.before.partition_point(|&before| before as usize <= numbers.start).saturating_sub(1);
        let skipped = numbers.start - self.before.get(group).map_or(0, |&before| before as usize);
        let words = self.bits.as_slice().iter().enumerate().skip(group * GROUP_WORDS);
        words
            .flat_map(|(number, &word)| Ones { word, offset: number * Block::BITS as usize })
            .skip(skipped)
            .take(numbers.len())
    }

    /// Returns how much memory they take.
    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(self.bits.as_slice()) + size_of_val::<[u32]>(&self.before)
    }
}

/// Where the bits of a word stand that are set.
struct Ones {
    /// The bits that are still to come.
    word: Block,
    /// Where the word begins.
    offset: usize,
}

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.word == 0 {
            return None;
        }
        let position = self.offset + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(position)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_are_those_of_the_whole(bits in proptest::collection::vec(any::<bool>(), 0..3000), start in 0..1500_usize, length in 0..99_usize) {
            let set: FixedBitSet = bits.iter().enumerate().filter(|&(_, &bit)| bit).map(|(position, _)| position).collect();
            let all: Vec<usize> = set.ones().collect();
            let ranked = RankedBits::new(set);
            prop_assert_eq!(ranked.num_ones(), all.len());
            let (start, end) = (start.min(all.len()), (start + length).min(all.len()));
            prop_assert_eq!(ranked.ones(start..end).collect::<Vec<_>>(), &all[start..end]);
            prop_assert_eq!(ranked.ones(0..all.len()).collect::<Vec<_>>(), all);
        }
    }
}
