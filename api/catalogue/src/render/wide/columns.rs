//! The columns of a wide table, and the values of a row in them.

use std::collections::{BTreeSet, HashMap};

use api_http::SourceError;
use api_tables::{Cell, ColumnType};
use serde_json::Value;
use store_catalogue::Listing;

use super::{Rows, text_of};
use crate::render::stream::RESOURCES_PER_READ;
use crate::snapshot::Snapshot;

/// The limits of the metadata columns: their number, and the bytes of all their names.
const COLUMNS_MAX: usize = 1_000;
const NAMES_BYTES_MAX: usize = 256 << 10;

/// The separator between the values of repeated entries.
const SEPARATOR: &str = "; ";

/// Columns of numbers, even if no resource has one.
const NUMBERS: [(&str, ColumnType); 3] = [
    ("host_tax_id", ColumnType::OptionalNumber),
    ("latitude", ColumnType::OptionalDecimal),
    ("longitude", ColumnType::OptionalDecimal),
];

pub(super) struct Columns {
    /// The names of all columns; those that do not depend on the metadata are the first.
    names: Vec<String>,
    /// The types of the columns that do not depend on the metadata.
    types: Vec<ColumnType>,
    /// The metadata columns by name.
    of_metadata: HashMap<String, usize>,
}

impl Columns {
    /// Finds the columns of the resources of a listing, and their types if the table has types.
    /// Returns `None` if there are too many.
    pub(super) fn find(
        snapshot: &Snapshot,
        listing: &Listing,
        rows: &impl Rows,
        has_types: bool,
    ) -> Result<Option<Self>, SourceError> {
        let mut names = rows.names();
        let known = |name: &String| NUMBERS.into_iter().find(|(known, _)| known == name).map(|(_, number)| number);
        let mut types: Vec<Option<ColumnType>> = names.iter().map(known).collect();
        let (mut found, mut num_bytes) = (BTreeSet::new(), 0);
        snapshot.take_memory(listing.len().min(RESOURCES_PER_READ))?;
        for start in (0..listing.len()).step_by(RESOURCES_PER_READ) {
            if !snapshot.is_wanted() {
                return Err(snapshot.unfinished());
            }
            let ordinals = listing.ordinals(start..start + RESOURCES_PER_READ);
            for (body, &ordinal) in snapshot.resources_in_passing(&ordinals, listing)?.iter().zip(&ordinals) {
                let cells = if has_types { rows.cells(ordinal, body)? } else { Vec::new() };
                for (known, cell) in types.iter_mut().zip(&cells) {
                    widen(known, cell);
                }
                for (name, _) in rows.entries(body)? {
                    if !found.contains(&name) {
                        num_bytes += name.len();
                        found.insert(name);
                    }
                }
                if found.len() > COLUMNS_MAX || num_bytes > NAMES_BYTES_MAX {
                    return Ok(None);
                }
            }
        }
        let types = types.into_iter().map(|known| known.unwrap_or(ColumnType::OptionalText)).collect();
        let of_metadata = found.iter().cloned().zip(names.len()..).collect();
        // A key may be equal to the name of an attribute, or to the column name of another key.
        for key in &found {
            let mut name = key.clone();
            while names.contains(&name) || name != *key && found.contains(&name) {
                name.push_str(" (metadata)");
            }
            names.push(name);
        }
        Ok(Some(Self { names, types, of_metadata }))
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns names and types. Metadata columns are texts.
    pub(super) fn typed(&self) -> impl Iterator<Item = (&str, ColumnType)> {
        let types = self.types.iter().cloned().chain(std::iter::repeat(ColumnType::OptionalText));
        self.names.iter().map(String::as_str).zip(types)
    }

    /// Returns the values of all columns, given those that do not depend on the metadata.
    pub(super) fn cells(&self, mut cells: Vec<Value>, entries: Vec<(String, String)>) -> Vec<Value> {
        cells.resize(self.names.len(), Value::Null);
        for (name, value) in entries {
            let Some(&column) = self.of_metadata.get(&name) else { continue };
            match &mut cells[column] {
                Value::String(before) => {
                    before.push_str(SEPARATOR);
                    before.push_str(&value);
                }
                cell => *cell = value.into(),
            }
        }
        cells
    }

    /// Returns values as cells of a table.
    pub(super) fn convert(&self, cells: Vec<Value>) -> impl Iterator<Item = Cell> {
        let convert = |(number, cell): (usize, Value)| match self.types.get(number) {
            Some(ColumnType::OptionalNumber) => Cell::Number(cell.as_i64()),
            Some(ColumnType::OptionalDecimal) => Cell::Decimal(cell.as_f64()),
            Some(ColumnType::Truth) => Cell::Truth(cell.as_bool()),
            _ => Cell::Text((!cell.is_null()).then(|| text_of(cell))),
        };
        cells.into_iter().enumerate().map(convert)
    }
}

/// Widens the type of a column to include a value. Texts include everything.
fn widen(known: &mut Option<ColumnType>, cell: &Value) {
    use ColumnType::{OptionalDecimal, OptionalNumber, OptionalText, Truth};
    let of_cell = match cell {
        Value::Null => return,
        Value::Bool(_) => Truth,
        Value::Number(number) if number.is_i64() => OptionalNumber,
        Value::Number(_) => OptionalDecimal,
        _ => OptionalText,
    };
    *known = Some(match (known.take(), of_cell) {
        (None, of_cell) => of_cell,
        (Some(known), of_cell) if known == of_cell => known,
        (Some(OptionalNumber | OptionalDecimal), OptionalNumber | OptionalDecimal) => OptionalDecimal,
        _ => OptionalText,
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn columns(names: &[&str], metadata: &[&str]) -> Columns {
        let names: Vec<String> = names.iter().chain(metadata).map(|name| (*name).to_owned()).collect();
        let first = names.len() - metadata.len();
        let of_metadata = metadata.iter().map(|name| (*name).to_owned()).zip(first..).collect();
        Columns { types: vec![ColumnType::OptionalText; first], names, of_metadata }
    }

    #[test]
    fn repeated_entries_are_one_cell() {
        let entry = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let entries = vec![entry("depth (m)", "5"), entry("host", ""), entry("depth (m)", "7"), entry("host", "x")];
        let columns = columns(&["accession"], &["age", "depth (m)", "host"]);
        let cells = columns.cells(vec![json!("ERS1")], entries);
        assert_eq!(cells, [json!("ERS1"), json!(null), json!("5; 7"), json!("; x")]);
    }

    #[test]
    fn columns_hold_all_their_values() {
        use ColumnType::{OptionalDecimal, OptionalNumber, OptionalText, Truth};
        for (cells, expected) in [
            (vec![json!(null)], None),
            (vec![json!(1), json!(null), json!(-2)], Some(OptionalNumber)),
            (vec![json!(1), json!(1.5), json!(2)], Some(OptionalDecimal)),
            (vec![json!(u64::MAX)], Some(OptionalDecimal)),
            (vec![json!(true), json!(false)], Some(Truth)),
            (vec![json!(true), json!(1)], Some(OptionalText)),
            (vec![json!(1), json!("1"), json!(2)], Some(OptionalText)),
        ] {
            let mut known = None;
            for cell in &cells {
                widen(&mut known, cell);
            }
            assert_eq!(known, expected, "{cells:?}");
        }
    }
}
