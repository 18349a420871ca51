//! Expectation values and scores in the most compact form that restores the same double.
//!
//! Scores of a release are widened 32-bit floats (`76.21484375`), portal rows have short decimals
//! (`7.5e-8`). Both have a short form. All other doubles are stored in full, such as the
//! expectation values of the release of July 2026.

use super::bytes::{Bytes, RecordError, put_signed, put_varint};

#[derive(Clone, Copy)]
enum Form {
    /// The value is exactly this 32-bit float: 4 bytes.
    Single(f32),
    /// The value is the double nearest to `digits` · 10^`exponent`: two integers.
    Decimal { digits: u64, exponent: i64 },
    /// Any other value: 8 bytes.
    Double,
}

/// Decimals below this are shorter than the other forms: their digits fit into a varint of four
/// bytes.
const DIGITS_END: u64 = 1 << 28;

/// Appends two numbers after one byte with their forms.
pub(super) fn put_pair(out: &mut Vec<u8>, pair: [f64; 2]) {
    let forms = pair.map(shortest_form);
    let [first, second] = forms.map(Form::tag);
    out.push(first << 4 | second);
    for (value, form) in pair.into_iter().zip(forms) {
        match form {
            Form::Single(single) => out.extend(single.to_le_bytes()),
            Form::Decimal { digits, exponent } => {
                put_varint(out, digits);
                put_signed(out, exponent);
            }
            Form::Double => out.extend(value.to_le_bytes()),
        }
    }
}

pub(super) fn take_pair(bytes: &mut Bytes<'_>) -> Result<[f64; 2], RecordError> {
    let tags = bytes.byte()?;
    Ok([take(bytes, tags >> 4)?, take(bytes, tags & 0x0f)?])
}

fn take(bytes: &mut Bytes<'_>, tag: u8) -> Result<f64, RecordError> {
    match tag {
        0 => {
            let bytes = bytes.take(4)?.try_into().map_err(|_| RecordError::Short)?;
            Ok(f64::from(f32::from_le_bytes(bytes)))
        }
        1 => {
            let digits = bytes.varint()?;
            decimal(digits, bytes.signed()?).ok_or(RecordError::Value("a decimal number"))
        }
        2 => {
            let bytes = bytes.take(8)?.try_into().map_err(|_| RecordError::Short)?;
            Ok(f64::from_le_bytes(bytes))
        }
        _ => Err(RecordError::Value("the form of a number")),
    }
}

impl Form {
    const fn tag(self) -> u8 {
        match self {
            Self::Single(_) => 0,
            Self::Decimal { .. } => 1,
            Self::Double => 2,
        }
    }
}

/// Returns the shortest form that restores the same bits.
fn shortest_form(value: f64) -> Form {
    if let Some((digits, exponent)) = short_decimal(value) {
        return Form::Decimal { digits, exponent };
    }
    #[expect(clippy::cast_possible_truncation, reason = "kept only where the narrow float is exactly the value")]
    let single = value as f32;
    if f64::from(single).to_bits() == value.to_bits() { Form::Single(single) } else { Form::Double }
}

/// Returns whether a value is close to a decimal of at most nine digits. Printing would be exact,
/// but takes ten times as long, and most expectation values of a release have all digits of a
/// double.
fn may_be_short(value: f64) -> bool {
    /// Greater powers of ten are not exact enough, or not even doubles.
    const EXPONENT_MAX: f64 = 280.0;
    /// A value of nine digits is at most 10^9 when scaled. There a double has six digits after the
    /// point.
    const TOLERANCE: f64 = 1e-4;

    let exponent = value.log10().floor();
    if exponent.abs() > EXPONENT_MAX {
        return true;
    }
    let scaled = value * 10_f64.powf(8.0 - exponent);
    (scaled - scaled.round()).abs() < TOLERANCE
}

/// Returns digits and exponent of a value that prints as a short decimal.
fn short_decimal(value: f64) -> Option<(u64, i64)> {
    if !value.is_finite() || value.is_sign_negative() || !may_be_short(value) {
        return None;
    }
    let printed = format!("{value:e}");
    let (mantissa, exponent) = printed.split_once('e')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
    let exponent = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()?;
    let exact = digits < DIGITS_END && decimal(digits, exponent)?.to_bits() == value.to_bits();
    exact.then_some((digits, exponent))
}

/// Returns the double nearest to `digits` · 10^`exponent`.
fn decimal(digits: u64, exponent: i64) -> Option<f64> {
    /// The powers of ten that are exact doubles.
    const EXACT_POWERS: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ];
    if let Ok(digits) = u32::try_from(digits)
        && let Some(power) = exponent.checked_neg().and_then(|power| EXACT_POWERS.get(usize::try_from(power).ok()?))
    {
        // Both operands are exact, so that the division rounds once and correctly.
        return Some(f64::from(digits) / power);
    }
    format!("{digits}e{exponent}").parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn round_trip(pair: [f64; 2]) -> (usize, [u64; 2]) {
        let mut out = Vec::new();
        put_pair(&mut out, pair);
        let mut bytes = Bytes(&out);
        let read = take_pair(&mut bytes).expect("just written");
        assert!(bytes.0.is_empty());
        (out.len(), read.map(f64::to_bits))
    }

    #[test]
    fn real_values_are_short() {
        // A portal row, then a row of the release of July 2026.
        for (pair, size_bytes) in [([7.5e-8, 39.0], 5), ([5.812_243_921_018_791e-19, 76.214_843_75], 13)] {
            assert_eq!(round_trip(pair), (size_bytes, pair.map(f64::to_bits)), "{pair:?}");
        }
    }

    proptest! {
        #[test]
        fn short_decimals_never_count_as_long(digits in 0_u64..DIGITS_END, exponent in -320_i64..300) {
            let value: f64 = format!("{digits}e{exponent}").parse().expect("a number");
            prop_assert!(may_be_short(value), "{digits}e{exponent}");
        }

        #[test]
        fn every_double_round_trips(first: u64, second: f32, digits in 0_u64..1_000_000_000, exponent in -330_i64..300) {
            let decimal: f64 = format!("{digits}e{exponent}").parse().expect("a number");
            for pair in [[f64::from_bits(first), f64::from(second)], [decimal, -decimal]] {
                prop_assert_eq!(round_trip(pair).1, pair.map(f64::to_bits));
            }
        }
    }
}
