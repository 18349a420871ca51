//! Variable-length integers: seven bits a byte, the lowest first, the top bit set on all bytes but the last.

use super::codec::RecordError;

/// Appends an integer.
pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Appends a signed integer; those near zero are short.
pub(super) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_varint(out, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

/// The unread rest of a record.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    /// Takes the next `length` bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], RecordError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(RecordError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    /// Takes the next byte.
    pub(super) fn byte(&mut self) -> Result<u8, RecordError> {
        let (&byte, rest) = self.0.split_first().ok_or(RecordError::Short)?;
        self.0 = rest;
        Ok(byte)
    }

    /// Takes an integer.
    pub(super) fn varint(&mut self) -> Result<u64, RecordError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(RecordError::Value("an integer of more than 64 bits"))
    }

    /// Takes an integer of at most 32 bits.
    pub(super) fn varint_u32(&mut self) -> Result<u32, RecordError> {
        u32::try_from(self.varint()?).map_err(|_| RecordError::Value("an integer of more than 32 bits"))
    }

    /// Takes the number of elements of a list. Every element takes at least one byte, so that a damaged number cannot ask for
    /// more memory than the record itself has.
    pub(super) fn length(&mut self) -> Result<usize, RecordError> {
        match usize::try_from(self.varint()?) {
            Ok(length) if length <= self.0.len() => Ok(length),
            _ => Err(RecordError::Short),
        }
    }

    /// Takes a signed integer.
    pub(super) fn signed(&mut self) -> Result<i64, RecordError> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn integers_come_back(value: u64, signed: i64) {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            put_signed(&mut out, signed);
            let mut bytes = Bytes(&out);
            prop_assert_eq!(bytes.varint(), Ok(value));
            prop_assert_eq!(bytes.signed(), Ok(signed));
            prop_assert!(bytes.0.is_empty());
        }
    }
}
