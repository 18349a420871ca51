//! Integers of variable length: seven bits a byte, the lowest first, the top bit set on all bytes
//! but the last.

/// Appends an integer.
#[inline]
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Appends an integer that is short near zero.
#[inline]
pub fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_varint(out, unsigned(value));
}

/// Reads an integer that [`put_varint`] has written, or returns `None` if the bytes have none.
#[inline]
pub fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = *bytes.split_off_first()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Reads an integer that [`put_signed`] has written, or returns `None` if the bytes have none.
#[inline]
pub fn take_signed(bytes: &mut &[u8]) -> Option<i64> {
    take_varint(bytes).map(signed)
}

/// Returns a number that is small if the integer is near zero.
pub const fn unsigned(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// Returns the integer of which [`unsigned`] returns the number.
pub const fn signed(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn integers_round_trip(value: u64, signed: i64) {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            put_signed(&mut out, signed);
            let mut bytes = &*out;
            prop_assert_eq!(take_varint(&mut bytes), Some(value));
            prop_assert_eq!(take_signed(&mut bytes), Some(signed));
            prop_assert_eq!(take_varint(&mut bytes), None);
        }
    }
}
