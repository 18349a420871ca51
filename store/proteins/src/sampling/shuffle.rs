//! Random orders of many rows that take no memory: a Feistel network on as many bits as the rows
//! have, whose steps are repeated for numbers that are not rows (Black and Rogaway, "Ciphers with
//! arbitrary finite domains", 2002).

/// Each half is mixed three times.
const NUM_ROUNDS: u64 = 6;

/// A random order of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shuffle {
    num_rows: u64,
    seed: u64,
    /// The bits of the two halves of a number.
    low_bits: u32,
    high_bits: u32,
}

impl Shuffle {
    pub(super) fn new(num_rows: u64, seed: u64) -> Self {
        let bits = u64::BITS - num_rows.saturating_sub(1).leading_zeros();
        Self { num_rows, seed, low_bits: bits / 2, high_bits: bits - bits / 2 }
    }

    /// Returns the row at a place of the order. Both are below the number of rows.
    pub(super) fn row(&self, place: u64) -> u64 {
        self.walk(place, |number| (0..NUM_ROUNDS).fold(number, |number, round| self.mix(number, round)))
    }

    /// Returns the place of a row in the order.
    pub(super) fn place(&self, row: u64) -> u64 {
        self.walk(row, |number| (0..NUM_ROUNDS).rev().fold(number, |number, round| self.mix(number, round)))
    }

    fn walk(&self, mut number: u64, step: impl Fn(u64) -> u64) -> u64 {
        loop {
            number = step(number);
            if number < self.num_rows {
                return number;
            }
        }
    }

    /// Changes one half depending on the other. Doing it twice restores it.
    fn mix(&self, number: u64, round: u64) -> u64 {
        let low = number & ((1 << self.low_bits) - 1);
        let high = number >> self.low_bits;
        if round.is_multiple_of(2) {
            let mixed = hash(self.seed, round, high) & ((1 << self.low_bits) - 1);
            number ^ mixed
        } else {
            let mixed = hash(self.seed, round, low) & ((1 << self.high_bits) - 1);
            number ^ (mixed << self.low_bits)
        }
    }
}

/// Returns the number of a seed at a place of a random series.
pub(crate) fn random_number(seed: u64, place: u64) -> u64 {
    hash(seed, 0, place)
}

/// The finalizer of `SplitMix64`, over a half, the seed and the round.
fn hash(seed: u64, round: u64, half: u64) -> u64 {
    let mut mixed = seed.wrapping_add((half << 3 | round).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_row_has_a_place(num_rows in 1_u64..3000, seed: u64) {
            let shuffle = Shuffle::new(num_rows, seed);
            let mut rows: Vec<u64> = (0..num_rows).map(|place| shuffle.row(place)).collect();
            for (place, &row) in (0..).zip(&rows) {
                prop_assert_eq!(shuffle.place(row), place);
            }
            rows.sort_unstable();
            prop_assert!(rows.into_iter().eq(0..num_rows));
        }

        #[test]
        fn rows_of_a_release_have_places(num_rows in 1_u64..10_000_000_000, seed: u64, number: u64) {
            let shuffle = Shuffle::new(num_rows, seed);
            let row = number % num_rows;
            prop_assert!(shuffle.place(row) < num_rows);
            prop_assert_eq!(shuffle.row(shuffle.place(row)), row);
        }
    }
}
