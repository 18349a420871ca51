//! The columns of a batch that is being filled.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, ListArray, StringArray};
use arrow_schema::{DataType, Field, FieldRef};
use serde::Serialize;

use crate::TableError;

/// The memory of a value in addition to its text.
const VALUE_BYTES: usize = 8;

/// The type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A text.
    Text,
    /// A text, or null if it is missing.
    OptionalText,
    /// A whole number.
    Number,
    /// A number with decimal places.
    Decimal,
    /// A whole number, which may be negative, or null if it is missing.
    OptionalNumber,
    /// A number with decimal places, or null if it is missing.
    OptionalDecimal,
    /// A boolean, or null if it is unknown.
    Truth,
    /// A list of texts.
    Texts,
    /// A list of some of these texts, which are written once, as a dictionary.
    Labels(Vec<String>),
}

/// A value of a row. A column whose values are not optional has no `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// See [`ColumnType::Text`] and [`ColumnType::OptionalText`].
    Text(Option<String>),
    /// See [`ColumnType::Number`] and [`ColumnType::OptionalNumber`].
    Number(Option<i64>),
    /// See [`ColumnType::Decimal`] and [`ColumnType::OptionalDecimal`].
    Decimal(Option<f64>),
    /// See [`ColumnType::Truth`].
    Truth(Option<bool>),
    /// See [`ColumnType::Texts`] and [`ColumnType::Labels`].
    List(Vec<String>),
}

impl Cell {
    /// Returns a cell with a text.
    pub fn text(text: impl Display) -> Self {
        Self::Text(Some(text.to_string()))
    }

    /// Returns a cell with a number. A number of 2^63 or more is missing.
    pub fn number(number: impl TryInto<i64>) -> Self {
        Self::Number(number.try_into().ok())
    }
}

/// The values of a column.
pub(crate) enum Column {
    Text(StringBuilder),
    Number(Int64Builder),
    Decimal(Float64Builder),
    Truth(BooleanBuilder),
    Texts(ListBuilder<StringBuilder>),
    Labels { keys: ListBuilder<Int32Builder>, ordinals: HashMap<String, i32>, labels: ArrayRef },
}

impl ColumnType {
    /// Returns the field of a schema.
    pub(crate) fn field(&self, name: &str) -> Field {
        let (data_type, is_nullable) = match self {
            Self::Text => (DataType::Utf8, false),
            Self::OptionalText => (DataType::Utf8, true),
            Self::Number => (DataType::Int64, false),
            Self::Decimal => (DataType::Float64, false),
            Self::OptionalNumber => (DataType::Int64, true),
            Self::OptionalDecimal => (DataType::Float64, true),
            Self::Truth => (DataType::Boolean, true),
            Self::Texts => (DataType::List(item(DataType::Utf8)), false),
            Self::Labels(_) => (DataType::List(item(label_type())), false),
        };
        Field::new(name, data_type, is_nullable)
    }
}

impl Column {
    pub(crate) fn new(column: ColumnType) -> Self {
        match column {
            ColumnType::Text | ColumnType::OptionalText => Self::Text(StringBuilder::new()),
            ColumnType::Number | ColumnType::OptionalNumber => Self::Number(Int64Builder::new()),
            ColumnType::Decimal | ColumnType::OptionalDecimal => Self::Decimal(Float64Builder::new()),
            ColumnType::Truth => Self::Truth(BooleanBuilder::new()),
            ColumnType::Texts => Self::Texts(ListBuilder::new(StringBuilder::new()).with_field(item(DataType::Utf8))),
            ColumnType::Labels(labels) => Self::Labels {
                keys: ListBuilder::new(Int32Builder::new()),
                labels: Arc::new(StringArray::from_iter_values(&labels)),
                ordinals: labels.into_iter().zip(0..).collect(),
            },
        }
    }

    /// Appends a value. Returns its approximate size in bytes.
    ///
    /// # Errors
    ///
    /// * The value is of another type.
    pub(crate) fn push(&mut self, cell: Cell) -> Result<usize, TableError> {
        let num_text_bytes = match (self, cell) {
            (Self::Text(texts), Cell::Text(text)) => {
                texts.append_option(text.as_deref());
                text.map_or(0, |text| text.len())
            }
            (Self::Number(numbers), Cell::Number(number)) => {
                numbers.append_option(number);
                0
            }
            (Self::Decimal(numbers), Cell::Decimal(number)) => {
                numbers.append_option(number);
                0
            }
            (Self::Truth(truths), Cell::Truth(truth)) => {
                truths.append_option(truth);
                0
            }
            (Self::Texts(lists), Cell::List(list)) => {
                let num_bytes = list.iter().map(|text| text.len() + VALUE_BYTES).sum();
                for text in list {
                    lists.values().append_value(text);
                }
                lists.append(true);
                num_bytes
            }
            (Self::Labels { keys, ordinals, .. }, Cell::List(list)) => {
                for label in &list {
                    keys.values().append_value(*ordinals.get(label).ok_or(TableError::Row)?);
                }
                keys.append(true);
                list.len() * VALUE_BYTES
            }
            _ => return Err(TableError::Row),
        };
        Ok(num_text_bytes + VALUE_BYTES)
    }

    /// Returns the values, and starts again without any.
    pub(crate) fn finish(&mut self) -> Result<ArrayRef, TableError> {
        Ok(match self {
            Self::Text(texts) => Arc::new(texts.finish()),
            Self::Number(numbers) => Arc::new(numbers.finish()),
            Self::Decimal(numbers) => Arc::new(numbers.finish()),
            Self::Truth(truths) => Arc::new(truths.finish()),
            Self::Texts(lists) => Arc::new(lists.finish()),
            Self::Labels { keys, labels, .. } => {
                let (_, offsets, keys, nulls) = keys.finish().into_parts();
                // All batches share the labels, so that a stream has them only once.
                let items = DictionaryArray::try_new(keys.as_primitive::<Int32Type>().clone(), Arc::clone(labels))?;
                Arc::new(ListArray::try_new(item(label_type()), offsets, Arc::new(items), nulls)?)
            }
        })
    }
}

/// Returns the field of the values of lists.
fn item(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("item", data_type, false))
}

fn label_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}
