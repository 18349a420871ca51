//! The texts of parameters, and the errors for unusable ones.

use api_http::error::shown;
use store_catalogue::{Pattern, parse_number};

use crate::problem::CatalogueProblem;

pub(crate) const PATTERN_CHARS_MAX: usize = 1_000;

/// The most bytes of a searched text.
const SEARCH_BYTES_MAX: usize = 8 << 10;

/// The most words of such a text; words of repeated parts count once. Each word is looked up.
const SEARCH_WORDS_MAX: usize = 64;

/// The end of each item of a list from a body. Such items may contain commas.
pub(crate) const ITEM_END: char = '\u{1f}';

pub(super) fn items(list: &str) -> impl Iterator<Item = &str> {
    let end = if list.contains(ITEM_END) { ITEM_END } else { ',' };
    list.split(end).map(str::trim).filter(|item| !item.is_empty())
}

pub(super) fn number(parameter: &'static str, value: &str) -> Result<f64, CatalogueProblem> {
    parse_number(value).ok_or_else(|| CatalogueProblem::refused(parameter, "Enter a number."))
}

pub(super) fn pattern(parameter: &'static str, value: &str) -> Result<Pattern, CatalogueProblem> {
    if value.chars().count() > PATTERN_CHARS_MAX {
        let detail = format!("Enter a valid regular expression: it has more than {PATTERN_CHARS_MAX} characters.");
        return Err(CatalogueProblem::refused(parameter, detail));
    }
    Pattern::parse(value).map_err(|error| {
        // The library draws the expression on the lines before the last.
        let error = error.to_string();
        let reason = error.lines().last().unwrap_or_default().trim_start_matches("error: ").trim_end_matches('.');
        CatalogueProblem::refused(parameter, format!("Enter a valid regular expression: {reason}."))
    })
}

pub(super) fn searched(parameter: &'static str, value: &str) -> Result<String, CatalogueProblem> {
    check_searched(value).map_err(|problem| CatalogueProblem::refused(parameter, problem))?;
    Ok(value.to_owned())
}

/// Checks a searched text.
///
/// # Errors
///
/// * It is too long, or has too many words. The error states the limit.
pub fn check_searched(text: &str) -> Result<(), String> {
    if text.len() > SEARCH_BYTES_MAX {
        return Err(format!("Enter a text of at most {SEARCH_BYTES_MAX} bytes."));
    }
    if store_catalogue::num_searched_words(text) > SEARCH_WORDS_MAX {
        return Err(format!("Enter at most {SEARCH_WORDS_MAX} different words."));
    }
    Ok(())
}

/// Makes a pattern that matches a text exactly, with patterns before and after it.
pub(super) fn literal(
    parameter: &'static str,
    before: &str,
    text: &str,
    after: &str,
) -> Result<Pattern, CatalogueProblem> {
    pattern(parameter, &[before, &Pattern::escape(text), after].concat())
}

/// Reads a date, or a date and a time, such as `2024-03-01` or `2024-03-01T12:00:00`. A date means
/// its first moment.
pub(super) fn time(parameter: &'static str, value: &str) -> Result<String, CatalogueProblem> {
    let is_like = |text: &str, shape: &str| {
        let fits = |(byte, like): (u8, u8)| if like == b'0' { byte.is_ascii_digit() } else { byte == like };
        text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
    };
    let value = value.trim();
    let (date, time) = value.split_once(['T', ' ']).unwrap_or((value, "00:00:00"));
    let whole_s = time.split('.').next().unwrap_or_default();
    if is_like(date, "0000-00-00") && is_like(whole_s, "00:00:00") {
        return Ok(format!("{date}T{time}"));
    }
    Err(CatalogueProblem::refused(parameter, "Enter a valid date/time."))
}

pub(super) fn not_a_choice(parameter: &'static str, value: &str) -> CatalogueProblem {
    let detail = format!("Select a valid choice. {} is not one of the available choices.", shown(value));
    CatalogueProblem::Parameter { name: parameter.into(), detail, code: "invalid_choice" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_like_the_real_service() {
        for (text, expected) in [("1e2", 100.0), (" 3 ", 3.0), ("-.5", -0.5), ("+7.", 7.0), ("0", 0.0)] {
            assert!((number("p", text).unwrap() - expected).abs() < f64::EPSILON, "{text}");
        }
        for text in ["", " ", "abc", "nan", "NaN", "inf", "-Infinity", "1e999", "1,5", "0x10", "1 2"] {
            let Err(CatalogueProblem::Parameter { name, detail, code }) = number("latitude_gte", text) else {
                panic!("{text} is a number")
            };
            assert_eq!((name.as_ref(), detail.as_str(), code), ("latitude_gte", "Enter a number.", "invalid"));
        }
    }

    #[test]
    fn patterns_that_cannot_be_used_are_refused() {
        assert!(pattern("p", "^root:.*(soil|water)$").is_ok());
        for text in ["[", "a(", "(?=a)", &"a".repeat(1_001)] {
            let Err(CatalogueProblem::Parameter { detail, code: "invalid", .. }) = pattern("p", text) else {
                panic!("{text} is accepted")
            };
            assert!(detail.starts_with("Enter a valid regular expression: "), "{detail}");
        }
        let Err(CatalogueProblem::Parameter { detail, .. }) = pattern("p", "[") else { panic!("[ is accepted") };
        assert_eq!(detail, "Enter a valid regular expression: unclosed character class.");
    }

    #[test]
    fn dates_are_read_with_and_without_a_time() {
        for (text, expected) in [
            ("2024-03-01", "2024-03-01T00:00:00"),
            (" 2024-03-01 12:30:00 ", "2024-03-01T12:30:00"),
            ("2024-03-01T12:30:00.000001", "2024-03-01T12:30:00.000001"),
        ] {
            assert_eq!(time("p", text).unwrap(), expected, "{text}");
        }
        for text in ["", "2024", "2024-3-1", "yesterday", "2024-03-01T12", "2024-03-01T"] {
            let Err(CatalogueProblem::Parameter { detail, .. }) = time("p", text) else { panic!("{text} is a date") };
            assert_eq!(detail, "Enter a valid date/time.");
        }
    }

    #[test]
    fn literal_texts_match_exactly() {
        let pattern = literal("p", "^", "a.b+", "$").unwrap();
        assert!(pattern.is_match("A.b+") && !pattern.is_match("aab+"));
    }

    #[test]
    fn a_list_has_no_empty_items() {
        assert_eq!(items(" ERS1,,ERS2 ,").collect::<Vec<_>>(), ["ERS1", "ERS2"]);
        assert_eq!(items(" , ").next(), None);
        assert_eq!(items("ERS1,ERS2\u{1f}ERS3\u{1f}").collect::<Vec<_>>(), ["ERS1,ERS2", "ERS3"]);
        assert_eq!(items("\u{1f}").next(), None);
    }
}
