//! Times as the two versions write them.

/// Returns a time of version 1, without a time zone and with microseconds if there is a fraction:
/// `2019-10-03T09:03:04.832000` for `2019-10-03T09:03:04.832Z`.
pub(super) fn naive_time(time: &str) -> String {
    let naive = time.strip_suffix('Z').unwrap_or(time);
    match naive.split_once('.') {
        Some((seconds, fraction)) => format!("{seconds}.{fraction:0<6}"),
        None => naive.to_owned(),
    }
}

/// Returns a time of version 2, with milliseconds if there is a fraction.
pub(super) fn zoned_time(time: &str) -> String {
    match time.split_once('.') {
        Some((seconds, fraction)) => format!("{seconds}.{:0<3}Z", fraction.get(..3).unwrap_or(fraction)),
        None => format!("{time}Z"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_converted_between_versions() {
        for (naive, zoned) in [
            ("2019-10-03T09:03:04", "2019-10-03T09:03:04Z"),
            ("2019-10-03T09:03:04.832000", "2019-10-03T09:03:04.832Z"),
            ("2019-10-03T09:03:04.000000", "2019-10-03T09:03:04.000Z"),
        ] {
            assert_eq!((naive_time(zoned), zoned_time(naive)), (naive.to_owned(), zoned.to_owned()));
        }
        assert_eq!(zoned_time("2019-10-03T09:03:04.832999"), "2019-10-03T09:03:04.832Z");
    }
}
