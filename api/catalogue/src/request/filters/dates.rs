//! Dates in filters, as bounds of the texts in the data.

use std::ops::Bound;

use store_catalogue::Period;

use crate::problem::CatalogueProblem;

/// The bounds of texts that begin with a digit. Other texts are not dates.
const DIGITS: (&str, &str) = ("0", ":");

/// The first and the last date of a range, if they are given.
#[derive(Debug, Default)]
pub(in crate::request) struct DateBounds {
    pub(super) first: Option<String>,
    pub(super) last: Option<String>,
}

impl DateBounds {
    /// Returns the bounds of texts: at least the first date, and before the last date or beginning
    /// with it.
    pub(in crate::request) fn text_bounds(self) -> (Bound<String>, Bound<String>) {
        let first = self.first.unwrap_or_else(|| DIGITS.0.to_owned());
        let last = self.last.map_or_else(|| DIGITS.1.to_owned(), |date| end_of_prefix(&date));
        (Bound::Included(first), Bound::Excluded(last))
    }
}

/// Returns the least text that is greater than all texts that begin with a date. The date ends with
/// a digit.
pub(in crate::request) fn end_of_prefix(date: &str) -> String {
    let mut end = date.to_owned();
    let next = end.pop().and_then(|last| char::from_u32(u32::from(last) + 1));
    end.extend(next);
    end
}

/// Reads a date like [`Period`], but not an interval: `2016`, `2016-03`, `2016-03-05`,
/// `2016-03-05T12:30`. Returns its canonical form, without a zone.
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
        DateBounds { first: read(first), last: read(last) }.text_bounds().contains(&text.to_owned())
    }

    #[test]
    fn the_last_date_includes_its_whole_period() {
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
            // A date without a day is less than all days within it.
            ("2016-03", Some("2016-03-01"), None, false),
            ("2016-03", None, Some("2016-03-01"), true),
            ("2016-03-02", Some("2016-03-02"), Some("2016-03-02"), true),
            ("missing", Some("2016"), None, false),
            ("", None, Some("2016"), false),
            ("-", None, Some("2016"), false),
        ] {
            assert_eq!(is_within(text, first, last), expected, "{text} {first:?} {last:?}");
        }
        assert_eq!(end_of_prefix("2019"), "201:");
    }

    #[test]
    fn malformed_dates_are_refused() {
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
