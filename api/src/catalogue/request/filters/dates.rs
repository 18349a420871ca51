//! Dates that filters are given, as bounds of the texts that the data have.

use std::ops::Bound;

use time::Date;
use time::macros::format_description;

use super::text::invalid;
use crate::catalogue::problem::CatalogueProblem;

/// The texts between which those are that begin with a digit: all others are no dates.
const DIGITS: (&str, &str) = ("0", ":");

/// The first and the last dates of a range, as far as they are given.
#[derive(Debug, Default)]
pub(in crate::catalogue::request) struct DateBounds {
    pub(super) first: Option<String>,
    pub(super) last: Option<String>,
}

impl DateBounds {
    /// Returns the bounds of texts: not before the first date, and before the last one or beginning with it.
    pub(in crate::catalogue::request) fn of_texts(self) -> (Bound<String>, Bound<String>) {
        let first = self.first.unwrap_or_else(|| DIGITS.0.to_owned());
        let last = self.last.map_or_else(|| DIGITS.1.to_owned(), |date| behind(&date));
        (Bound::Included(first), Bound::Excluded(last))
    }
}

/// Returns the least text behind all that begin with a date, which ends in a digit.
pub(in crate::catalogue::request) fn behind(date: &str) -> String {
    let mut behind = date.to_owned();
    let next = behind.pop().and_then(|last| char::from_u32(u32::from(last) + 1));
    behind.extend(next);
    behind
}

/// Reads a year, a month, a day or a time: `2016`, `2016-03`, `2016-03-05`, `2016-03-05T12`, `…:30`, `…:00`, `….5`, with a blank in place of the
/// `T` and a `Z` at the end or without. Returns it as the data write it, without the `Z`.
pub(in crate::catalogue::request) fn date(parameter: &'static str, value: &str) -> Result<String, CatalogueProblem> {
    let value = value.trim();
    let (date, time) = value.split_once(['T', ' ']).map_or((value, None), |(date, time)| (date, Some(time)));
    let time = time.map(|time| time.strip_suffix('Z').unwrap_or(time));
    let is_right = match time {
        None => is_date(date),
        Some(time) => date.len() == "0000-00-00".len() && is_date(date) && is_time(time),
    };
    let text = time.map_or_else(|| date.to_owned(), |time| format!("{date}T{time}"));
    let detail = "Enter a date such as 2016, 2016-03, 2016-03-05 or 2016-03-05T12:30:00.";
    if is_right { Ok(text) } else { Err(invalid(parameter, detail)) }
}

fn is_date(text: &str) -> bool {
    let rest = match text.len() {
        4 => "-01-01",
        7 => "-01",
        _ => "",
    };
    // The library would also take years with a sign.
    text.starts_with(|first: char| first.is_ascii_digit())
        && Date::parse(&[text, rest].concat(), format_description!("[year]-[month]-[day]")).is_ok()
}

fn is_time(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let has_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let units: Vec<&str> = whole.split(':').collect();
    let fits = |(unit, max): (&&str, u8)| {
        unit.len() == 2 && has_digits(unit) && unit.parse().is_ok_and(|unit: u8| unit <= max)
    };
    units.len() <= 3
        && units.iter().zip([23, 59, 59]).all(fits)
        && fraction.is_none_or(|fraction| units.len() == 3 && has_digits(fraction))
}

#[cfg(test)]
mod tests {
    use std::ops::RangeBounds;

    use super::*;

    fn is_within(text: &str, first: Option<&str>, last: Option<&str>) -> bool {
        let read = |given: Option<&str>| given.map(|given| date("p", given).unwrap());
        DateBounds { first: read(first), last: read(last) }.of_texts().contains(&text.to_owned())
    }

    #[test]
    fn the_last_date_is_within_whole() {
        for (text, first, last, expected) in [
            ("2016-12-31", None, Some("2016"), true),
            ("2017", None, Some("2016"), false),
            ("2016-03-31T23:59:59", None, Some("2016-03"), true),
            ("2016-04", None, Some("2016-03"), false),
            ("2016-03-05T10:00:00", None, Some("2016-03-05"), true),
            ("2016-03-05T10:00:00.832Z", None, Some("2016-03-05 10:00:00"), true),
            ("2016-03-05T10:00:01", None, Some("2016-03-05T10:00:00Z"), false),
            ("2016", Some("2016"), None, true),
            ("2016-01-01", Some("2016"), None, true),
            ("2015-12-31", Some("2016"), None, false),
            // What is known in part stands before all that is within it.
            ("2016-03", Some("2016-03-01"), None, false),
            ("2016-03", None, Some("2016-03-01"), true),
            ("2016-03-02", Some("2016-03-02"), Some("2016-03-02"), true),
            ("missing", Some("2016"), None, false),
            ("", None, Some("2016"), false),
            ("-", None, Some("2016"), false),
        ] {
            assert_eq!(is_within(text, first, last), expected, "{text} {first:?} {last:?}");
        }
        assert_eq!(behind("2019"), "201:");
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in ["2016", "2016-02-29", "2016-03-05T12", "2016-03-05T23:59", " 2016-03-05 12:30:00.25Z "] {
            assert!(date("p", text).is_ok(), "{text}");
        }
        for text in [
            "",
            "16",
            "2016-13",
            "2015-02-29",
            "2016-3-5",
            "+2016-03-05",
            "2016T12",
            "2016-03-05T",
            "2016-03-05T24",
            "2016-03-05T12:60",
            "2016-03-05T12.5",
            "2016-03-05T12:30:00.",
            "2016-03-05T12:30:00:00",
            "yesterday",
        ] {
            let Err(CatalogueProblem::Parameter { detail, .. }) = date("p", text) else { panic!("{text} is a date") };
            assert!(detail.starts_with("Enter a date such as"), "{detail}");
        }
    }
}
