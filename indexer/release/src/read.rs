//! Turns files into rows. [`layout`] finds the files of each table, and [`open`] reads them as
//! [`batch::Batch`]es of rows in one form for all encodings: a key, an origin, and a payload.

mod batch;
mod cell;
mod checks;
mod fasta;
pub(super) mod layout;
pub(super) mod lineages;
mod parquet;
mod row;
pub(super) mod rows;
pub(super) mod sums;
mod text;
mod tsv;

use std::sync::Arc;

use indexer::Result;
use indexer::input::{BytesRead, Input};
use indexer::run::preflight;

use self::layout::{Format, TableInput};
use self::lineages::Lineages;

pub(super) use self::batch::{Batch, LeftOut, MappedRows, Row, RowBlock, RowOrigin, RowSource, RowsAhead};
pub(super) use self::parquet::order::is_ordered_by_statistics;

/// Checks the files of a table, and returns the number of their rows if the files have it.
pub(super) fn num_rows(input: &TableInput) -> Result<Option<u64>> {
    if input.format == Format::Parquet {
        return parquet::num_rows(input).map(Some);
    }
    let files: Vec<Input> = input.files.iter().map(|file| Input::Path(file.path.clone())).collect();
    preflight::input_sizes(&files).map(|_| None)
}

pub(super) struct OpenTable {
    pub(super) source: Box<dyn RowSource>,
    /// The bytes of the input that were read. They grow up to `total_bytes`.
    pub(super) bytes_read: BytesRead,
    /// The bytes to read: for Parquet files, the compressed bytes of the columns that are needed;
    /// for others, the whole files. It is 0 if the rows were sorted before.
    pub(super) total_bytes: u64,
}

impl OpenTable {
    pub(super) fn map<S: RowSource + 'static>(self, turn: impl FnOnce(Box<dyn RowSource>) -> S) -> Self {
        Self { source: Box::new(turn(self.source)), ..self }
    }
}

/// Opens the files of a table, which are read one after another.
pub(super) fn open(input: &TableInput, lineages: &Arc<Lineages>) -> Result<OpenTable> {
    let bytes_read = BytesRead::default();
    let file_bytes = input.files.iter().map(|file| file.size_bytes).sum();
    let (source, total_bytes) = match input.format {
        Format::Parquet => parquet::open(input, lineages, &bytes_read)?,
        Format::Tsv => (tsv::open(input, lineages, &bytes_read)?, file_bytes),
        Format::Fasta => (fasta::open(input, &bytes_read)?, file_bytes),
    };
    Ok(OpenTable { source, bytes_read, total_bytes })
}

#[cfg(test)]
mod tests;
