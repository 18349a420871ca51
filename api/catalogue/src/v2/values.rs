//! The values of parameters, read as the real service reads them.

use api_http::error::shown;
use serde_json::{Value, json};

use super::refusal::{Refusal, invalid};
use crate::request::query::Query;
use crate::request::similar_names::did_you_mean;

/// The most items of a page. Greater values are reduced to this number.
pub(super) const PAGE_SIZE_MAX: usize = 100;

pub(super) const PAGING: [&str; 2] = ["page", "page_size"];

const NOT_AN_INTEGER: &str = "Input should be a valid integer, unable to parse string as an integer";

/// The most characters of an integer.
const INTEGER_CHARS_MAX: usize = 4300;

/// Reads parameters, and collects those that cannot be used.
pub(super) struct Reader<'a> {
    query: &'a Query,
    faults: Vec<Value>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(query: &'a Query) -> Self {
        Self { query, faults: Vec::new() }
    }

    /// Reads an integer. Integers beyond the length of any list need not be exact.
    pub(super) fn integer(&mut self, name: &str) -> Option<i64> {
        let text = self.query.last(name)?;
        let number = integer(text);
        if number.is_none() {
            self.faults.push(not_an_integer("query", name));
        }
        number.map(|digits| saturated(&digits))
    }

    /// Reads an integer of at least 1.
    pub(super) fn positive(&mut self, name: &str) -> Option<usize> {
        let number = self.integer(name)?;
        if number < 1 {
            let text = "Input should be greater than or equal to 1";
            self.faults
                .push(json!({"type": "greater_than_equal", "loc": ["query", name], "msg": text, "ctx": {"ge": 1}}));
        }
        usize::try_from(number).ok()
    }

    /// Reads the number of a page, if it is given, and the number of its items.
    pub(super) fn page(&mut self, default_size: usize) -> (Option<usize>, usize) {
        let [number, size] = PAGING.map(|name| self.positive(name));
        (number, size.unwrap_or(default_size).min(PAGE_SIZE_MAX))
    }

    /// Reads a parameter that has one of the given values.
    pub(super) fn choice(&mut self, kind: &str, name: &str, choices: &[&str]) -> Option<&'a str> {
        let value = self.query.last(name)?;
        if !choices.contains(&value) {
            self.faults.push(not_a_choice(kind, ["query", name], choices));
        }
        Some(value)
    }

    /// Refuses all other parameters, and suggests similar known ones.
    pub(super) fn refuse_others(&mut self, is_known: impl Fn(&str) -> bool, known: &[&str]) {
        for (name, _) in self.query.pairs().filter(|(name, _)| !is_known(name)) {
            let advice = did_you_mean(known.iter().copied(), name);
            let text = format!("Unknown parameter {:?}.{advice}", shown(name));
            self.faults.push(invalid("query", &shown(name), &text));
        }
    }

    pub(super) fn refuse(&mut self, fault: Value) {
        self.faults.push(fault);
    }

    pub(super) fn finish(self) -> Result<(), Refusal> {
        if self.faults.is_empty() { Ok(()) } else { Err(Refusal::Invalid(self.faults)) }
    }
}

pub(super) fn not_an_integer(part: &str, name: &str) -> Value {
    json!({"type": "int_parsing", "loc": [part, name], "msg": NOT_AN_INTEGER})
}

pub(super) fn not_a_choice(kind: &str, location: [&str; 2], choices: &[&str]) -> Value {
    let expected = expected(choices);
    json!({"type": kind, "loc": location, "msg": format!("Input should be {expected}"), "ctx": {"expected": expected}})
}

/// Returns choices as a text: `'a', 'b' or ''`.
fn expected(choices: &[&str]) -> String {
    let quoted: Vec<String> = choices.iter().map(|choice| format!("'{choice}'")).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}

/// Returns the decimal digits of an integer without leading zeros, with a dash before them if it is
/// negative: `25` for ` +025.0 ` and `2_5`.
pub(super) fn integer(text: &str) -> Option<String> {
    let text = text.trim();
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let whole = match unsigned.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|byte| byte == b'0') => whole,
        Some(_) => return None,
        None => unsigned,
    };
    let are_digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() > INTEGER_CHARS_MAX || !whole.split('_').all(are_digits) {
        return None;
    }
    let digits = whole.replace('_', "");
    let digits = digits.trim_start_matches('0');
    Some(match digits {
        "" => "0".to_owned(),
        digits if is_negative => format!("-{digits}"),
        digits => digits.to_owned(),
    })
}

fn saturated(digits: &str) -> i64 {
    digits.parse().unwrap_or(if digits.starts_with('-') { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_like_the_real_service() {
        for (text, expected) in [
            ("02", "2"),
            ("+2", "2"),
            (" 2 ", "2"),
            ("2.0", "2"),
            ("1_0", "10"),
            ("-5", "-5"),
            ("-0", "0"),
            ("99999999999999999999", "99999999999999999999"),
        ] {
            assert_eq!(integer(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "abc", "1.5", "_1", "1__0", "1_", "+-1", "--1", "1e3", "٣", "0x1"] {
            assert_eq!(integer(text), None, "{text}");
        }
        assert_eq!((saturated("99999999999999999999"), saturated("-99999999999999999999")), (i64::MAX, i64::MIN));
    }

    #[test]
    fn all_faults_are_reported_in_reading_order() {
        let query = Query::parse("max_depth=0&page=a&order=x");
        let mut reader = Reader::new(&query);
        assert_eq!(reader.choice("literal_error", "order", &["a", "-a", ""]), Some("x"));
        assert_eq!(
            (reader.positive("max_depth"), reader.positive("page"), reader.positive("none")),
            (Some(0), None, None)
        );
        let Err(Refusal::Invalid(faults)) = reader.finish() else { panic!("they are refused") };
        let expected = json!([
            {"type": "literal_error", "loc": ["query", "order"], "msg": "Input should be 'a', '-a' or ''", "ctx": {"expected": "'a', '-a' or ''"}},
            {"type": "greater_than_equal", "loc": ["query", "max_depth"], "msg": "Input should be greater than or equal to 1", "ctx": {"ge": 1}},
            {"type": "int_parsing", "loc": ["query", "page"], "msg": NOT_AN_INTEGER},
        ]);
        assert_eq!(Value::from(faults), expected);
    }
}
