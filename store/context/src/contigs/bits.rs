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
        let (mut value, mut num_taken) = (0, 0);
        while num_taken < num_bits {
            if self.num_left == 0 {
                (self.last, self.num_left) = (*self.bytes.split_off_first()?, u8::BITS);
            }
            let num_more = (num_bits - num_taken).min(self.num_left);
            let bits = u64::from(self.last) >> (u8::BITS - self.num_left) & ((1 << num_more) - 1);
            value |= bits << num_taken;
            (num_taken, self.num_left) = (num_taken + num_more, self.num_left - num_more);
        }
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
