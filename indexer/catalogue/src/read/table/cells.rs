//! The values of cells.

use indexer::run::{Reason, Rejection};
use serde_json::Value;
use store::is_missing_value;
use store_catalogue::Period;

use crate::read::{LATITUDE, LONGITUDE, degrees};

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// A text that may be any word.
    Name,
    Text,
    Date,
    /// A whole number of at least 0.
    Count,
    Latitude,
    Longitude,
}

impl Form {
    /// Reads a cell; null if it is empty. Returns `None` if it has another form.
    pub(super) fn value(self, cell: &str) -> Option<Value> {
        if self != Self::Name && is_missing_value(cell) {
            return Some(Value::Null);
        }
        match self {
            Self::Name | Self::Text => Some(cell.into()),
            Self::Date => Period::parse(cell).map(|_| cell.into()),
            Self::Count => cell.parse::<u64>().ok().map(Value::from),
            Self::Latitude => degrees(cell, LATITUDE).map(Value::from),
            Self::Longitude => degrees(cell, LONGITUDE).map(Value::from),
        }
    }

    /// Returns the rejection of a row with a cell in another form.
    pub(super) fn rejection(self, name: &str, cell: &str) -> Rejection {
        let (reason, expected) = match self {
            Self::Date => (Reason::BadDate, "a date such as 2026-11-24"),
            _ => (Reason::BadNumber, "a whole number"),
        };
        Rejection::new(reason, format!("{name}: {cell:?} is not {expected}"))
    }
}
