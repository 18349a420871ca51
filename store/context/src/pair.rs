//! Pairs of numbers.

use store::Result;

use crate::bits::{BitReader, BitWriter, Widths};
use crate::pages::{Before, Entry, Key, Pages};

/// The widths of the difference from the first number before it, and of the second number.
const FIRST: Widths = [0, 1, 2, 3, 5, 7, 14, 56];
const SECOND: Widths = [8, 14, 18, 22, 24, 26, 34, 56];

/// Two numbers below 2^56. Pairs ascend by the first one, then by the second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair(pub(crate) u64, pub(crate) u64);

impl Pair {
    /// Returns a number for the pair.
    pub(crate) fn fingerprint(self) -> u64 {
        let mut hash = (self.0 ^ self.1.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^ hash >> 32
    }
}

impl Pages<Pair> {
    /// Reads the whole file like [`Pages::verify`], and returns the sum of numbers for its pairs:
    /// the sums of different sets practically always differ.
    pub(crate) fn sum(&self) -> Result<u64> {
        let mut sum = 0_u64;
        self.verify(|pair| {
            sum = sum.wrapping_add(pair.fingerprint());
            Ok(())
        })?;
        Ok(sum)
    }
}

impl Entry for Pair {
    fn key(&self) -> Key {
        (self.0, self.1)
    }

    fn write(&self, before: Before<'_, Self>, bits: &mut BitWriter) {
        let (first, second) = before.key();
        let base = if self.0 == first { second } else { 0 };
        bits.put_numbers([self.0 - first, self.1 - base], [FIRST, SECOND]);
    }

    #[inline]
    fn read(before: Before<'_, Self>, bits: &mut BitReader<'_>) -> Option<Self> {
        let (first, second) = before.key();
        let [difference, rest] = bits.take_numbers([FIRST, SECOND])?;
        let base = if difference == 0 { second } else { 0 };
        Some(Self(first.checked_add(difference)?, base.checked_add(rest)?))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = u64> {
        (0..1_u64 << 56, 0..56_u32).prop_map(|(number, shift)| number >> shift)
    }

    proptest! {
        #[test]
        fn pairs_round_trip(pairs in prop::collection::btree_set((number(), number()), 1..20)) {
            let pairs: Vec<_> = pairs.into_iter().map(|(first, second)| Pair(first, second)).collect();
            let start = Before::Page((pairs[0].0, 0));
            let mut bits = BitWriter::default();
            for (place, pair) in pairs.iter().enumerate() {
                pair.write(place.checked_sub(1).map_or(start, |last| Before::Entry(&pairs[last])), &mut bits);
            }
            let mut reader = BitReader::new(bits.bytes());
            let mut read: Vec<Pair> = Vec::new();
            for _ in &pairs {
                let before = read.last().map_or(start, Before::Entry);
                read.push(Pair::read(before, &mut reader).expect("just written"));
            }
            prop_assert_eq!(read, pairs);
        }

        #[test]
        fn other_bytes_are_no_panic(bytes: Vec<u8>, first in number(), second in number()) {
            let _ = Pair::read(Before::Entry(&Pair(first, second)), &mut BitReader::new(&bytes));
        }
    }

    #[test]
    fn a_pair_takes_five_bytes() {
        let mut bits = BitWriter::default();
        Pair(11_200_000_007, 11_200_000_000).write(Before::Page((11_200_000_000, 0)), &mut bits);
        assert_eq!(bits.num_bits(), 43);
    }
}
