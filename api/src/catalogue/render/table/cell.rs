//! The text of a table: comma-separated values.

use std::borrow::Cow;
use std::io::Write;

use serde_json::Value;

use crate::catalogue::request::query::Query;

/// Treatment of texts that a spreadsheet would take for formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formulas {
    Kept,
    /// They are written with an apostrophe in front of them.
    Disarmed,
}

impl Formulas {
    /// Reads `safe=1`, which disarms them.
    pub(crate) fn of(query: &Query) -> Self {
        if query.last("safe") == Some("1") { Self::Disarmed } else { Self::Kept }
    }

    /// Returns a text as it is written.
    pub(crate) fn guard(self, text: &str) -> Cow<'_, str> {
        let is_like_one = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        if self == Self::Disarmed && is_like_one { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
    }
}

/// Appends a line. A library cannot tell the text `1` from the number 1, of which only the first is quoted here.
pub(crate) fn write_line<'a>(cells: impl Iterator<Item = Option<&'a Value>>, formulas: Formulas, csv: &mut Vec<u8>) {
    for (column, cell) in cells.enumerate() {
        if column > 0 {
            csv.push(b',');
        }
        match cell {
            Some(Value::Bool(true)) => csv.extend_from_slice(b"True"),
            Some(Value::Bool(false)) => csv.extend_from_slice(b"False"),
            Some(Value::Number(number)) => {
                // Writing to memory does not fail.
                let _ = write!(csv, "{number}");
            }
            Some(Value::String(text)) => write_text(text, formulas, csv),
            // Lists and objects are spread over columns of their own.
            None | Some(Value::Null | Value::Array(_) | Value::Object(_)) => write_text("", formulas, csv),
        }
    }
    csv.extend_from_slice(b"\r\n");
}

/// Appends a text in quotes, with those in it doubled. Line breaks become spaces, so that a row is a line.
fn write_text(text: &str, formulas: Formulas, csv: &mut Vec<u8>) {
    csv.push(b'"');
    for byte in formulas.guard(text).bytes() {
        match byte {
            b'"' => csv.extend_from_slice(b"\"\""),
            b'\r' | b'\n' => csv.push(b' '),
            _ => csv.push(byte),
        }
    }
    csv.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_text_is_quoted() {
        let cells =
            [json!("1"), json!(1), json!(12.0), json!(true), json!(false), json!(null), json!("ä\r\n\"b\",=1+1")];
        let mut csv = Vec::new();
        write_line(cells.iter().map(Some).chain([None]), Formulas::Kept, &mut csv);
        assert_eq!(String::from_utf8(csv).unwrap(), "\"1\",1,12.0,True,False,\"\",\"ä  \"\"b\"\",=1+1\",\"\"\r\n");
    }

    #[test]
    fn formulas_are_disarmed_and_numbers_are_not() {
        let cells = ["=1+1", "+1", "-1", "@a", "\ta", "\ra", "a=1", ""].map(Value::from);
        let mut csv = Vec::new();
        write_line(cells.iter().chain([&json!(-1)]).map(Some), Formulas::Disarmed, &mut csv);
        let expected = "\"'=1+1\",\"'+1\",\"'-1\",\"'@a\",\"'\ta\",\"' a\",\"a=1\",\"\",-1\r\n";
        assert_eq!(String::from_utf8(csv).unwrap(), expected);
    }
}
