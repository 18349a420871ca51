//! Values as the rows of tables.

use api_catalogue::{Formulas, TableStream};
use api_http::SourceError;
use api_tables::{Cell, ColumnType};
use serde::Serialize;
use serde_json::Value;

use super::result_format::ResultFormat;
use super::results::{push_tsv_cells, push_tsv_head};

/// Writes values as NDJSON, or the members of each as a row of a table. The names of the columns
/// are separated by spaces; an interval has two, with `_low` and `_high`.
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
    let mut text = Vec::new();
    let Some(table) = format.table() else {
        write_head(columns, format, &mut text);
        write_rows(values, columns, format, formulas, &mut text)?;
        return Ok(text);
    };
    let typed = columns.split(' ').map(|name| (name, cell(name, &Value::Null).0));
    let mut table = TableStream::begin(table, typed, metadata)?;
    for value in values {
        let value = serde_json::to_value(value).map_err(SourceError::fault)?;
        table.write_row(columns.split(' ').map(|name| cell(name, &value).1), &mut text)?;
    }
    text.append(&mut table.finish()?);
    Ok(text)
}

/// Writes the text before all rows, which only TSV has.
pub fn write_head(columns: &str, format: ResultFormat, text: &mut Vec<u8>) {
    if format == ResultFormat::Tsv {
        push_tsv_head(columns.split(' '), text);
    }
}

/// Writes values as lines of NDJSON or TSV, as [`write_values`] does.
///
/// # Errors
///
/// * A value has no JSON.
pub fn write_rows(
    values: &[impl Serialize],
    columns: &str,
    format: ResultFormat,
    formulas: Formulas,
    text: &mut Vec<u8>,
) -> Result<(), SourceError> {
    for value in values {
        let value = serde_json::to_value(value).map_err(SourceError::fault)?;
        if format == ResultFormat::Tsv {
            push_tsv_cells(columns.split(' ').map(|name| cell(name, &value).1), formulas, text);
        } else {
            text.extend(value.to_string().into_bytes());
        }
        text.push(b'\n');
    }
    Ok(())
}

/// Returns the type of a column, and its cell of a value.
fn cell(name: &str, value: &Value) -> (ColumnType, Cell) {
    let value = value.pointer(&format!("/{}", name.replace("_low", "/0").replace("_high", "/1")));
    match name {
        "value" | "name" | "representation" | "accession" | "representative" | "strand" => {
            (ColumnType::OptionalText, Cell::Text(value.and_then(Value::as_str).map(str::to_owned)))
        }
        "count" | "background_count" | "interval_low" | "interval_high" | "start" | "end" => {
            (ColumnType::OptionalNumber, Cell::Number(value.and_then(Value::as_i64)))
        }
        "pfam" => {
            let texts = value.and_then(Value::as_array).into_iter().flatten();
            (ColumnType::Texts, Cell::List(texts.filter_map(|text| text.as_str().map(str::to_owned)).collect()))
        }
        _ => (ColumnType::OptionalDecimal, Cell::Decimal(value.and_then(Value::as_f64))),
    }
}
