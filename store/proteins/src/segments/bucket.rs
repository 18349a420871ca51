//! Buckets of numbers. Each is a term of the index, so that a range is a union of terms, and only
//! the numbers in its first and last bucket have to be read. Displayed ranges are coarser, between
//! powers of two: 0, 1, 2 and 3, 4 to 7, and so on. The index has four buckets for each of these.

use std::ops::RangeInclusive;

/// Buckets of one kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buckets {
    /// The binary logarithm of the number of buckets of each power of two, which has fewer if it
    /// has fewer numbers.
    parts: u32,
    /// The last bucket has all higher numbers, too.
    last: u8,
}

/// Clusters of 2^20 proteins and more are in one bucket.
pub(crate) const SIZE_BUCKETS: Buckets = Buckets::until(20, 2);
pub(crate) const SIZE_RANGES: Buckets = Buckets::until(20, 0);

/// Proteins of 2^15 residues and more are in one bucket.
pub(crate) const LENGTH_BUCKETS: Buckets = Buckets::until(15, 2);
pub(crate) const LENGTH_RANGES: Buckets = Buckets::until(15, 0);

impl Buckets {
    /// Makes buckets whose last one begins at a power of two.
    const fn until(power: u8, parts: u8) -> Self {
        Self { parts: parts as u32, last: (power - parts + 1) << parts }
    }

    /// Returns the bucket of a number.
    pub(crate) fn of(self, number: u64) -> u8 {
        // The power of two, and the first bits below it.
        let bucket = match number.checked_ilog2() {
            Some(power) if power >= self.parts => {
                let shift = power - self.parts;
                (u64::from(shift) << self.parts) + (number >> shift)
            }
            _ => number,
        };
        u8::try_from(bucket).map_or(self.last, |bucket| bucket.min(self.last))
    }

    /// Returns the buckets that a range overlaps.
    pub(crate) fn touched(self, range: &RangeInclusive<u64>) -> RangeInclusive<u8> {
        self.of(*range.start())..=self.of(*range.end())
    }

    /// Returns whether a range contains a bucket.
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
        let start_of = |bucket: u8| match (bucket >> self.parts).checked_sub(1) {
            Some(shift) => u64::from(bucket - (shift << self.parts)) << shift,
            None => bucket.into(),
        };
        start_of(bucket)..=if bucket == self.last { u64::MAX } else { start_of(bucket + 1) - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_its_bucket() {
        let ranges = Buckets::until(3, 0);
        let numbers = [0, 1, 2, 3, 4, 7, 8, 15, 16, u64::MAX];
        assert_eq!(numbers.map(|number| ranges.of(number)), [0, 1, 2, 2, 3, 3, 4, 4, 4, 4]);
        let inside = |range| (0..=4).filter(|&bucket| ranges.is_inside(bucket, &range)).collect::<Vec<_>>();
        assert_eq!(inside(0..=u64::MAX), [0, 1, 2, 3, 4]);
        assert_eq!(inside(0..=u64::MAX - 1), [0, 1, 2, 3]);
        assert_eq!(inside(1..=6), [1, 2]);
        assert_eq!(inside(3..=7), [3]);
        assert_eq!(ranges.touched(&(3..=100)), 2..=4);
        let buckets = Buckets::until(5, 2);
        let numbers = [0, 3, 4, 7, 8, 9, 10, 16, 19, 20, 31, 32, 39, u64::MAX];
        assert_eq!(numbers.map(|number| buckets.of(number)), [0, 3, 4, 7, 8, 8, 9, 12, 12, 13, 15, 16, 16, 16]);
    }

    #[test]
    fn buckets_follow_one_another() {
        for buckets in [SIZE_BUCKETS, SIZE_RANGES, LENGTH_BUCKETS, LENGTH_RANGES] {
            let mut next = Some(0);
            for (bucket, numbers) in (0..).zip(buckets.ranges()) {
                assert_eq!(next, Some(*numbers.start()));
                assert_eq!([*numbers.start(), *numbers.end()].map(|number| buckets.of(number)), [bucket; 2]);
                next = numbers.end().checked_add(1);
            }
            assert_eq!(next, None);
        }
    }
}
