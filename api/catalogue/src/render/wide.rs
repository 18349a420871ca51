//! The wide table of samples: a column for each key and unit of their metadata.
//!
//! The resources are read twice: for the columns, and for the rows.

mod columns;
pub(crate) mod samples;

use api_http::SourceError;
use api_tables::TableFormat;
use serde_json::Value;
use store_catalogue::model::SAMPLES;
use store_catalogue::{Listing, Ordinal, ResourceBody};

use super::stream::Writer;
use super::table::{Cell, Formulas, Layout, write_line};
use super::table_stream::TableStream;
use crate::request::negotiation::Format;
use crate::request::query::Query;
use crate::snapshot::Snapshot;
use columns::Columns;

/// The parameter for this table, and its value.
pub(crate) const METADATA: &str = "metadata";
const WIDE: &str = "wide";

/// The formats that need the parameter.
const FORMATS: [Format; 4] = [Format::Csv, Format::Tsv, Format::Parquet, Format::Arrow];

/// The error for a wide table of other resources or in other formats.
const NOT_POSSIBLE: &str =
    "Only samples have a wide table of metadata, with `format=csv`, `tsv`, `parquet` or `arrow`.";
const ONLY_VALUE: &str = "The only value is `wide`: a column for each key and unit of the metadata.";
pub(crate) const TOO_MANY_COLUMNS: &str =
    "The metadata of these samples have more than 1000 different keys and units, or very long ones: add filters.";

/// Converts resources to rows.
pub(crate) trait Rows: Send + 'static {
    /// Returns the names of the columns that do not depend on the metadata.
    fn names(&self) -> Vec<String>;

    /// Returns the values of these columns. They are neither lists nor objects.
    fn cells(&self, ordinal: Ordinal, body: &ResourceBody) -> Result<Vec<Value>, SourceError>;

    /// Returns the metadata: names of columns, which may be repeated, and values.
    fn entries(&self, body: &ResourceBody) -> Result<Vec<(String, String)>, SourceError>;
}

/// Returns whether a wide table is requested, or an error if it is not possible.
pub(crate) fn is_requested(query: &Query, resource_type: &str, format: Format) -> Result<bool, &'static str> {
    let is_possible = resource_type == SAMPLES && FORMATS.contains(&format);
    match query.last(METADATA) {
        Some(WIDE) => is_possible.then_some(true).ok_or(NOT_POSSIBLE),
        Some(_) if is_possible => Err(ONLY_VALUE),
        _ => Ok(false),
    }
}

/// Returns the name of the column of a metadata entry.
pub(crate) fn name_of(key: &str, unit: &str) -> String {
    if unit.is_empty() { key.to_owned() } else { format!("{key} ({unit})") }
}

/// Returns a value as a text; null becomes an empty text.
pub(crate) fn text_of(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    }
}

/// Writes resources as rows of a wide table.
pub(crate) struct WideTable<R> {
    rows: R,
    columns: Columns,
    output: Output,
}

enum Output {
    Text(Layout, Formulas),
    Table(TableStream),
}

impl<R: Rows> WideTable<R> {
    /// Begins a table of the resources of a listing, or returns `None` if it has too many columns.
    /// The metadata of Parquet and Arrow have the query of its resources.
    pub(crate) fn new(
        snapshot: &Snapshot,
        listing: &Listing,
        rows: R,
        format: Format,
        query: &Query,
    ) -> Result<Option<Self>, SourceError> {
        let table_format = match format {
            Format::Parquet => Some(TableFormat::Parquet),
            Format::Arrow => Some(TableFormat::Arrow),
            _ => None,
        };
        let columns = Columns::find(snapshot, listing, &rows, table_format.is_some())?;
        let Some(columns) = columns else { return Ok(None) };
        let layout = if format == Format::Tsv { Layout::Tsv } else { Layout::CsvWithBreaks };
        let mut output = Output::Text(layout, Formulas::of(query));
        if let Some(format) = table_format {
            let pairs = query.pairs().filter(|(name, _)| !["format", "fields", METADATA].contains(name));
            let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
            let about = [("query", query), ("generation", snapshot.name().to_string())];
            let about = about.map(|(name, value)| (format!("mgdex.{name}"), value));
            output = Output::Table(TableStream::begin(format, columns.typed(), about)?);
        }
        Ok(Some(Self { rows, columns, output }))
    }
}

impl<R: Rows> Writer for WideTable<R> {
    fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        if let Output::Text(layout, formulas) = self.output {
            let names: Vec<Value> = self.columns.names().iter().map(|name| Value::from(&**name)).collect();
            write_line(names.iter().map(Cell::from), layout, formulas, &mut head);
        }
        head
    }

    fn write(&mut self, ordinal: Ordinal, body: &ResourceBody, chunk: &mut Vec<u8>) -> Result<(), SourceError> {
        let cells = self.columns.cells(self.rows.cells(ordinal, body)?, self.rows.entries(body)?);
        match &mut self.output {
            Output::Text(layout, formulas) => write_line(cells.iter().map(Cell::from), *layout, *formulas, chunk),
            Output::Table(table) => table.write_row(self.columns.convert(cells), chunk)?,
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<u8>, SourceError> {
        match &mut self.output {
            Output::Text(..) => Ok(Vec::new()),
            Output::Table(table) => table.finish(),
        }
    }
}
