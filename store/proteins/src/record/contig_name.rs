//! Names of contigs: assemblers use a few patterns with some numbers, as in
//! `.233518-NODE-783534-length-1148-cov-5.0000`.
//!
//! ```text
//! tag 0                    raw: length (varint), bytes
//! tag 1                    pattern of its own: length (varint), bytes, then the numbers
//! tag of a known pattern   the numbers
//! number                   no leading zero: value * 2 (varint); otherwise (value * 32 + digits) * 2 + 1 (varint)
//! ```
//!
//! In a pattern of its own, bytes from 0x80 are known pieces. Part of the record format.

use super::bytes::{Bytes, RecordError, put_varint};

/// Represents a number in a pattern. Names that contain it are stored raw.
const NUMBER: u8 = b'#';

const RAW: u64 = 0;
const OWN_PATTERN: u64 = 1;
const FIRST_PATTERN: u64 = 2;

/// The position is part of the record format: only append.
const PATTERNS: [&[u8]; 16] = [
    b"",
    b".#",
    b"_#",
    b".#-NODE-#-length-#-cov-#.#",
    b".#-NODE-#-length-#-cov-#",
    b".#-k#-#",
    b".#-contig-#-#",
    b".#-scaffold-#-#",
    b".#-#",
    b"-#",
    b"NODE_#_length_#_cov_#.#",
    b"NODE-#-length-#-cov-#.#",
    b"k#_#",
    b"contig_#",
    b"scaffold_#",
    b".#-NODE-#-length-#-cov-#.#-ID-#",
];

/// Pieces of other patterns, longest first. The position is part of the record format: only append.
const PIECES: [&[u8]; 12] = [
    b"-length-#-cov-#.#",
    b"_length_#_cov_#.#",
    b"-length-#",
    b"_length_#",
    b"-contig-",
    b"_contig_",
    b"scaffold",
    b"-NODE-",
    b"NODE_",
    b"-cov-#",
    b"-R#",
    b"-k#-",
];

const FIRST_PIECE: u8 = 0x80;

/// The most digits of a number that fits into 64 bits in both forms.
const DIGITS_MAX: usize = 17;

const DIGIT_BITS: u32 = 5;

struct Number {
    value: u64,
    /// The number of digits, if there are leading zeros.
    padded_digits: Option<u64>,
}

pub(super) fn put_contig_name(out: &mut Vec<u8>, name: &str) {
    let Some((pattern, numbers)) = split(name.as_bytes()) else { return put_raw(out, name) };
    if let Some(tag) = (FIRST_PATTERN..).zip(PATTERNS).find(|(_, known)| *known == pattern).map(|(tag, _)| tag) {
        put_varint(out, tag);
        return put_numbers(out, &numbers);
    }
    let start = out.len();
    put_varint(out, OWN_PATTERN);
    let pieces = fold(&pattern);
    put_varint(out, pieces.len() as u64);
    out.extend(pieces);
    put_numbers(out, &numbers);
    if out.len() - start > name.len() + 2 {
        out.truncate(start);
        put_raw(out, name);
    }
}

pub(super) fn take_contig_name(bytes: &mut Bytes<'_>) -> Result<String, RecordError> {
    let unfolded;
    let pattern = match bytes.varint()? {
        RAW => {
            let length = bytes.length()?;
            return bytes.text(length);
        }
        OWN_PATTERN => {
            let length = bytes.length()?;
            unfolded = unfold(bytes.take(length)?)?;
            &*unfolded
        }
        tag => {
            let position = usize::try_from(tag - FIRST_PATTERN).map_err(|_| RecordError::Short)?;
            *PATTERNS.get(position).ok_or(RecordError::Value("the pattern of a contig name"))?
        }
    };
    let mut name = String::with_capacity(pattern.len() + DIGITS_MAX);
    for &byte in pattern {
        match byte {
            NUMBER => take_number(bytes, &mut name)?,
            other if other.is_ascii() => name.push(char::from(other)),
            _ => return Err(RecordError::Value("the pattern of a contig name")),
        }
    }
    Ok(name)
}

/// Splits a name into its pattern and its numbers, or returns `None` if it must be stored raw.
fn split(name: &[u8]) -> Option<(Vec<u8>, Vec<Number>)> {
    let (mut pattern, mut numbers) = (Vec::with_capacity(name.len()), Vec::new());
    let mut rest = name;
    while let Some(&byte) = rest.first() {
        let num_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if num_digits == 0 {
            if byte == NUMBER || !byte.is_ascii() {
                return None;
            }
            pattern.push(byte);
            rest = &rest[1..];
            continue;
        }
        if num_digits > DIGITS_MAX {
            return None;
        }
        let value = rest[..num_digits].iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
        let padded_digits = (byte == b'0' && num_digits > 1).then_some(num_digits as u64);
        numbers.push(Number { value, padded_digits });
        pattern.push(NUMBER);
        rest = &rest[num_digits..];
    }
    Some((pattern, numbers))
}

fn put_raw(out: &mut Vec<u8>, name: &str) {
    put_varint(out, RAW);
    put_varint(out, name.len() as u64);
    out.extend(name.as_bytes());
}

fn put_numbers(out: &mut Vec<u8>, numbers: &[Number]) {
    for number in numbers {
        match number.padded_digits {
            None => put_varint(out, number.value << 1),
            Some(digits) => put_varint(out, (number.value << DIGIT_BITS | digits) << 1 | 1),
        }
    }
}

fn take_number(bytes: &mut Bytes<'_>, name: &mut String) -> Result<(), RecordError> {
    use std::fmt::Write;

    let coded = bytes.varint()?;
    let written = if coded & 1 == 0 {
        write!(name, "{}", coded >> 1)
    } else {
        let num_digits = usize::from((coded >> 1).to_le_bytes()[0] & ((1 << DIGIT_BITS) - 1));
        write!(name, "{:0num_digits$}", coded >> (DIGIT_BITS + 1))
    };
    written.map_err(|_| RecordError::Value("a number in a contig name"))
}

fn fold(pattern: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(&byte) = rest.first() {
        let piece = (FIRST_PIECE..).zip(PIECES).find(|(_, piece)| rest.starts_with(piece));
        let (code, length) = piece.map_or((byte, 1), |(code, piece)| (code, piece.len()));
        folded.push(code);
        rest = &rest[length..];
    }
    folded
}

fn unfold(folded: &[u8]) -> Result<Vec<u8>, RecordError> {
    let mut pattern = Vec::with_capacity(2 * folded.len());
    for &byte in folded {
        match byte.checked_sub(FIRST_PIECE) {
            None => pattern.push(byte),
            Some(position) => {
                let piece = PIECES.get(usize::from(position)).ok_or(RecordError::Value("a piece of a contig name"))?;
                pattern.extend(*piece);
            }
        }
    }
    Ok(pattern)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn round_trip(name: &str) -> (usize, String) {
        let mut out = Vec::new();
        put_contig_name(&mut out, name);
        let mut bytes = Bytes(&out);
        let read = take_contig_name(&mut bytes).expect("just written");
        assert!(bytes.0.is_empty());
        (out.len(), read)
    }

    #[test]
    fn names_of_assemblers_are_short_and_others_are_kept() {
        for (name, size_bytes) in [
            (".233518-NODE-783534-length-1148-cov-5.0000", 12),
            (".995-Hain-H52-01um-R1-995-length-27177-cov-30.626650", 34),
            (".1234-k141-56789", 8),
            ("", 1),
            ("#1", 4),
            ("contig é 7", 13),
            ("00000000000000000000000000000000000001", 40),
            ("0", 5),
            ("007", 6),
        ] {
            let (found, read) = round_trip(name);
            assert_eq!(read, name);
            assert!(found <= size_bytes, "{name}: {found} bytes");
        }
    }

    #[test]
    fn the_bytes_of_format_2_never_change() {
        for (name, bytes) in [
            (".7-NODE-9-length-300-cov-5.0625", &b"\x05\x0e\x12\xd8\x04\x0a\xc9\xb8\x02"[..]),
            (".1-k141-2", b"\x07\x02\x9a\x02\x04"),
            (".1-S2-length-300-cov-5.5", b"\x01\x06.#-S#\x80\x02\x04\xd8\x04\x0a\x0a"),
            ("é#", b"\x00\x03\xc3\xa9#"),
        ] {
            let mut out = Vec::new();
            put_contig_name(&mut out, name);
            assert_eq!(out, bytes, "{name}");
        }
    }

    #[test]
    fn damaged_names_are_errors() {
        for bytes in [&[9, 0][..], &[99], &[1, 1, 0xff], &[1, 9, b'#'], &[0, 2, 0xff, 0xff], &[]] {
            assert!(take_contig_name(&mut Bytes(bytes)).is_err(), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn names_round_trip(name in "(\\.?[0-9]{0,20}|-NODE-|-length-|-cov-|_length_|-k|\\.|[A-Za-z#_-]{0,5}|\\PC{0,3}){0,8}") {
            let (size_bytes, read) = round_trip(&name);
            prop_assert_eq!(&read, &name);
            prop_assert!(size_bytes <= name.len() + 3);
        }
    }
}
