//! Buckets of numbers by powers of two: 0, 1, 2 and 3, 4 to 7, and so on. Each is a term of the index, so that a range is a union of
//! terms, and only the numbers in its first and last bucket have to be looked at.

use std::ops::RangeInclusive;

/// Buckets of one kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buckets {
    /// The last bucket has all higher numbers, too.
    last: u8,
}

/// Clusters of 2^20 proteins and more are in one bucket.
pub(crate) const SIZE_BUCKETS: Buckets = Buckets { last: 21 };

/// Proteins of 2^15 residues and more are in one bucket.
pub(crate) const LENGTH_BUCKETS: Buckets = Buckets { last: 16 };

impl Buckets {
    /// Returns the bucket of a number.
    pub(crate) fn of(self, number: u64) -> u8 {
        u8::try_from(u64::BITS - number.leading_zeros()).map_or(self.last, |bucket| bucket.min(self.last))
    }

    /// Returns the buckets that a range touches.
    pub(crate) fn touched(self, range: &RangeInclusive<u64>) -> RangeInclusive<u8> {
        self.of(*range.start())..=self.of(*range.end())
    }

    /// Returns whether a range has all numbers of a bucket.
    pub(crate) fn is_inside(self, bucket: u8, range: &RangeInclusive<u64>) -> bool {
        let numbers = self.numbers(bucket);
        range.contains(numbers.start()) && range.contains(numbers.end())
    }

    /// Returns the numbers of all buckets, ascending.
    pub(crate) fn ranges(self) -> impl Iterator<Item = RangeInclusive<u64>> {
        (0..=self.last).map(move |bucket| self.numbers(bucket))
    }

    /// Returns the numbers of a bucket.
    pub(crate) fn numbers(self, bucket: u8) -> RangeInclusive<u64> {
        let last = if bucket == self.last { u64::MAX } else { (1 << bucket) - 1 };
        (1_u64 << bucket) >> 1..=last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_bucket_that_has_it() {
        let buckets = Buckets { last: 4 };
        let numbers = [0, 1, 2, 3, 4, 7, 8, 15, 16, u64::MAX];
        assert_eq!(numbers.map(|number| buckets.of(number)), [0, 1, 2, 2, 3, 3, 4, 4, 4, 4]);
        let inside = |range| (0..=4).filter(|&bucket| buckets.is_inside(bucket, &range)).collect::<Vec<_>>();
        assert_eq!(inside(0..=u64::MAX), [0, 1, 2, 3, 4]);
        assert_eq!(inside(0..=u64::MAX - 1), [0, 1, 2, 3]);
        assert_eq!(inside(1..=6), [1, 2]);
        assert_eq!(inside(3..=7), [3]);
        assert_eq!(buckets.touched(&(3..=100)), 2..=4);
    }
}
