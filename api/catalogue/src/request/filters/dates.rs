//! Dates that filters are given, as bounds of the texts that the data have.

use std::ops::Bound;

use store_catalogue::Period;

use crate::problem::CatalogueProblem;

/// The texts between which those are that begin with a digit: all others are no dates.
const DIGITS: (&str, &str) = ("0", ":");

/// The first and the last dates of a range, as far as they are given.
#[derive(Debug, Default)]
pub(in crate::request) struct DateBounds {
    pub(super) first: Option<String>,
    pub(super) last: Option<String>,
}

impl DateBounds {
    /// Returns the bounds of texts: not before the first date, and before the last one or beginning with it.
    pub(in crate::request) fn of_texts(self) -> (Bound<String>, Bound<String>) {
        let first = self.first.unwrap_or_else(|| DIGITS.0.to_owned());
        let last = self.last.map_or_else(|| DIGITS.1.to_owned(), |date| behind(&date));
        (Bound::Included(first), Bound::Excluded(last))
    }
}

/// Returns the least text behind all that begin with a date, which ends in a digit.
pub(in crate::request) fn behind(date: &str) -> String {
    let mut behind = date.to_owned();
    let next = behind.pop().and_then(|last| char::from_u32(u32::from(last) + 1));
    behind.extend(next);
    behind
}

/// Reads a date as [`Period`] does, but no interval: `2016`, `2016-03`, `2016-03-05`, `2016-03-05T12:30`. Returns it in its canonical form, without a
/// zone.
pub(in crate::request) fn date(parameter: &'static str, value: &str) -> Result<String, CatalogueProblem> {
    let date = Period::parse(value).map(|period| period.canonical().into_owned()).filter(|date| !date.contains('/'));
    date.ok_or_else(|| {
        CatalogueProblem::refused(parameter, "Enter a date such as 2016, 2016-03, 2016-03-05 or 2016-03-05T12:30:00.")
    })
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
        for text in ["2016", "2016-02-29", "2016-3-5", "2016-03-05T12", "2016-03-05T23:59", " 2016-03-05 12:30:00.25Z "]
        {
            assert!(date("p", text).is_ok(), "{text}");
        }
        for text in [
            "",
            "16",
            "2016-13",
            "2015-02-29",
            "2016-03/2016-04",
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
