//! Values of facets and of enrichment as the rows of tables.

use api_catalogue::{Formulas, TableStream};
use api_http::SourceError;
use api_tables::{Cell, ColumnType};
use serde::Serialize;
use serde_json::Value;

use super::result_format::ResultFormat;
use super::results::{push_tsv_cells, push_tsv_head};

/// Writes values as NDJSON, or the members of each as a row of a table. The names of the columns are
/// separated by spaces; an interval has two, with `_low` and `_high`.
///
/// # Errors
///
/// * There is too little memory for a table.
pub fn write_values(
    values: &[impl Serialize],
    columns: &str,
    format: ResultFormat,
    formulas: Formulas,
    metadata: impl IntoIterator<Item = (String, String)>,
) -> Result<Vec<u8>, SourceError> {
    let typed = columns.split(' ').map(|name| (name, cell(name, &Value::Null).0));
    let mut table = format.table().map(|table| TableStream::begin(table, typed, metadata)).transpose()?;
    let is_tsv = format == ResultFormat::Tsv;
    let mut text = Vec::new();
    if is_tsv {
        push_tsv_head(columns.split(' '), &mut text);
    }
    for value in values {
        let value = serde_json::to_value(value).map_err(SourceError::fault)?;
        let cells = columns.split(' ').map(|name| cell(name, &value).1);
        if let Some(table) = &mut table {
            table.write_row(cells, &mut text)?;
            continue;
        }
        if is_tsv {
            push_tsv_cells(cells, formulas, &mut text);
        } else {
            text.extend(value.to_string().into_bytes());
        }
        text.push(b'\n');
    }
    if let Some(mut table) = table {
        text.append(&mut table.finish()?);
    }
    Ok(text)
}

/// Returns the type of a column, and its cell of a value.
fn cell(name: &str, value: &Value) -> (ColumnType, Cell) {
    let value = value.pointer(&format!("/{}", name.replace("_low", "/0").replace("_high", "/1")));
    match name {
        "value" | "name" | "representation" => {
            (ColumnType::OptionalText, Cell::Text(value.and_then(Value::as_str).map(str::to_owned)))
        }
        "count" | "background_count" | "interval_low" | "interval_high" => {
            (ColumnType::OptionalNumber, Cell::Number(value.and_then(Value::as_i64)))
        }
        _ => (ColumnType::OptionalDecimal, Cell::Decimal(value.and_then(Value::as_f64))),
    }
}
