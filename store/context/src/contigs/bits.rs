//! Numbers of any number of bits, the lowest first.

/// Appends bits. The last byte ends with zeros.
pub(super) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// The number of unused bits of the last byte.
    num_free: u32,
}

/// Takes bits from the beginning of bytes. The rest of the last byte is passed over.
pub(super) struct BitReader<'a, 'b> {
    bytes: &'a mut &'b [u8],
    last: u8,
    num_left: u32,
}

/// The numbers of bits that a number may take, ascending. Two bits choose among them.
pub(super) type Widths = [u32; 4];

const CHOICE_BITS: u32 = 2;

impl<'a> BitWriter<'a> {
    pub(super) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes, num_free: 0 }
    }

    pub(super) fn put(&mut self, mut value: u64, mut num_bits: u32) {
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

    pub(super) fn put_flag(&mut self, flag: bool) {
        self.put(flag.into(), 1);
    }

    /// Appends a number in the fewest bits. The last width must be enough for it.
    pub(super) fn put_number(&mut self, value: u64, widths: Widths) {
        let [first, second, third, last] = widths.map(|width| width >= u64::BITS - value.leading_zeros());
        debug_assert!(last, "{value} has too many bits");
        let choice = if first { 0 } else { 3 - u64::from(second) - u64::from(third) };
        self.put(choice, CHOICE_BITS);
        self.put(value, widths[usize::from(choice.to_le_bytes()[0])]);
    }

    /// Appends a number that is short near zero.
    pub(super) fn put_signed(&mut self, value: i64, widths: Widths) {
        self.put_number(((value << 1) ^ (value >> 63)).cast_unsigned(), widths);
    }
}

impl<'a, 'b> BitReader<'a, 'b> {
    pub(super) fn new(bytes: &'a mut &'b [u8]) -> Self {
        Self { bytes, last: 0, num_left: 0 }
    }

    pub(super) fn take(&mut self, num_bits: u32) -> Option<u64> {
        let last = u64::from(self.last) >> (u8::BITS - self.num_left);
        if num_bits <= self.num_left {
            self.num_left -= num_bits;
            return Some(last & ((1 << num_bits) - 1));
        }
        let num_more = num_bits - self.num_left;
        let num_bytes = num_more.div_ceil(u8::BITS);
        let (taken, rest) = self.bytes.split_at_checked(usize::try_from(num_bytes).ok()?)?;
        // One read of a word is quicker than several of bytes.
        let word = match self.bytes.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => taken.iter().rev().fold(0, |word, byte| word << u8::BITS | u64::from(*byte)),
        };
        let value = last | (word & (u64::MAX >> (u64::BITS - num_more))) << self.num_left;
        (self.last, self.num_left) = (*taken.last()?, num_bytes * u8::BITS - num_more);
        *self.bytes = rest;
        Some(value)
    }

    pub(super) fn take_flag(&mut self) -> Option<bool> {
        Some(self.take(1)? == 1)
    }

    pub(super) fn take_number(&mut self, widths: Widths) -> Option<u64> {
        let choice = usize::try_from(self.take(CHOICE_BITS)?).ok()?;
        self.take(widths[choice])
    }

    pub(super) fn take_signed(&mut self, widths: Widths) -> Option<i64> {
        let value = self.take_number(widths)?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WIDTHS: Widths = [0, 5, 17, 64];

    proptest! {
        #[test]
        fn numbers_round_trip(numbers in prop::collection::vec((any::<u64>(), 0..64_u32, any::<i64>()), 0..20)) {
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            for &(value, shift, signed) in &numbers {
                writer.put(value >> shift, 64 - shift);
                writer.put_number(value >> shift, WIDTHS);
                writer.put_flag(value % 2 == 1);
                writer.put_signed(signed >> shift, WIDTHS);
            }
            let mut rest = &*bytes;
            let mut reader = BitReader::new(&mut rest);
            for &(value, shift, signed) in &numbers {
                prop_assert_eq!(reader.take(64 - shift), Some(value >> shift));
                prop_assert_eq!(reader.take_number(WIDTHS), Some(value >> shift));
                prop_assert_eq!(reader.take_flag(), Some(value % 2 == 1));
                prop_assert_eq!(reader.take_signed(WIDTHS), Some(signed >> shift));
            }
            prop_assert_eq!(reader.take(8), None);
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        for (value, num_bytes) in [(0, 1), (31, 1), (32, 3), (1 << 16, 3), (1 << 17, 9)] {
            let mut bytes = Vec::new();
            BitWriter::new(&mut bytes).put_number(value, WIDTHS);
            assert_eq!(bytes.len(), num_bytes, "{value}");
        }
    }
}
