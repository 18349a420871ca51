//! Ranges of numbers with round ends.

/// The powers of ten that are tried as widths, one after another.
const DECADES: i32 = 4;

/// Returns the ends of ranges of one round width (1, 2 or 5 times a power of ten). The ranges are
/// as few as possible for the two numbers, and at most `num_max`. If there are no such ranges,
/// returns one from the least number to the greatest.
pub(super) fn round_ends(min: f64, max: f64, num_max: usize) -> Vec<f64> {
    let whole = || vec![min, max];
    let span = max - min;
    if span <= 0.0 {
        return ends(1.0, 0, min, max, num_max).unwrap_or_else(whole);
    }
    #[expect(clippy::cast_precision_loss, reason = "a few ranges")]
    let least_width = span / num_max as f64;
    if !least_width.is_finite() {
        return whole();
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most a few hundred")]
    let first = least_width.log10().floor() as i32;
    for exponent in first..first + DECADES {
        for digit in [1.0, 2.0, 5.0] {
            if let Some(ends) = ends(digit, exponent, min, max, num_max) {
                return ends;
            }
        }
    }
    whole()
}

/// Returns the ends of ranges whose width is a digit times a power of ten, unless there are too
/// many or they are not distinct.
fn ends(digit: f64, exponent: i32, min: f64, max: f64, num_max: usize) -> Option<Vec<f64>> {
    let power = 10_f64.powi(exponent.abs());
    // A quotient of whole numbers is the number that people write.
    let end = |place: f64| if exponent < 0 { place * digit / power } else { place * digit * power };
    let place = |number: f64| (if exponent < 0 { number * power / digit } else { number / (digit * power) }).floor();
    let (first, last) = (place(min), place(max));
    #[expect(clippy::cast_precision_loss, reason = "a few ranges")]
    let num_ranges = (last - first + 1.0).min(num_max as f64 + 1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few ranges")]
    let num_ranges = num_ranges as usize;
    if num_ranges > num_max {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few ranges")]
    let ends: Vec<f64> = (0..=num_ranges).map(|number| end(first + number as f64) + 0.0).collect();
    let (all_from, all_to) = (ends.first()?, ends.last()?);
    let are_sound = ends.is_sorted_by(|left, right| left < right) && *all_from <= min && max < *all_to;
    are_sound.then_some(ends)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ends_are_round() {
        for (min, max, num_max, expected) in [
            (0.0, 10.0, 10, &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0][..]),
            (0.0, 9.9, 10, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]),
            (-3.5, 12.0, 5, &[-5.0, 0.0, 5.0, 10.0, 15.0]),
            (0.3, 0.75, 5, &[0.3, 0.4, 0.5, 0.6, 0.7, 0.8]),
            (1990.0, 2016.0, 10, &[1990.0, 1995.0, 2000.0, 2005.0, 2010.0, 2015.0, 2020.0]),
            (5.0, 5.0, 10, &[5.0, 6.0]),
            (0.25, 0.25, 10, &[0.0, 1.0]),
            (1e300, 1e300, 10, &[1e300, 1e300]),
            (-1.0, 1.0, 1, &[-1.0, 1.0]),
            (f64::MIN, f64::MAX, 10, &[f64::MIN, f64::MAX]),
        ] {
            assert_eq!(round_ends(min, max, num_max), expected, "{min} {max} {num_max}");
        }
    }

    proptest! {
        #[test]
        fn all_numbers_are_within_ascending_ranges(min: f64, max: f64, small in -50.0..50.0, span in 0.0..1e4, num_max in 1_usize..100) {
            for (min, max) in [(min, max), (small, small + span)] {
                if !min.is_finite() || !max.is_finite() || min > max {
                    continue;
                }
                let ends = round_ends(min, max, num_max);
                prop_assert!(ends.len() >= 2 && ends.len() <= num_max + 1);
                prop_assert!(ends[0] <= min && max <= ends[ends.len() - 1] && ends.is_sorted());
            }
        }
    }
}
