//! The text of a table: comma-separated values.

use std::borrow::Cow;
use std::io::Write;

use api_tables::{end_tsv_row, push_tsv_text};
use serde_json::{Number, Value};

use crate::request::query::Query;

/// The treatment of texts that a spreadsheet would read as formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulas {
    /// They are written unchanged.
    Kept,
    /// They are written after an apostrophe.
    Disarmed,
}

impl Formulas {
    /// Reads `safe=1`, which disarms them.
    pub(crate) fn of(query: &Query) -> Self {
        if query.last("safe") == Some("1") { Self::Disarmed } else { Self::Kept }
    }

    /// Returns a text in the form in which it is written.
    pub fn guard(self, text: &str) -> Cow<'_, str> {
        let is_like_one = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        if self == Self::Disarmed && is_like_one { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
    }
}

/// The form of the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Comma-separated values. Line breaks become spaces, so that a row is a line.
    Csv,
    /// Comma-separated values with their line breaks, in quotes.
    CsvWithBreaks,
    /// Cells separated by tabs. Tabs and line breaks in them become spaces.
    Tsv,
}

/// A value of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Cell<'a> {
    #[default]
    Empty,
    Truth(bool),
    Number(Number),
    Text(Cow<'a, str>),
}

impl<'a> From<&'a Value> for Cell<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Bool(truth) => Self::Truth(*truth),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            // Lists and objects have columns of their own.
            Value::Null | Value::Array(_) | Value::Object(_) => Self::Empty,
        }
    }
}

/// Appends a line. A library cannot distinguish the text `1` from the number 1, and only the text
/// is quoted here.
pub(crate) fn write_line<'a>(
    cells: impl Iterator<Item = Cell<'a>>,
    layout: Layout,
    formulas: Formulas,
    text: &mut Vec<u8>,
) {
    if layout == Layout::Tsv {
        return write_tabbed(cells, formulas, text);
    }
    let has_breaks = layout == Layout::CsvWithBreaks;
    for (column, cell) in cells.enumerate() {
        if column > 0 {
            text.push(b',');
        }
        match cell {
            Cell::Truth(true) => text.extend_from_slice(b"True"),
            Cell::Truth(false) => text.extend_from_slice(b"False"),
            Cell::Number(number) => {
                // Writing to memory does not fail.
                let _ = write!(text, "{number}");
            }
            Cell::Text(cell) => write_quoted(&formulas.guard(&cell), has_breaks, text),
            Cell::Empty => text.extend_from_slice(b"\"\""),
        }
    }
    text.extend_from_slice(b"\r\n");
}

fn write_tabbed<'a>(cells: impl Iterator<Item = Cell<'a>>, formulas: Formulas, text: &mut Vec<u8>) {
    let start = text.len();
    for (column, cell) in cells.enumerate() {
        text.extend((column > 0).then_some(b'\t'));
        match cell {
            Cell::Empty => {}
            Cell::Truth(cell) => text.extend_from_slice(cell.to_string().as_bytes()),
            Cell::Number(cell) => text.extend_from_slice(cell.to_string().as_bytes()),
            Cell::Text(cell) => push_tsv_text(&formulas.guard(&cell), text),
        }
    }
    end_tsv_row(start, text);
}

/// Appends a text in quotes. Quotes in it are doubled.
fn write_quoted(cell: &str, has_breaks: bool, text: &mut Vec<u8>) {
    text.push(b'"');
    let mut rest = cell.as_bytes();
    while let Some(end) = memchr::memchr3(b'"', b'\r', b'\n', rest) {
        text.extend_from_slice(&rest[..end]);
        match rest[end] {
            b'"' => text.extend_from_slice(b"\"\""),
            byte => text.push(if has_breaks { byte } else { b' ' }),
        }
        rest = &rest[end + 1..];
    }
    text.extend_from_slice(rest);
    text.push(b'"');
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
        write_line(cells.iter().map(Cell::from).chain([Cell::Empty]), Layout::Csv, Formulas::Kept, &mut csv);
        assert_eq!(String::from_utf8(csv).unwrap(), "\"1\",1,12.0,True,False,\"\",\"ä  \"\"b\"\",=1+1\",\"\"\r\n");
    }

    #[test]
    fn formulas_are_disarmed_and_numbers_are_not() {
        let cells = ["=1+1", "+1", "-1", "@a", "\ta", "\ra", "a=1", ""].map(Value::from);
        let mut csv = Vec::new();
        write_line(cells.iter().chain([&json!(-1)]).map(Cell::from), Layout::Csv, Formulas::Disarmed, &mut csv);
        let expected = "\"'=1+1\",\"'+1\",\"'-1\",\"'@a\",\"'\ta\",\"' a\",\"a=1\",\"\",-1\r\n";
        assert_eq!(String::from_utf8(csv).unwrap(), expected);
    }

    #[test]
    fn line_breaks_stay_only_where_they_are_quoted() {
        let cells = [json!("a\r\nb\tc"), json!(true), json!(null)];
        for (layout, expected) in [
            (Layout::Csv, "\"a  b\tc\",True,\"\"\r\n"),
            (Layout::CsvWithBreaks, "\"a\r\nb\tc\",True,\"\"\r\n"),
            (Layout::Tsv, "a  b c\ttrue\t\n"),
        ] {
            let mut text = Vec::new();
            write_line(cells.iter().map(Cell::from), layout, Formulas::Kept, &mut text);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        }
    }
}
