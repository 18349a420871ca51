//! A protein and another one of its cluster.

use crate::pages::{Before, Entry, Key};
use crate::varint::{put_varint, take_varint};

/// A representative and one of its members, or a member and its representative: two numbers of
/// accessions. Its first byte has the difference from the first number before it, and what the
/// second number has above 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair(pub(super) u64, pub(super) u64);

/// From this value on, half of the first byte has this value, and the rest follows.
const HALF_MAX: u64 = 15;

impl Entry for Pair {
    fn key(&self) -> Key {
        (self.0, self.1)
    }

    fn write(&self, before: Before<'_, Self>, bytes: &mut Vec<u8>) {
        let halves = [self.0 - before.key().0, self.1 >> u32::BITS];
        let [low, high] = halves.map(|half| half.min(HALF_MAX).to_le_bytes()[0]);
        bytes.push(high << 4 | low);
        bytes.extend(&self.1.to_le_bytes()[..4]);
        for half in halves.into_iter().filter(|half| *half >= HALF_MAX) {
            put_varint(bytes, half - HALF_MAX);
        }
    }

    fn read(before: Before<'_, Self>, bytes: &mut &[u8]) -> Option<Self> {
        let first = *bytes.split_off_first()?;
        let low_bits = u32::from_le_bytes(*bytes.split_off(..4)?.first_chunk()?);
        let mut rest = |half: u8| match u64::from(half) {
            HALF_MAX => take_varint(bytes)?.checked_add(HALF_MAX),
            half => Some(half),
        };
        let [difference, high_bits] = [rest(first & 0x0f)?, rest(first >> 4)?];
        let high_bits = u32::try_from(high_bits).ok()?;
        Some(Self(before.key().0.checked_add(difference)?, u64::from(high_bits) << u32::BITS | u64::from(low_bits)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pairs_round_trip(before: u64, first: u64, second: u64, shift in 0..64_u32) {
            let (before, pair) = (Before::Page((before.min(first), 0)), Pair(before.max(first), second >> shift));
            let mut written = Vec::new();
            pair.write(before, &mut written);
            let mut bytes = &*written;
            prop_assert_eq!(Pair::read(before, &mut bytes), Some(pair));
            prop_assert!(bytes.is_empty());
            prop_assert_eq!(Pair::read(before, &mut &written[..written.len() - 1]), None);
        }
    }

    #[test]
    fn a_pair_takes_five_bytes() {
        let mut bytes = Vec::new();
        Pair(11_200_000_014, 11_200_000_000).write(Before::Page((11_200_000_000, 0)), &mut bytes);
        assert_eq!(bytes.len(), 5);
    }
}
