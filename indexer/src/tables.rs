//! The small tables beside the rows: biomes, Pfam families, replaced accessions.

pub(crate) mod biomes;
pub(crate) mod families;
pub(crate) mod replacements;

use std::io::Read;

use crate::input::{BytesRead, Input};
use crate::{Error, Result};

/// Opens a tab-separated table without quoting.
fn open_tsv(input: &Input, has_headers: bool) -> Result<csv::Reader<Box<dyn Read + Send>>> {
    let reader = input.open(&BytesRead::default()).map_err(|source| input.error(0, source))?;
    Ok(csv::ReaderBuilder::new()
        .delimiter(b'\t')
        .quoting(false)
        .flexible(true)
        .has_headers(has_headers)
        .from_reader(reader))
}

/// Returns the error for a row that the CSV library cannot read.
fn unreadable(input: &Input, error: csv::Error) -> Error {
    let line = error.position().map_or(0, csv::Position::line);
    let problem = match error.into_kind() {
        csv::ErrorKind::Io(source) => return input.error(line, source),
        csv::ErrorKind::Utf8 { err, .. } => format!("column {} is not UTF-8 text", err.field() + 1),
        _ => "it is not readable as tab-separated text".to_owned(),
    };
    Error::table(&input.name(), line, problem)
}

fn line_of(row: &csv::StringRecord) -> u64 {
    row.position().map_or(0, csv::Position::line)
}
