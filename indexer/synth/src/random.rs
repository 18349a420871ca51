//! Random numbers that are the same on every machine: each protein, cluster or assembly has its own
//! generator, seeded with its index.

use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// The golden ratio as an odd number, which spreads seeds and indices.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Rounds of a permutation. Four are enough to look random.
const NUM_ROUNDS: usize = 4;

/// The purpose of a draw. Each has its own stream of generators.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    Ids,
    ClusterSizes,
    /// The positions of cluster members among the proteins.
    Members,
    Proteins,
    /// Clusters whose members are left out.
    Clusters,
    Contigs,
    Assemblies,
    Shuffle,
}

impl Purpose {
    pub(crate) const fn stream(self, seed: u64) -> u64 {
        mix(mix(GOLDEN, seed), self as u64)
    }
}

/// Hashes a stream and an index. For one stream, different indices have different hashes.
pub(crate) const fn mix(stream: u64, index: u64) -> u64 {
    // The finalizer of SplitMix64.
    let mut mixed = stream ^ index.wrapping_add(1).wrapping_mul(GOLDEN);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

pub(crate) struct Random(Pcg64Mcg);

impl Random {
    pub(crate) fn new(stream: u64, index: u64) -> Self {
        let high = mix(stream, index);
        Self(Pcg64Mcg::new((u128::from(high) << 64) | u128::from(mix(!stream, high))))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a number below `limit`, or 0 if `limit` is 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// Like [`below`](Self::below), for 32 bits.
    pub(crate) fn small(&mut self, limit: u32) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "below the limit, which has 32 bits")]
        let number = self.below(u64::from(limit)) as u32;
        number
    }

    /// Draws a number in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let number = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        number
    }

    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}

/// The numbers below a limit in random order, without a table: a Feistel network.
pub(crate) struct Permutation {
    num_all: u64,
    half_bits: u32,
    keys: [u64; NUM_ROUNDS],
}

impl Permutation {
    pub(crate) fn new(stream: u64, num_all: u64) -> Self {
        let bits = u64::BITS - num_all.saturating_sub(1).leading_zeros();
        let keys = std::array::from_fn(|round| mix(stream, round as u64));
        Self { num_all, half_bits: bits.div_ceil(2).max(1), keys }
    }

    pub(crate) fn at(&self, position: u64) -> u64 {
        debug_assert!(position < self.num_all, "the position is below the limit");
        let mask = (1 << self.half_bits) - 1;
        let mut number = position;
        loop {
            let (mut left, mut right) = (number >> self.half_bits, number & mask);
            for key in self.keys {
                (left, right) = (right, left ^ (mix(key, right) & mask));
            }
            number = (left << self.half_bits) | right;
            // The network permutes up to the next power of four; a number outside the limit is
            // permuted again until it is inside.
            if number < self.num_all {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_hit_every_number_once() {
        for num_all in [1, 2, 3, 17, 1000, 1024] {
            let permutation = Permutation::new(7, num_all);
            let mut numbers: Vec<_> = (0..num_all).map(|position| permutation.at(position)).collect();
            assert!(num_all < 10 || !numbers.is_sorted());
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..num_all));
        }
    }

    #[test]
    fn numbers_are_the_same_on_every_machine() {
        let mut random = Random::new(Purpose::Proteins.stream(1), 5);
        let drawn = [random.below(1000), random.below(1000), random.below(1000)];
        let mut again = Random::new(Purpose::Proteins.stream(1), 5);
        assert_eq!([again.below(1000), again.below(1000), again.below(1000)], drawn);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
        assert_ne!(mix(1, 2), mix(2, 1));
    }
}
