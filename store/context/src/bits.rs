//! Numbers of any number of bits, one after another, the lowest bits first.

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

/// The numbers of bits that a number may take, ascending. Three bits choose among them.
pub type Widths = [u32; 8];

const CHOICE_BITS: u32 = 3;

/// Wherever it begins in a byte, a number of as many bits is in one word.
const WORD_BITS: u32 = u64::BITS - u8::BITS;

impl BitWriter {
    /// Appends the lowest bits of a number, whose other bits are zeros.
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

    /// Appends a bit.
    pub fn put_flag(&mut self, flag: bool) {
        self.put(flag.into(), 1);
    }

    /// Appends a number in the fewest bits. The last width must be enough for it.
    pub fn put_number(&mut self, value: u64, widths: Widths) {
        let num_bits = u64::BITS - value.leading_zeros();
        let choice = widths.iter().take_while(|width| **width < num_bits).count();
        debug_assert!(choice < widths.len(), "{value} has too many bits");
        self.put(choice as u64, CHOICE_BITS);
        self.put(value, widths[choice]);
    }

    /// Appends a number that is short near zero.
    pub fn put_signed(&mut self, value: i64, widths: Widths) {
        self.put_number(((value << 1) ^ (value >> 63)).cast_unsigned(), widths);
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
        self.num_free = (u8::BITS - (num_bits % 8) as u32) % u8::BITS;
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
        if num_bits > WORD_BITS {
            let low = self.take(u32::BITS)?;
            return Some(low | self.take(num_bits - u32::BITS)? << u32::BITS);
        }
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

    /// Takes a bit.
    #[inline]
    pub fn take_flag(&mut self) -> Option<bool> {
        Some(self.take(1)? == 1)
    }

    /// Takes a number that [`BitWriter::put_number`] has written.
    #[inline]
    pub fn take_number(&mut self, widths: Widths) -> Option<u64> {
        let choice = self.take(CHOICE_BITS)?.to_le_bytes()[0];
        self.take(widths[usize::from(choice)])
    }

    /// Takes a number that [`BitWriter::put_signed`] has written.
    #[inline]
    pub fn take_signed(&mut self, widths: Widths) -> Option<i64> {
        let value = self.take_number(widths)?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
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

    const WIDTHS: Widths = [0, 5, 10, 17, 25, 33, 57, 64];

    proptest! {
        #[test]
        fn numbers_round_trip(numbers in prop::collection::vec((any::<u64>(), 0..64_u32, any::<i64>()), 0..20)) {
            let mut writer = BitWriter::default();
            for &(value, shift, signed) in &numbers {
                writer.put(value >> shift, 64 - shift);
                writer.put_number(value >> shift, WIDTHS);
                writer.put_flag(value % 2 == 1);
                // What does not fit is taken back.
                let num_bits = writer.num_bits();
                writer.put_signed(signed, WIDTHS);
                writer.truncate(num_bits);
                writer.put_signed(signed >> shift, WIDTHS);
                if value % 5 == 0 {
                    writer.bytes().extend([7, 8]);
                }
            }
            let mut reader = BitReader::new(writer.bytes());
            for &(value, shift, signed) in &numbers {
                prop_assert_eq!(reader.take(64 - shift), Some(value >> shift));
                prop_assert_eq!(reader.take_number(WIDTHS), Some(value >> shift));
                prop_assert_eq!(reader.take_flag(), Some(value % 2 == 1));
                prop_assert_eq!(reader.take_signed(WIDTHS), Some(signed >> shift));
                if value % 5 == 0 {
                    prop_assert_eq!(reader.take_bytes(|bytes| bytes.split_off(..2)), Some(&[7, 8][..]));
                }
            }
            prop_assert_eq!(reader.take(8), None);
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        for (value, num_bits) in [(0, 3), (31, 8), (32, 13), (1 << 16, 20), (1 << 33, 60), (u64::MAX, 67)] {
            let mut writer = BitWriter::default();
            writer.put_number(value, WIDTHS);
            assert_eq!(writer.num_bits(), num_bits, "{value}");
        }
    }
}
