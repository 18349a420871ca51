//! Cells of decoded columns.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, StringArray};
use arrow_cast::display::array_value_to_string;
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType};

use crate::release::read::batch::Fault;
use crate::release::read::checks::{self, quoted};
use crate::run::{Reason, Rejection};

use super::columns::{Column, Kind};

pub(super) struct Cells {
    name: &'static str,
    original: ArrayRef,
    values: Values,
}

/// The values of a column, brought to one of few types. Those that it cannot hold are null, so that their rows are left out alone.
enum Values {
    Flags(BooleanArray),
    Wholes(Int64Array),
    Reals(Float64Array),
    Texts(StringArray),
    Lists(ListArray, Box<Cells>),
}

fn cast(array: &ArrayRef, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == data_type {
        return Ok(Arc::clone(array));
    }
    cast_with_options(array, data_type, &CastOptions { safe: true, ..CastOptions::default() })
}

impl Cells {
    pub(super) fn of(column: &Column, original: ArrayRef) -> Result<Self, ArrowError> {
        let values = match original.data_type() {
            _ if column.kind == Kind::Real => {
                Values::Reals(cast(&original, &DataType::Float64)?.as_primitive::<Float64Type>().clone())
            }
            DataType::Boolean => Values::Flags(original.as_boolean().clone()),
            DataType::Utf8 | DataType::Binary => {
                Values::Texts(cast(&original, &DataType::Utf8)?.as_string::<i32>().clone())
            }
            DataType::List(_) => {
                let lists = original.as_list::<i32>().clone();
                let cells = Self::of(column, Arc::clone(lists.values()))?;
                Values::Lists(lists, Box::new(cells))
            }
            _ => Values::Wholes(cast(&original, &DataType::Int64)?.as_primitive::<Int64Type>().clone()),
        };
        Ok(Self { name: column.names[0], original, values })
    }

    /// Returns a whole number, which must not be negative.
    pub(super) fn whole(&self, reason: Reason, row: usize) -> Result<u64, Rejection> {
        self.signed(row).and_then(|value| u64::try_from(value).ok()).ok_or_else(|| self.bad(reason, row))
    }

    fn signed(&self, row: usize) -> Option<i64> {
        match &self.values {
            Values::Wholes(values) if values.is_valid(row) => Some(values.value(row)),
            _ => None,
        }
    }

    pub(super) fn position(&self, row: usize) -> Result<u32, Rejection> {
        checks::position(self.name, self.whole(Reason::BadNumber, row)?)
    }

    pub(super) fn real(&self, row: usize) -> Result<f64, Rejection> {
        match &self.values {
            Values::Reals(values) if values.is_valid(row) => checks::finite(self.name, values.value(row)),
            _ => Err(self.bad(Reason::BadNumber, row)),
        }
    }

    /// Returns a text, or `None` where it is missing or not text.
    pub(super) fn text(&self, row: usize) -> Option<&str> {
        match &self.values {
            Values::Texts(texts) if texts.is_valid(row) => Some(texts.value(row)),
            _ => None,
        }
    }

    pub(super) fn text_or(&self, reason: Reason, row: usize) -> Result<&str, Rejection> {
        self.text(row).ok_or_else(|| self.bad(reason, row))
    }

    pub(super) fn text_or_empty(&self, reason: Reason, row: usize) -> Result<&str, Rejection> {
        match self.text(row) {
            None if self.original.is_null(row) => Ok(""),
            text => text.ok_or_else(|| self.bad(reason, row)),
        }
    }

    fn is_text(&self) -> bool {
        matches!(self.values, Values::Texts(_))
    }

    pub(super) fn protein(&self, row: usize) -> Result<u64, Rejection> {
        if self.is_text() {
            return checks::protein_text(self.text_or(Reason::BadAccession, row)?);
        }
        checks::protein(self.whole(Reason::BadAccession, row)?)
    }

    pub(super) fn contig(&self, row: usize) -> Result<u64, Rejection> {
        if self.is_text() {
            return checks::contig_text(self.text_or(Reason::BadPlace, row)?);
        }
        checks::contig(self.whole(Reason::BadPlace, row)?)
    }

    pub(super) fn family(&self, row: usize) -> Result<u64, Fault> {
        if self.is_text() {
            return checks::family_text(self.text_or(Reason::BadFamily, row)?);
        }
        Ok(checks::family(self.whole(Reason::BadFamily, row)?)?)
    }

    pub(super) fn is_reverse(&self, row: usize) -> Result<bool, Rejection> {
        match (self.signed(row), self.text(row)) {
            (Some(1), _) | (_, Some("+" | "1")) => Ok(false),
            (Some(-1), _) | (_, Some("-" | "-1")) => Ok(true),
            _ => Err(Rejection::new(Reason::BadPlace, format!("{} is neither 1 nor -1", self.shown(row)))),
        }
    }

    /// Tells whether a gene is complete, or returns `None` where the source does not say.
    pub(super) fn completeness(&self, row: usize) -> Result<Option<bool>, Rejection> {
        match &self.values {
            _ if self.is_text() => checks::completeness_cell(self.text_or_empty(Reason::BadFullLength, row)?),
            _ if self.original.is_null(row) => Ok(None),
            Values::Flags(flags) => Ok(Some(flags.value(row))),
            _ => match self.signed(row) {
                Some(0) => Ok(Some(false)),
                Some(1) => Ok(Some(true)),
                _ => Err(self.bad(Reason::BadFullLength, row)),
            },
        }
    }

    /// Returns the members of a row, good and bad: one, or several joined into a text, or in a list.
    pub(super) fn members(&self, row: usize) -> impl Iterator<Item = Result<u64, Rejection>> {
        let (cells, range) = match &self.values {
            Values::Lists(lists, cells) => (&**cells, range_of(lists, row)),
            _ => (self, row..row + 1),
        };
        range.flat_map(move |index| {
            let joined = cells.text(index);
            let single = joined.is_none().then(|| cells.protein(index));
            joined.into_iter().flat_map(checks::members).map(checks::protein_text).chain(single)
        })
    }

    /// Returns a value as the file has it, for showing it in a report.
    pub(super) fn shown(&self, row: usize) -> String {
        let value = if self.original.is_null(row) {
            "null".to_owned()
        } else {
            array_value_to_string(&self.original, row).unwrap_or_default()
        };
        format!("{}={value}", self.name)
    }

    /// Tells what is wrong with a value that the cast made null, or that is out of range.
    #[cold]
    fn bad(&self, reason: Reason, row: usize) -> Rejection {
        let Self { name, original, .. } = self;
        let detail = if original.is_null(row) {
            format!("{name} is missing")
        } else {
            let value = array_value_to_string(original, row).unwrap_or_else(|_| "unreadable".to_owned());
            format!("{name} is {}", quoted(&value))
        };
        Rejection::new(reason, detail)
    }
}

fn range_of(lists: &ListArray, row: usize) -> Range<usize> {
    if lists.is_null(row) {
        return 0..0;
    }
    let offsets = lists.value_offsets();
    let at = |index: usize| usize::try_from(offsets[index]).expect("offsets are not negative");
    at(row)..at(row + 1)
}
