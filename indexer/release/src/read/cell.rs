//! The cells of a row from any file, and the checks of their values.

use std::ops::Range;

use arrow_array::ArrayRef;
use arrow_cast::display::array_value_to_string;
use indexer::run::{Reason, Rejection};

use super::batch::Fault;
use super::checks::{self, quoted};

/// The cells of a column.
pub(super) trait Cells: Sized {
    fn cell(&self, row: usize) -> Cell<'_>;

    /// Returns the position of the items of a cell, which may be a list.
    fn items(&self, row: usize) -> (&Self, Range<usize>) {
        (self, row..row + 1)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    /// The name of the column in messages.
    name: &'static str,
    value: Value<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    /// The file lacks the column.
    Absent,
    Missing,
    Flag(bool),
    Whole(i64),
    Real(f64),
    Text(&'a str),
    /// A row of an array whose value has another type or is out of range.
    Other(&'a ArrayRef, usize),
}

/// A cell of a line is a column of one row.
impl Cells for Cell<'_> {
    fn cell(&self, _row: usize) -> Cell<'_> {
        *self
    }
}

impl<'a> Cell<'a> {
    pub(super) const ABSENT: Self = Self { name: "", value: Value::Absent };

    pub(super) const fn new(name: &'static str, value: Value<'a>) -> Self {
        Self { name, value }
    }

    pub(super) const fn is_absent(self) -> bool {
        matches!(self.value, Value::Absent)
    }

    /// Returns a whole number of at least 0.
    pub(super) fn whole(self, reason: Reason) -> Result<u64, Rejection> {
        match self.value {
            Value::Whole(number) => u64::try_from(number).map_err(|_| self.bad(reason)),
            Value::Text(text) => checks::whole(text).ok_or_else(|| self.no_number(reason, text)),
            _ => Err(self.bad(reason)),
        }
    }

    pub(super) fn position(self) -> Result<u32, Rejection> {
        checks::position(self.name, self.whole(Reason::BadNumber)?)
    }

    /// Returns a length that nothing depends on: 0 if it is missing or malformed.
    pub(super) fn length_or_unknown(self) -> u32 {
        if let Value::Whole(number) = self.value { u32::try_from(number).unwrap_or(0) } else { 0 }
    }

    pub(super) fn real(self) -> Result<f64, Rejection> {
        let number = match self.value {
            Value::Real(number) => number,
            Value::Text(text) => text.parse().map_err(|_| {
                Rejection::new(Reason::BadNumber, format!("{} {} is not a number", self.name, quoted(text)))
            })?,
            _ => return Err(self.bad(Reason::BadNumber)),
        };
        checks::finite(self.name, number)
    }

    pub(super) fn text(self, reason: Reason) -> Result<&'a str, Rejection> {
        if let Value::Text(text) = self.value { Ok(text) } else { Err(self.bad(reason)) }
    }

    pub(super) fn text_or_empty(self, reason: Reason) -> Result<&'a str, Rejection> {
        match self.value {
            Value::Absent | Value::Missing => Ok(""),
            _ => self.text(reason),
        }
    }

    pub(super) fn protein(self) -> Result<u64, Rejection> {
        match self.value {
            Value::Text(text) => checks::protein_text(text),
            _ => checks::protein(self.whole(Reason::BadAccession)?),
        }
    }

    pub(super) fn contig(self) -> Result<u64, Rejection> {
        match self.value {
            Value::Text(text) => checks::contig_text(text),
            _ => checks::contig(self.whole(Reason::BadPlace)?),
        }
    }

    pub(super) fn family(self) -> Result<u64, Fault> {
        match self.value {
            Value::Text(text) => checks::family_text(text),
            _ => Ok(checks::family(self.whole(Reason::BadFamily)?)?),
        }
    }

    pub(super) fn is_reverse(self) -> Result<bool, Rejection> {
        match self.value {
            Value::Whole(1) | Value::Text("+" | "1") => Ok(false),
            Value::Whole(-1) | Value::Text("-" | "-1") => Ok(true),
            _ => Err(Rejection::new(Reason::BadPlace, format!("{} is neither 1 nor -1", self.shown()))),
        }
    }

    /// Returns whether a gene is complete, or `None` if the source does not say.
    pub(super) fn completeness(self) -> Result<Option<bool>, Rejection> {
        match self.value {
            Value::Absent | Value::Missing => Ok(None),
            Value::Text(text) => checks::completeness_cell(text),
            Value::Flag(flag) => Ok(Some(flag)),
            Value::Whole(number @ (0 | 1)) => Ok(Some(number == 1)),
            _ => Err(self.bad(Reason::BadFullLength)),
        }
    }

    /// Returns the members in a cell, good and bad: one, or several joined into a text.
    fn members(self) -> impl Iterator<Item = Result<u64, Rejection>> {
        let joined = if let Value::Text(text) = self.value { Some(text) } else { None };
        let single = joined.is_none().then(|| self.protein());
        joined.into_iter().flat_map(checks::members).map(checks::protein_text).chain(single)
    }

    /// Returns the cell as it is in the file, for reports.
    pub(super) fn shown(self) -> String {
        format!("{}={}", self.name, self.written())
    }

    fn written(self) -> String {
        match self.value {
            Value::Absent | Value::Missing => "null".to_owned(),
            Value::Flag(flag) => flag.to_string(),
            Value::Whole(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Text(text) => text.to_owned(),
            Value::Other(array, row) => array_value_to_string(array, row).unwrap_or_else(|_| "unreadable".to_owned()),
        }
    }

    /// Returns the rejection of a value that is missing, of another type, or out of range.
    #[cold]
    fn bad(self, reason: Reason) -> Rejection {
        let problem = match self.value {
            Value::Absent | Value::Missing => "missing".to_owned(),
            _ => quoted(&self.written()),
        };
        Rejection::new(reason, format!("{} is {problem}", self.name))
    }

    #[cold]
    fn no_number(self, reason: Reason, text: &str) -> Rejection {
        let text = quoted(text);
        let detail = match reason {
            Reason::BadClusterSize => format!("{text} is not a size"),
            _ => format!("{} {text} is not a number from 0 to 2^64", self.name),
        };
        Rejection::new(reason, detail)
    }
}

/// Returns the members in a cell that may be a list, good and bad.
pub(super) fn members<C: Cells>(column: &C, row: usize) -> impl Iterator<Item = Result<u64, Rejection>> {
    let (items, rows) = column.items(row);
    rows.flat_map(|row| items.cell(row).members())
}
