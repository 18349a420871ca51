//! Coordinates as archives and sheets write them.

/// The letters of the two directions of a coordinate, and its maximum in degrees.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    positive: char,
    negative: char,
    degrees_max: f64,
}

pub(crate) const LATITUDE: Axis = Axis { positive: 'N', negative: 'S', degrees_max: 90.0 };
pub(crate) const LONGITUDE: Axis = Axis { positive: 'E', negative: 'W', degrees_max: 180.0 };

/// Reads degrees: `-12.5`, `12.5 S`, `12.5°S`, `12° 30' S`, `12° 30' 0" S`.
pub(crate) fn degrees(text: &str, axis: Axis) -> Option<f64> {
    let text = text.trim();
    let directions = [axis.positive, axis.negative].map(|letter| [letter, letter.to_ascii_lowercase()]);
    let with_letter = |letters: [char; 2]| text.strip_suffix(letters).or_else(|| text.strip_prefix(letters));
    let (number, sign) = match directions.map(with_letter) {
        [Some(rest), _] => (rest, Some(1.0)),
        [_, Some(rest)] => (rest, Some(-1.0)),
        _ => (text, None),
    };
    let parts = number.split(['°', '\'', '′', '’', '"', '″', ' ']).filter(|part| !part.is_empty());
    let parts: Vec<f64> = parts.map(str::parse).collect::<Result<_, _>>().ok()?;
    let (number, are_sound) = match (&*parts, sign) {
        (&[number], None) => (number, true),
        (&[degrees], Some(sign)) => (sign * degrees, degrees >= 0.0),
        (&[degrees, ref rest @ ..], Some(sign)) if rest.len() <= 2 => {
            let minutes = rest[0] + rest.get(1).unwrap_or(&0.0) / 60.0;
            (sign * (degrees + minutes / 60.0), degrees >= 0.0 && rest.iter().all(|part| (0.0..60.0).contains(part)))
        }
        _ => return None,
    };
    Some(number).filter(|number| are_sound && number.abs() <= axis.degrees_max)
}

/// Reads latitude and longitude in one text: `12.50 N 7.00 E`, `12.5, 7`, `12.5 7`.
pub(crate) fn both_degrees(text: &str) -> Option<(f64, f64)> {
    let text = text.trim();
    let at = match text.find(['N', 'S', 'n', 's']) {
        // The letter may stand in front of both.
        Some(0) => text.find(['E', 'W', 'e', 'w'])?,
        Some(letter) => letter + 1,
        None => text.find([',', ';', ' '])?,
    };
    let (latitude, longitude) = text.split_at(at);
    let is_between = |letter: char| letter.is_whitespace() || [',', ';'].contains(&letter);
    Some((
        degrees(latitude.trim_end_matches(is_between), LATITUDE)?,
        degrees(longitude.trim_start_matches(is_between), LONGITUDE)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_have_signs_or_letters() {
        for (text, expected) in [
            ("12.5", 12.5),
            ("-12.5", -12.5),
            (" 12.5 N", 12.5),
            ("12.5S", -12.5),
            ("s 12.5", -12.5),
            ("12.5°S", -12.5),
            ("12° 30' S", -12.5),
            ("12°30′36″N", 12.51),
        ] {
            let read = degrees(text, LATITUDE).unwrap_or(f64::NAN);
            assert!((read - expected).abs() < 1e-9, "{text}: {read}");
        }
        for text in ["", "N", "north", "-12 S", "12.5 E", "90.5", "12° 60' N", "12 30", "NaN", "46,9", "1 2 3 4 N"] {
            assert_eq!(degrees(text, LATITUDE), None, "{text}");
        }
    }

    #[test]
    fn letters_or_order_distinguish_both_coordinates() {
        for text in
            ["12.50 N 7.00 W", "12.5, -7", "12.5 -7.0", "12.5N,7W", "N 12.5 W 7", "12° 30' N 7° 0' W", "12.5; -7"]
        {
            assert_eq!(both_degrees(text), Some((12.5, -7.0)), "{text}");
        }
        for text in ["", "12.5", "12.5 N", "7 E 12.5 N", "Norway", "not collected", "95 N 7 E"] {
            assert_eq!(both_degrees(text), None, "{text}");
        }
    }
}
