//! Columns of decoded rows, each brought to one type.

use std::iter::Zip;
use std::sync::Arc;
use std::{slice, vec};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, StringArray};
use arrow_cast::display::array_value_to_string;
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType};

use crate::rejects::{Reason, Rejection};
use crate::release::read::checks::{self, quoted};
use crate::release::table::Table;

use super::columns::{Column, columns_of};

/// The cells of a column.
pub(super) trait Cells: Sized {
    /// Brings a decoded column with that name to one type.
    fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError>;
}

/// The columns of a batch, in the order of the table.
pub(super) struct Columns {
    rest: Zip<slice::Iter<'static, Column>, vec::IntoIter<Option<ArrayRef>>>,
}

impl Columns {
    pub(super) fn of(table: Table, arrays: Vec<Option<ArrayRef>>) -> Self {
        Self { rest: columns_of(table).iter().zip(arrays) }
    }

    /// Takes the next column.
    pub(super) fn take<T: Cells>(&mut self) -> Result<T, ArrowError> {
        self.take_optional()?.ok_or_else(|| ArrowError::SchemaError("a column is missing".to_owned()))
    }

    /// Takes the next column, which may be missing.
    pub(super) fn take_optional<T: Cells>(&mut self) -> Result<Option<T>, ArrowError> {
        match self.rest.next() {
            Some((column, Some(array))) => T::of(column.names[0], array).map(Some),
            _ => Ok(None),
        }
    }
}

/// Brings a column to a type. Values that it cannot hold become null, so that their rows are left out alone.
fn cast(array: &ArrayRef, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == data_type {
        return Ok(Arc::clone(array));
    }
    cast_with_options(array, data_type, &CastOptions { safe: true, ..CastOptions::default() })
}

/// Tells what is wrong with a value that the cast made null, or that is out of range.
#[cold]
fn bad(reason: Reason, name: &str, array: &ArrayRef, row: usize) -> Rejection {
    let detail = if array.is_null(row) {
        format!("{name} is missing")
    } else {
        let value = array_value_to_string(array, row).unwrap_or_else(|_| "unreadable".to_owned());
        format!("{name} is {}", quoted(&value))
    };
    Rejection::new(reason, detail)
}

/// Whole numbers that must not be negative.
pub(super) struct Wholes {
    name: &'static str,
    /// The values as they were decoded.
    original: ArrayRef,
    values: Int64Array,
}

impl Cells for Wholes {
    fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        let values = cast(&original, &DataType::Int64)?.as_primitive::<Int64Type>().clone();
        Ok(Self { name, original, values })
    }
}

impl Wholes {
    /// Returns a value, which must not be missing.
    pub(super) fn get(&self, row: usize) -> Result<u64, Rejection> {
        self.get_or(Reason::BadNumber, row)
    }

    /// Returns a value, or a rejection for that reason.
    pub(super) fn get_or(&self, reason: Reason, row: usize) -> Result<u64, Rejection> {
        if self.values.is_valid(row)
            && let Ok(value) = u64::try_from(self.values.value(row))
        {
            return Ok(value);
        }
        Err(bad(reason, self.name, &self.original, row))
    }

    /// Returns a value that may be negative.
    pub(super) fn signed(&self, row: usize) -> Option<i64> {
        self.values.is_valid(row).then(|| self.values.value(row))
    }

    pub(super) fn position(&self, row: usize) -> Result<u32, Rejection> {
        checks::position(self.name, self.get(row)?)
    }
}

/// Real numbers.
pub(super) struct Reals {
    name: &'static str,
    values: Float64Array,
}

impl Cells for Reals {
    fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        Ok(Self { name, values: cast(&original, &DataType::Float64)?.as_primitive::<Float64Type>().clone() })
    }
}

impl Reals {
    /// Returns a value, or `None` where it is missing.
    pub(super) fn get(&self, row: usize) -> Result<Option<f64>, Rejection> {
        if self.values.is_null(row) { Ok(None) } else { checks::finite(self.name, self.values.value(row)).map(Some) }
    }
}

pub(super) struct Texts {
    name: &'static str,
    /// The values as they were decoded.
    original: ArrayRef,
    /// Which value of the dictionary each row has, or `None` where there is no dictionary.
    keys: Option<Int32Array>,
    /// The values, of the rows or of the dictionary.
    values: StringArray,
}

impl Cells for Texts {
    fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        if let Some(dictionary) = original.as_dictionary_opt::<Int32Type>() {
            let (keys, values) = (dictionary.keys().clone(), cast(dictionary.values(), &DataType::Utf8)?);
            return Ok(Self { name, keys: Some(keys), values: values.as_string::<i32>().clone(), original });
        }
        let values = cast(&original, &DataType::Utf8)?.as_string::<i32>().clone();
        Ok(Self { name, original, keys: None, values })
    }
}

impl Texts {
    /// Returns a value, or `None` where it is missing or no text.
    pub(super) fn get(&self, row: usize) -> Option<&str> {
        let index = if self.keys.is_some() { self.dictionary_key(row)? } else { row };
        self.values.is_valid(index).then(|| self.values.value(index))
    }

    /// Returns where the value stands in the dictionary, or `None` where it is missing or there is no dictionary.
    pub(super) fn dictionary_key(&self, row: usize) -> Option<usize> {
        let keys = self.keys.as_ref()?;
        if keys.is_valid(row) { usize::try_from(keys.value(row)).ok() } else { None }
    }

    pub(super) fn dictionary_len(&self) -> usize {
        if self.keys.is_some() { self.values.len() } else { 0 }
    }

    /// Returns a value, or a rejection for that reason.
    pub(super) fn get_or(&self, reason: Reason, row: usize) -> Result<&str, Rejection> {
        self.get(row).ok_or_else(|| bad(reason, self.name, &self.original, row))
    }

    /// Returns a value, or an empty text where it is missing; one that is no text is rejected.
    pub(super) fn get_or_empty(&self, reason: Reason, row: usize) -> Result<&str, Rejection> {
        match self.get(row) {
            Some(text) => Ok(text),
            None if self.original.is_null(row) => Ok(""),
            None => Err(bad(reason, self.name, &self.original, row)),
        }
    }
}

pub(super) enum WholesOrTexts {
    Wholes(Wholes),
    Texts(Texts),
}

impl Cells for WholesOrTexts {
    fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        if matches!(original.data_type(), DataType::Utf8 | DataType::Binary) {
            Texts::of(name, original).map(Self::Texts)
        } else {
            Wholes::of(name, original).map(Self::Wholes)
        }
    }
}

impl WholesOrTexts {
    /// Returns the number of a protein's accession.
    pub(super) fn protein(&self, row: usize) -> Result<u64, Rejection> {
        match self {
            Self::Wholes(wholes) => checks::protein(wholes.get_or(Reason::BadAccession, row)?),
            Self::Texts(texts) => checks::protein_text(texts.get_or(Reason::BadAccession, row)?),
        }
    }

    /// Returns the number of a contig's accession.
    pub(super) fn contig(&self, row: usize) -> Result<u64, Rejection> {
        match self {
            Self::Wholes(wholes) => checks::contig(wholes.get_or(Reason::BadPlace, row)?),
            Self::Texts(texts) => checks::contig_text(texts.get_or(Reason::BadPlace, row)?),
        }
    }

    /// Returns a value as the file has it, for showing it in a report.
    pub(super) fn shown(&self, row: usize) -> String {
        let (Self::Wholes(Wholes { name, original, .. }) | Self::Texts(Texts { name, original, .. })) = self;
        let value = if original.is_null(row) {
            "null".to_owned()
        } else {
            array_value_to_string(original, row).unwrap_or_default()
        };
        format!("{name}={value}")
    }
}

/// Whether genes are complete.
pub(super) enum Completeness {
    Flags(BooleanArray),
    /// Numbers, 0 and 1.
    Wholes(Wholes),
    /// Truth values or descriptions, as text.
    Texts(Texts),
}

impl Cells for Completeness {
    fn of(name: &'static str, original: ArrayRef) -> Result<Self, ArrowError> {
        match original.data_type() {
            DataType::Boolean => Ok(Self::Flags(original.as_boolean().clone())),
            DataType::Utf8 | DataType::Binary => Texts::of(name, original).map(Self::Texts),
            _ => Wholes::of(name, original).map(Self::Wholes),
        }
    }
}

impl Completeness {
    /// Returns a value, or `None` where the source does not say.
    pub(super) fn get(&self, row: usize) -> Result<Option<bool>, Rejection> {
        match self {
            Self::Flags(flags) => Ok(flags.is_valid(row).then(|| flags.value(row))),
            Self::Wholes(wholes) if wholes.original.is_null(row) => Ok(None),
            Self::Wholes(wholes) => match wholes.signed(row) {
                Some(0) => Ok(Some(false)),
                Some(1) => Ok(Some(true)),
                _ => Err(bad(Reason::BadFullLength, wholes.name, &wholes.original, row)),
            },
            Self::Texts(texts) => checks::completeness_cell(texts.get_or_empty(Reason::BadFullLength, row)?),
        }
    }
}
