//! Numbers of any number of bits, one after another, the lowest bits first.

use std::array;

/// Bits that are written.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// The number of unused bits of the last byte, which are zeros.
    num_free: u32,
}

/// Takes bits from the beginning of bytes.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// The number of bits that were taken.
    position: usize,
}

/// The numbers of bits that a number may take, ascending, at most [`NUMBER_BITS_MAX`]. Three bits
/// choose among them.
pub type Widths = [u32; 8];

const CHOICE_BITS: u32 = 3;

/// The most bits of a number: wherever it begins in a byte, it is in one word.
pub const NUMBER_BITS_MAX: u32 = u64::BITS - u8::BITS;

impl BitWriter {
    /// Appends the lowest bits of a number, whose other bits are zeros.
    #[inline]
    pub fn put(&mut self, mut value: u64, mut num_bits: u32) {
        while num_bits > 0 {
            if self.num_free == 0 {
                self.bytes.push(0);
                self.num_free = u8::BITS;
            }
            let num_taken = num_bits.min(self.num_free);
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value & ((1 << num_taken) - 1)) << (u8::BITS - self.num_free)).to_le_bytes()[0];
            }
            value >>= num_taken;
            (num_bits, self.num_free) = (num_bits - num_taken, self.num_free - num_taken);
        }
    }

    /// Appends numbers, each in the fewest of its widths, of which the last one must be enough. All
    /// widths come first.
    pub fn put_numbers<const N: usize>(&mut self, numbers: [u64; N], widths: [Widths; N]) {
        let choices: [usize; N] = array::from_fn(|place| {
            let num_bits = u64::BITS - numbers[place].leading_zeros();
            widths[place].iter().take_while(|width| **width < num_bits).count()
        });
        for choice in choices {
            self.put(choice as u64, CHOICE_BITS);
        }
        for place in 0..N {
            self.put(numbers[place], widths[place][choices[place]]);
        }
    }

    /// Returns the bytes with all bits. Bytes that are appended begin a new byte.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        self.num_free = 0;
        &mut self.bytes
    }

    /// Returns the number of bits.
    pub fn num_bits(&self) -> usize {
        self.bytes.len() * 8 - self.num_free as usize
    }

    /// Removes all bits but the first `num_bits`.
    pub fn truncate(&mut self, num_bits: usize) {
        self.bytes.truncate(num_bits.div_ceil(8));
        self.num_free = u32::from(num_bits.wrapping_neg().to_le_bytes()[0]) % u8::BITS;
        if let Some(last) = self.bytes.last_mut() {
            *last &= u8::MAX >> self.num_free;
        }
    }
}

impl<'a> BitReader<'a> {
    /// Begins with the first bit of some bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Takes a number that [`BitWriter::put`] has written, or returns `None` if there are fewer
    /// bits. So it is for all functions here.
    #[inline]
    pub fn take(&mut self, num_bits: u32) -> Option<u64> {
        let rest = self.bytes.get(self.position / 8..)?;
        // One read of a word is quicker than several of bytes.
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => rest.iter().rev().fold(0, |word, byte| word << u8::BITS | u64::from(*byte)),
        };
        let value = word >> (self.position % 8) & ((1 << num_bits) - 1);
        self.position += num_bits as usize;
        (self.position <= 8 * self.bytes.len()).then_some(value)
    }

    /// Takes numbers that [`BitWriter::put_numbers`] has written.
    #[inline]
    pub fn take_numbers<const N: usize>(&mut self, widths: [Widths; N]) -> Option<[u64; N]> {
        let mut choices = self.take(CHOICE_BITS * u32::try_from(N).ok()?)?;
        let mut numbers = [0; N];
        for (number, widths) in numbers.iter_mut().zip(widths) {
            *number = self.take(widths[usize::from(choices.to_le_bytes()[0] & 7)])?;
            choices >>= CHOICE_BITS;
        }
        Some(numbers)
    }

    /// Takes from the bytes after the last one of which bits were taken.
    pub fn take_bytes<T>(&mut self, take: impl FnOnce(&mut &'a [u8]) -> Option<T>) -> Option<T> {
        let mut rest = self.bytes.get(self.position.div_ceil(8)..)?;
        let taken = take(&mut rest)?;
        self.position = 8 * (self.bytes.len() - rest.len());
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WIDTHS: [Widths; 2] = [[0, 5, 10, 17, 25, 33, 40, 56], [1, 2, 3, 4, 5, 6, 7, 56]];

    proptest! {
        #[test]
        fn numbers_round_trip(numbers in prop::collection::vec((0..1_u64 << 56, 0..56_u32, any::<bool>()), 0..20)) {
            let mut writer = BitWriter::default();
            for &(number, shift, has_bytes) in &numbers {
                writer.put(number >> shift, 56 - shift);
                // An entry that does not fit is taken back.
                let num_bits = writer.num_bits();
                writer.put_numbers([number], [WIDTHS[0]]);
                writer.truncate(num_bits);
                writer.put_numbers([number >> shift, number >> (56 - shift)], WIDTHS);
                if has_bytes {
                    writer.bytes().extend([7, 8]);
                }
            }
            let mut reader = BitReader::new(writer.bytes());
            for &(number, shift, has_bytes) in &numbers {
                prop_assert_eq!(reader.take(56 - shift), Some(number >> shift));
                prop_assert_eq!(reader.take_numbers(WIDTHS), Some([number >> shift, number >> (56 - shift)]));
                if has_bytes {
                    prop_assert_eq!(reader.take_bytes(|bytes| bytes.split_off(..2)), Some(&[7, 8][..]));
                }
            }
            prop_assert_eq!(reader.take(8), None);
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        for (number, num_bits) in [(0, 3), (31, 8), (32, 13), (1 << 16, 20), (1 << 33, 43), (1 << 55, 59)] {
            let mut writer = BitWriter::default();
            writer.put_numbers([number], [WIDTHS[0]]);
            assert_eq!(writer.num_bits(), num_bits, "{number}");
        }
    }
}
