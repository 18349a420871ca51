//! Dates in the forms of archives: complete dates, partial dates and intervals.

use std::borrow::Cow;
use std::ops::{Bound, RangeBounds};

/// Texts that complete a date: for its first and its last moment.
const FIRST: &str = "0000-01-01T00:00:00";
const LAST: &str = "9999-12-31T23:59:59";

const DAY_BYTES: usize = "2026-11-24".len();
const MONTH_BYTES: usize = "2026-11".len();
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A time between two others, each given as a year, a month, a day or more.
///
/// Accepts `2026`, `2026-11`, `2026-11-24`, `2026-11-24T08:00:00Z`, the same with a blank, one
/// digit, `/` between the parts, or a month in letters (`Nov-2026`, `24-NOV-2026`, `24 November
/// 2026`), and intervals (`2026-11/2026-12`, `from 2026-11 to 2026-12`). If day and month are
/// ambiguous, or the year has two digits, a text is not a date.
///
/// # Examples
///
/// ```
/// use store_catalogue::Period;
///
/// let period = Period::parse("Jul-2009").expect("a date");
/// assert_eq!((period.year(), &*period.canonical()), ("2009", "2009-07"));
/// assert!(Period::parse("12/03/2009").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    first: String,
    last: String,
}

impl Period {
    /// Reads a date.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(date) = date(text) {
            return Some(Self { last: date.clone(), first: date });
        }
        let text = text.strip_prefix("from ").unwrap_or(text);
        [" to ", "/"].into_iter().find_map(|between| {
            let (first, last) = text.split_once(between)?;
            let (first, last) = (date(first.trim())?, date(last.trim())?);
            (moment(&first, FIRST) <= moment(&last, LAST)).then_some(Self { first, last })
        })
    }

    /// Returns the year in which it begins.
    pub fn year(&self) -> &str {
        &self.first[..4]
    }

    /// Returns the canonical form, whose texts ascend with time: `2009-07`,
    /// `2009-07-01/2009-07-15`.
    pub fn canonical(&self) -> Cow<'_, str> {
        if self.first == self.last { (&self.first).into() } else { format!("{}/{}", self.first, self.last).into() }
    }

    /// Returns whether a text is a date that lies entirely within bounds, which are texts that
    /// ascend with time.
    pub fn is_within(text: &str, bounds: (Bound<&str>, Bound<&str>)) -> bool {
        if is_moment(text) {
            return RangeBounds::<&str>::contains(&bounds, &text);
        }
        Self::parse(text).is_some_and(|Self { first, last }| {
            [moment(&first, FIRST), moment(&last, LAST)]
                .iter()
                .all(|moment| RangeBounds::<&str>::contains(&bounds, &moment.as_str()))
        })
    }
}

/// Returns whether a text begins as most times do. These texts are compared without parsing, since
/// there may be as many as resources.
fn is_moment(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.get(DAY_BYTES) == Some(&b'T') && bytes.len() >= FIRST.len() && bytes[4] == b'-' && !text.contains('/')
}

/// Returns the first or the last moment of a date.
fn moment(date: &str, whole: &str) -> String {
    let mut moment = format!("{date}{}", whole.get(date.len()..).unwrap_or_default());
    if date.len() == MONTH_BYTES && whole == LAST {
        let (year, month) = (date[..4].parse().unwrap_or(0), date[5..].parse().unwrap_or(1));
        moment.replace_range(MONTH_BYTES + 1..DAY_BYTES, &days(year, month).to_string());
    }
    moment
}

/// Returns a date or time in the form of ISO 8601, without a zone.
fn date(text: &str) -> Option<String> {
    day(text).or_else(|| {
        text.match_indices(['T', ' ']).find_map(|(at, _)| {
            let day = day(text[..at].trim_end()).filter(|day| day.len() == DAY_BYTES)?;
            let time = text[at + 1..].trim_start_matches(['T', ' ']);
            let time = time.split(['Z', '+', '-']).next().filter(|time| is_time(time))?;
            Some(format!("{day}T{time}"))
        })
    })
}

/// Returns a day, a month or a year.
fn day(text: &str) -> Option<String> {
    let separator = text.chars().find(|letter| ['-', '/', ' '].contains(letter)).unwrap_or('-');
    let parts = text
        .split(separator)
        .map(|part| part.trim_end_matches(','))
        .filter(|part| separator != ' ' || !part.is_empty());
    let parts: Vec<&str> = parts.collect();
    let year = |text: &str| number(text, 4).filter(|year| text.len() == 4 && *year > 0);
    let (year, month, day) = match *parts {
        [of_year] => (year(of_year)?, None, None),
        [of_month, of_year] if named_month(of_month).is_some() => (year(of_year)?, named_month(of_month), None),
        [of_year, of_month] if of_month.len() > 1 => (year(of_year)?, Some(month(of_month)?), None),
        [of_day, of_month, of_year] if year(of_day).is_none() => {
            let (of_day, of_month) =
                if named_month(of_day).is_some() { (of_month, of_day) } else { (of_day, of_month) };
            (year(of_year)?, Some(named_month(of_month)?), Some(number(of_day, 2)?))
        }
        [of_year, of_month, of_day] => (year(of_year)?, Some(month(of_month)?), Some(number(of_day, 2)?)),
        _ => return None,
    };
    let month_of_day = month.filter(|month| day.is_none_or(|day| (1..=days(year, *month)).contains(&day)));
    Some(match (month, day) {
        (None, _) => format!("{year:04}"),
        (Some(_), None) => format!("{year:04}-{:02}", month_of_day?),
        (Some(_), Some(day)) => format!("{year:04}-{:02}-{day:02}", month_of_day?),
    })
}

fn month(text: &str) -> Option<u32> {
    number(text, 2).filter(|month| (1..=12).contains(month)).or_else(|| named_month(text))
}

/// Reads the name of a month, or its first three letters or more.
fn named_month(text: &str) -> Option<u32> {
    let name = text.to_ascii_lowercase();
    let is_named =
        |month: &&str| name.len() >= 3 && month.starts_with(&*name) || name == "sept" && month.starts_with("sept");
    (1..).zip(&MONTHS).find(|(_, month)| is_named(month)).map(|(number, _)| number)
}

fn is_time(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let units: Vec<_> = whole.split(':').collect();
    let fits = |(unit, max): (&&str, u32)| unit.len() == 2 && number(unit, 2).is_some_and(|unit| unit <= max);
    let has_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    units.len() <= 3
        && units.iter().zip([23, 59, 59]).all(fits)
        && fraction.is_none_or(|fraction| units.len() == 3 && has_digits(fraction))
}

fn days(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn number(text: &str, num_digits_max: usize) -> Option<u32> {
    let is_number = (1..=num_digits_max).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_the_forms_of_archives() {
        for (text, expected) in [
            ("2026", "2026"),
            ("2026-11", "2026-11"),
            (" 2024-02-29\r", "2024-02-29"),
            ("2026-11-24T08:00:00", "2026-11-24T08:00:00"),
            ("2026-11-24 08:00", "2026-11-24T08:00"),
            ("2019-09-25T16:24:05.000001Z", "2019-09-25T16:24:05.000001"),
            ("2015-10-11T17:53+02:00", "2015-10-11T17:53"),
            ("2008-01-28 T15:00", "2008-01-28T15:00"),
            ("2007-JUN-23T06:00", "2007-06-23T06:00"),
            ("2013-08-19T06", "2013-08-19T06"),
            ("2012-9-5", "2012-09-05"),
            ("2011/9/05", "2011-09-05"),
            ("2011/09", "2011-09"),
            ("Jul-2009", "2009-07"),
            ("July 2009", "2009-07"),
            ("19-Aug-2013", "2013-08-19"),
            ("03 July 2009", "2009-07-03"),
            ("3 Sept 2009", "2009-09-03"),
            ("July 3, 2009", "2009-07-03"),
            ("2011-APR-28", "2011-04-28"),
            ("2012-05/2012-07", "2012-05/2012-07"),
            ("2012-05-01 / 2012-05-03", "2012-05-01/2012-05-03"),
            ("21-Oct-1952/Feb-1953", "1952-10-21/1953-02"),
            ("2011/2012", "2011/2012"),
            ("2012/2012-07", "2012/2012-07"),
            ("from 2007-JUN-23T06:00 to 2007-JUN-23T12:00", "2007-06-23T06:00/2007-06-23T12:00"),
        ] {
            assert_eq!(
                Period::parse(text).map(|period| period.canonical().into_owned()).as_deref(),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn ambiguous_texts_are_not_dates() {
        for text in [
            "",
            "26",
            "0000",
            "2026-13",
            "2026-1",
            "2025-02-29",
            "2026-11-31",
            "24.11.2026",
            "2026-11-24T",
            "2026-11T08:00",
            "2026-11-24T24:00",
            "2026-11-24T08.5",
            "2026-11-24-1",
            "+026",
            "12/03/2009",
            "Jun-05",
            "9-Oct",
            "1st quarter 2009",
            "missing",
            "20130615",
            "2012-07/2012-05",
            "2012/",
            "Ju-2009",
            "31-Feb-2009",
            "é-2009",
            "2009-",
            "-2009",
            "summer 2009",
        ] {
            assert_eq!(Period::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_entire_periods_lie_in_a_range() {
        let (from, to) = (Bound::Included("2011-03"), Bound::Excluded("2013"));
        for (text, expected) in [
            ("2012", true),
            ("2011", false),
            ("2011-03", true),
            ("2011-02", false),
            ("2012-12", true),
            ("2012-12/2013-01", false),
            ("2011-12/2012-01", true),
            ("Jul-2011", true),
            ("19-Aug-2013", false),
            ("2011-03-01T00:00:00.5", true),
            ("2013-01-01T00:00:00", false),
            ("missing", false),
        ] {
            assert_eq!(Period::is_within(text, (from, to)), expected, "{text}");
        }
        assert_eq!(moment("2024-02", LAST), "2024-02-29T23:59:59");
    }
}
