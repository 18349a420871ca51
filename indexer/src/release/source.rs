//! Where the rows of a table come from: one contract for Parquet, tab-separated text, FASTA and sorted runs.

mod checks;
mod fasta;
mod parquet;
mod rows_in;
mod text;
mod tsv;

use std::sync::Arc;

use crate::Result;
use crate::input::{BytesRead, Input};
use crate::run::{PassedOver, Rejection, preflight};

use super::block::{RowBlock, RowPlace};
use super::layout::{Format, TableInput};
use super::lineages::Lineages;

pub(crate) use self::parquet::is_ordered_by_statistics;

/// Rows that were read, with those that are left out. Every row that was read is in exactly one of the three.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Good rows, in the order of the input.
    pub(crate) rows: RowBlock,
    /// Bad rows: place, what is wrong, and the start of the text.
    pub(crate) rejected: Vec<(RowPlace, Rejection, Vec<u8>)>,
    /// Rows of `ProtENN` whose annotation is a clan (`CL0193`) and no family.
    pub(crate) clan_rows: Vec<RowPlace>,
    /// Rows of another table that was read to make these: `None` for those that were used.
    pub(crate) aside: Vec<(RowPlace, Option<PassedOver>)>,
}

/// Reads a table from its files, one after another.
pub(crate) trait RowSource: Send {
    /// Appends the next rows, about a block of them, in the order of the input; false at the end. It may append nothing and still
    /// not be at the end.
    ///
    /// # Errors
    ///
    /// * A file cannot be read or decoded: the error names file and line, or file and row group.
    fn next(&mut self, batch: &mut Batch) -> Result<bool>;

    /// Passes over rows whose keys are below `key`, as far as that is cheaper than reading them. Only called before the first
    /// [`RowSource::next`], for a table that is in order; places of later rows are as if all had been read.
    ///
    /// # Errors
    ///
    /// * A file cannot be read.
    fn skip_before(&mut self, key: u64) -> Result<()> {
        let _ = key;
        Ok(())
    }
}

impl Batch {
    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.rejected.clear();
        self.clan_rows.clear();
        self.aside.clear();
    }
}

/// Looks into the files of a table, and returns how many rows they have, where that stands in them.
///
/// # Errors
///
/// * A file cannot be opened, or is not of the form that its name says.
pub(crate) fn num_rows(input: &TableInput) -> Result<Option<u64>> {
    if input.format == Format::Parquet {
        return parquet::num_rows(input).map(Some);
    }
    let files: Vec<Input> = input.files.iter().map(|file| Input::Path(file.path.clone())).collect();
    preflight::input_sizes(&files).map(|_| None)
}

/// Opens the files of a table, which are read one after another. `bytes_read` grows up to [`total_bytes`].
///
/// # Errors
///
/// * A file cannot be opened, or is not of the form that its name says.
pub(crate) fn open(input: &TableInput, lineages: &Arc<Lineages>, bytes_read: &BytesRead) -> Result<Box<dyn RowSource>> {
    match input.format {
        Format::Parquet => parquet::open(input, lineages, bytes_read),
        Format::Tsv => tsv::open(input, lineages, bytes_read),
        Format::Fasta => fasta::open(input, bytes_read),
    }
}

/// Returns how many bytes are read: of Parquet files those of the columns that are needed, compressed, of others the whole files.
///
/// # Errors
///
/// * A Parquet file cannot be opened, or lacks a column.
pub(crate) fn total_bytes(input: &TableInput) -> Result<u64> {
    match input.format {
        Format::Parquet => parquet::projected_bytes(input),
        Format::Tsv | Format::Fasta => Ok(input.files.iter().map(|file| file.size_bytes).sum()),
    }
}

#[cfg(test)]
mod tests;
