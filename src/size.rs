//! Sizes on the command line, such as `64M` and `1G`, and in messages.

use std::str::FromStr;

const MEMORY_MIN: Size = Size(64 << 20);

/// A number of bytes. `K`, `M` and `G` are powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits_end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (digits, unit) = text.split_at(digits_end);
        let unit_bytes: usize = match unit.to_ascii_uppercase().as_str() {
            "" => 1,
            "K" => 1 << 10,
            "M" => 1 << 20,
            "G" => 1 << 30,
            _ => return Err(format!("unknown unit {unit:?}: use K, M or G")),
        };
        let number: usize = digits.parse().map_err(|_| "expected a number such as 64M or 1G".to_owned())?;
        number.checked_mul(unit_bytes).map(Self).ok_or_else(|| "too large".to_owned())
    }
}

pub(crate) fn parse_memory(text: &str) -> Result<Size, String> {
    let size: Size = text.parse()?;
    if size.0 < MEMORY_MIN.0 { Err("at least 64M is needed".to_owned()) } else { Ok(size) }
}

/// Returns a number of bytes in decimal megabytes, with one decimal place if it is small.
pub(crate) fn megabytes(num_bytes: u64) -> String {
    match num_bytes / 100_000 {
        tenths @ 0..100 => format!("{}.{} MB", tenths / 10, tenths % 10),
        tenths => format!("{} MB", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sizes_have_one_decimal_place() {
        for (num_bytes, text) in [(929_509, "0.9 MB"), (9_999_999, "9.9 MB"), (12_345_678, "12 MB"), (0, "0.0 MB")] {
            assert_eq!(megabytes(num_bytes), text);
        }
    }

    #[test]
    fn units_are_binary() {
        for (text, size_bytes) in [("0", 0), ("64M", 64 << 20), ("1g", 1 << 30), ("3k", 3072)] {
            assert_eq!(text.parse(), Ok(Size(size_bytes)), "{text}");
        }
        for text in ["", "M", "1T", "1.5G", "-1", "99999999999G", "1 G"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
