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
//! In a pattern of its own, bytes from 0x80 are known pieces. Part of the formats of records and of
//! contigs.

use crate::varint::{put_varint, signed, take_varint, unsigned};

/// Represents a number in a pattern. Names that contain it are stored raw.
const NUMBER: u8 = b'#';

const RAW: u64 = 0;
const OWN_PATTERN: u64 = 1;
const FIRST_PATTERN: u64 = 2;

/// The position is part of the formats: only append.
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

/// Pieces of other patterns, longest first. The position is part of the formats: only append.
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

/// The codes of the numbers of a name that has the pattern of the name before it. The code is in
/// the lowest bits.
const WHOLE: u64 = 0;
const LENGTH: u64 = 1;
const FIRST: u64 = 2;
const DIFFERENCE: u64 = 3;
const CODE_BITS: u32 = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Number {
    value: u64,
    /// The number of digits, if there are leading zeros.
    padded_digits: Option<u64>,
}

impl Number {
    const fn plain(value: u64) -> Self {
        Self { value, padded_digits: None }
    }

    const fn coded(self) -> u64 {
        match self.padded_digits {
            None => self.value << 1,
            Some(digits) => (self.value << DIGIT_BITS | digits) << 1 | 1,
        }
    }

    const fn of_coded(coded: u64) -> Self {
        if coded & 1 == 0 {
            return Self::plain(coded >> 1);
        }
        let digits = (coded >> 1) & ((1 << DIGIT_BITS) - 1);
        Self { value: coded >> (DIGIT_BITS + 1), padded_digits: Some(digits) }
    }

    fn write(self, name: &mut String) {
        use std::fmt::Write;

        let num_digits = self.padded_digits.map_or(0, |digits| usize::from(digits.to_le_bytes()[0]));
        // Writing into memory does not fail.
        let _ = write!(name, "{:0num_digits$}", self.value);
    }
}

/// Appends a name.
pub fn put_contig_name(out: &mut Vec<u8>, name: &str) {
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

/// Reads a name that [`put_contig_name`] has written, or returns `None` if the bytes have none.
pub fn take_contig_name(bytes: &mut &[u8]) -> Option<String> {
    let unfolded;
    let pattern = match take_varint(bytes)? {
        RAW => return String::from_utf8(take_bytes(bytes)?.to_owned()).ok(),
        OWN_PATTERN => {
            unfolded = unfold(take_bytes(bytes)?)?;
            &*unfolded
        }
        tag => *PATTERNS.get(usize::try_from(tag - FIRST_PATTERN).ok()?)?,
    };
    filled(pattern, || take_varint(bytes).map(Number::of_coded))
}

/// Appends a name as numbers alone if it has the pattern of another name, and returns whether it
/// has. Numbers that are the length of the contig, or the first number of the name, take a byte.
pub fn put_similar_name(out: &mut Vec<u8>, name: &str, before: &str, length: u32) -> bool {
    let (Some((pattern, numbers)), Some((known, befores))) = (split(name.as_bytes()), split(before.as_bytes())) else {
        return false;
    };
    if pattern != known || numbers.iter().any(|number| number.coded() >> (u64::BITS - CODE_BITS) != 0) {
        return false;
    }
    for (index, (number, before)) in numbers.iter().zip(befores).enumerate() {
        let code = if *number == Number::plain(length.into()) {
            LENGTH
        } else if index > 0 && *number == numbers[0] {
            FIRST
        } else {
            let difference = number.value.cast_signed() - before.value.cast_signed();
            let difference = unsigned(difference) << CODE_BITS | DIFFERENCE;
            let whole = number.coded() << CODE_BITS | WHOLE;
            if number.padded_digits == before.padded_digits { whole.min(difference) } else { whole }
        };
        put_varint(out, code);
    }
    true
}

/// Reads a name that [`put_similar_name`] has written after the same one.
pub fn take_similar_name(bytes: &mut &[u8], before: &str, length: u32) -> Option<String> {
    let (pattern, befores) = split(before.as_bytes())?;
    let (mut befores, mut first) = (befores.into_iter(), None);
    filled(&pattern, || {
        let (code, before) = (take_varint(bytes)?, befores.next()?);
        let rest = code >> CODE_BITS;
        let number = match code & ((1 << CODE_BITS) - 1) {
            LENGTH => Number::plain(length.into()),
            FIRST => first?,
            DIFFERENCE => Number { value: before.value.checked_add_signed(signed(rest))?, ..before },
            _ => Number::of_coded(rest),
        };
        first.get_or_insert(number);
        Some(number)
    })
}

/// Returns a pattern with numbers.
fn filled(pattern: &[u8], mut next: impl FnMut() -> Option<Number>) -> Option<String> {
    let mut name = String::with_capacity(pattern.len() + DIGITS_MAX);
    for &byte in pattern {
        match byte {
            NUMBER => next()?.write(&mut name),
            other if other.is_ascii() => name.push(char::from(other)),
            _ => return None,
        }
    }
    Some(name)
}

fn take_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_varint(bytes)?).ok()?;
    bytes.split_off(..length)
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
        put_varint(out, number.coded());
    }
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

fn unfold(folded: &[u8]) -> Option<Vec<u8>> {
    let mut pattern = Vec::with_capacity(2 * folded.len());
    for &byte in folded {
        match byte.checked_sub(FIRST_PIECE) {
            None => pattern.push(byte),
            Some(position) => pattern.extend(*PIECES.get(usize::from(position))?),
        }
    }
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn round_trip(name: &str) -> (usize, String) {
        let mut out = Vec::new();
        put_contig_name(&mut out, name);
        let mut bytes = &*out;
        let read = take_contig_name(&mut bytes).expect("just written");
        assert!(bytes.is_empty());
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
            assert_eq!(take_contig_name(&mut &*bytes), None, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn names_round_trip(name in "(\\.?[0-9]{0,20}|-NODE-|-length-|-cov-|_length_|-k|\\.|[A-Za-z#_-]{0,5}|\\PC{0,3}){0,8}") {
            let (size_bytes, read) = round_trip(&name);
            prop_assert_eq!(&read, &name);
            prop_assert!(size_bytes <= name.len() + 3);
        }

        #[test]
        fn similar_names_round_trip(numbers: [u32; 4], others: [u32; 4], zeros in 0..3_usize, length in 0..4_usize) {
            let name = |[a, b, c, d]: [u32; 4]| format!("N-{a:0zeros$}_{b}-{c}.{d}");
            let (before, name, length) = (name(others), name([numbers[0], numbers[0], numbers[1], numbers[2]]), numbers[length]);
            let mut out = Vec::new();
            prop_assert!(put_similar_name(&mut out, &name, &before, length));
            let mut bytes = &*out;
            prop_assert_eq!(take_similar_name(&mut bytes, &before, length), Some(name));
            prop_assert!(bytes.is_empty());
            prop_assert!(!put_similar_name(&mut out, "N", &before, length) && out.len() <= 20);
        }
    }
}
