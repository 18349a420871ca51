//! Drawing from given distributions with precomputed tables.

use crate::random::Random;

const RESIDUES: &[u8; 21] = b"ACDEFGHIKLMNPQRSTVWYX";

/// The frequencies of the residues in 10,000 real representatives, in hundreds. `X`, which is
/// rarer, is rounded up.
const RESIDUE_WEIGHTS: [u16; 21] =
    [1146, 277, 754, 915, 661, 947, 304, 938, 941, 1311, 347, 697, 598, 490, 890, 1078, 875, 947, 165, 532, 84];

/// Random bits for one residue.
const RESIDUE_BITS: u32 = 12;

/// Quantiles of the lengths of 10,000 real representatives, and the lengths.
const QUANTILES: [f64; 11] = [0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0];
const LENGTHS_AA: [f64; 11] = [20.0, 23.0, 34.0, 61.0, 106.0, 185.0, 282.0, 383.0, 770.0, 2083.0, 3737.0];

/// The number of different quantiles that are drawn.
const NUM_LENGTHS: u32 = 1 << 16;

/// Draws an index by weight, in constant time: Vose's alias method.
pub(crate) struct Draw {
    /// For each index, its own share of its slot in 32 bits, and the index that has the rest of the
    /// slot.
    slots: Vec<(u32, u32)>,
}

impl Draw {
    /// # Panics
    ///
    /// * There are no weights.
    pub(crate) fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut weights: Vec<f64> = weights.into_iter().collect();
        assert!(!weights.is_empty(), "at least one weight");
        let num = u32::try_from(weights.len()).expect("few weights");
        let mean = weights.iter().sum::<f64>() / f64::from(num);
        let mut slots: Vec<_> = (0..num).map(|index| (u32::MAX, index)).collect();
        let (mut small, mut large): (Vec<u32>, Vec<u32>) = (0..num).partition(|&index| weights[index as usize] < mean);
        while let (Some(&donor), Some(receiver)) = (large.last(), small.pop()) {
            let own = weights[receiver as usize] / mean;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 32 bits")]
            let threshold = (own * f64::from(u32::MAX)) as u32;
            slots[receiver as usize] = (threshold, donor);
            weights[donor as usize] -= mean - weights[receiver as usize];
            if weights[donor as usize] < mean {
                large.pop();
                small.push(donor);
            }
        }
        Self { slots }
    }

    pub(crate) fn pick(&self, random: &mut Random) -> usize {
        let bits = random.bits();
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        let fraction = bits as u32;
        let slot = ((bits >> 32) as usize * self.slots.len()) >> 32;
        let (threshold, alias) = self.slots[slot];
        if fraction <= threshold { slot } else { alias as usize }
    }
}

/// Draws the length of a protein. Between two known quantiles, its logarithm is linear.
pub(crate) fn length_aa(random: &mut Random) -> u32 {
    length_at((f64::from(random.small(NUM_LENGTHS)) + 0.5) / f64::from(NUM_LENGTHS))
}

fn length_at(quantile: f64) -> u32 {
    let upper = QUANTILES.partition_point(|&known| known <= quantile);
    let lower = upper - 1;
    let share = (quantile - QUANTILES[lower]) / (QUANTILES[upper] - QUANTILES[lower]);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 20 and 3736")]
    let length_aa = (LENGTHS_AA[lower] * (LENGTHS_AA[upper] / LENGTHS_AA[lower]).powf(share)) as u32;
    length_aa
}

pub(crate) struct Residues(Vec<u8>);

impl Residues {
    pub(crate) fn new() -> Self {
        let num_entries = 1 << RESIDUE_BITS;
        let total: u32 = RESIDUE_WEIGHTS.iter().copied().map(u32::from).sum();
        let mut letters = Vec::with_capacity(num_entries as usize);
        let mut sum = 0;
        for (&letter, weight) in RESIDUES.iter().zip(RESIDUE_WEIGHTS) {
            sum += u32::from(weight);
            letters.resize((sum * num_entries / total) as usize, letter);
        }
        Self(letters)
    }

    pub(crate) fn fill(&self, random: &mut Random, length_aa: u32, sequence: &mut String) {
        let mut letters = std::mem::take(sequence).into_bytes();
        letters.clear();
        let mut left = length_aa as usize;
        while left > 0 {
            let mut bits = random.bits();
            let num = left.min((u64::BITS / RESIDUE_BITS) as usize);
            for _ in 0..num {
                letters.push(self.0[(bits & ((1 << RESIDUE_BITS) - 1)) as usize]);
                bits >>= RESIDUE_BITS;
            }
            left -= num;
        }
        *sequence = String::from_utf8(letters).expect("residues are letters");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_weights() {
        let draw = Draw::new([1.0, 0.0, 6.0, 3.0]);
        let mut random = Random::new(1, 1);
        let mut drawn = [0_u32; 4];
        for _ in 0..10_000 {
            drawn[draw.pick(&mut random)] += 1;
        }
        assert!((900..1100).contains(&drawn[0]) && (5800..6200).contains(&drawn[2]), "{drawn:?}");
        assert!(drawn[1] == 0 && (2850..3150).contains(&drawn[3]), "{drawn:?}");
    }

    #[test]
    fn lengths_have_the_real_quantiles() {
        assert!((0..1000).map(|thousandth| length_at(f64::from(thousandth) / 1000.0)).is_sorted());
        assert_eq!([0.0, 0.25, 0.5, 0.9, 1.0 - 1e-9].map(length_at), [20, 61, 106, 282, 3736]);
    }

    #[test]
    fn residues_are_letters() {
        let residues = Residues::new();
        let mut sequence = "old".to_owned();
        residues.fill(&mut Random::new(1, 1), 5003, &mut sequence);
        assert_eq!(sequence.len(), 5003);
        assert!(sequence.bytes().all(|letter| RESIDUES.contains(&letter)));
        let num_unknown = sequence.bytes().filter(|&letter| letter == b'X').count();
        assert!((5..60).contains(&num_unknown), "{num_unknown}");
    }
}
