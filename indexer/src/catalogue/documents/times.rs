//! Times and accessions as the two versions spell them.

/// Returns a time of version 1, which has no zone and microseconds if any: `2019-10-03T09:03:04.832000` for `2019-10-03T09:03:04.832Z`.
pub(super) fn naive_time(time: &str) -> String {
    let naive = time.strip_suffix('Z').unwrap_or(time);
    match naive.split_once('.') {
        Some((seconds, fraction)) => format!("{seconds}.{fraction:0<6}"),
        None => naive.to_owned(),
    }
}

/// Returns a time of version 2, with milliseconds if there are any parts of a second.
pub(super) fn zoned_time(time: &str) -> String {
    match time.split_once('.') {
        Some((seconds, fraction)) => format!("{seconds}.{:0<3}Z", fraction.get(..3).unwrap_or(fraction)),
        None => format!("{time}Z"),
    }
}

/// Tells whether a text is an accession of the European Nucleotide Archive or its partners: one of three letters, two others, and digits.
pub(super) fn is_ena(text: &str, letters: &str, num_digits_min: usize) -> bool {
    let Some(rest) = text.strip_prefix(['E', 'D', 'S']) else { return false };
    let digits = rest.strip_prefix(letters).unwrap_or_default();
    digits.len() >= num_digits_min && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_form_of_each_version() {
        for (naive, zoned) in [
            ("2019-10-03T09:03:04", "2019-10-03T09:03:04Z"),
            ("2019-10-03T09:03:04.832000", "2019-10-03T09:03:04.832Z"),
            ("2019-10-03T09:03:04.000000", "2019-10-03T09:03:04.000Z"),
        ] {
            assert_eq!((naive_time(zoned), zoned_time(naive)), (naive.to_owned(), zoned.to_owned()));
        }
        assert_eq!(zoned_time("2019-10-03T09:03:04.832999"), "2019-10-03T09:03:04.832Z");
    }

    #[test]
    fn accessions_are_told_from_other_texts() {
        assert!(is_ena("ERS1", "RS", 1) && is_ena("SRP123456", "RP", 6) && is_ena("DRS01", "RS", 1));
        assert!(!is_ena("SRP12345", "RP", 6) && !is_ena("XRS1", "RS", 1) && !is_ena("ERS", "RS", 0));
        assert!(!is_ena("SAMEA1", "RS", 1) && !is_ena("ERSx", "RS", 1));
    }
}
