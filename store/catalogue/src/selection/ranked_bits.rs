//! A set of bits that finds its n-th one quickly.

use std::ops::Range;

use fixedbitset::{Block, FixedBitSet};

const GROUP_WORDS: usize = 8;

#[derive(Debug)]
pub(crate) struct RankedBits {
    bits: FixedBitSet,
    /// The number of ones before each group of words.
    before: Vec<u32>,
    num_ones: usize,
}

impl RankedBits {
    /// Counts the bits, of which there are at most 2^32.
    pub(crate) fn new(bits: FixedBitSet) -> Self {
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

    pub(crate) fn num_ones(&self) -> usize {
        self.num_ones
    }

    /// Returns the positions of the ones from the n-th to the m-th, 0-based, without the m-th.
    pub(crate) fn ones(&self, numbers: Range<usize>) -> impl Iterator<Item = usize> {
        let group = self.before.partition_point(|&before| before as usize <= numbers.start).saturating_sub(1);
        let skipped = numbers.start - self.before.get(group).map_or(0, |&before| before as usize);
        let words = self.bits.as_slice().iter().enumerate().skip(group * GROUP_WORDS);
        words.flat_map(|(number, &word)| ones(word, number * Block::BITS as usize)).skip(skipped).take(numbers.len())
    }

    pub(crate) fn size_bytes(&self) -> usize {
        size_of_val(self.bits.as_slice()) + size_of_val::<[u32]>(&self.before)
    }
}

fn ones(mut word: Block, offset: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = (word != 0).then(|| offset + word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        position
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_match_the_whole(bits in proptest::collection::vec(any::<bool>(), 0..3000), start in 0..1500_usize, length in 0..99_usize) {
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
