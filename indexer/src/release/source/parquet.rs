//! Parquet tables.

mod biomes;
mod cells;
mod columns;
mod decode;
mod file;
mod hits;
mod members;
mod order;
mod places;
mod rows;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow_array::RecordBatch;

use crate::Result;
use crate::release::block::RowPlace;
use crate::release::layout::{ReleaseFile, TableInput};
use crate::release::lineages::Lineages;
use crate::release::table::Table;

use self::file::{GroupReader, ParquetFile};
use self::rows::{Span, TableRows};
use super::rows_in::LineageCache;
use super::{Batch, BytesRead, RowSource};

pub(crate) use self::order::is_ordered_by_statistics;

/// Returns how many rows the files of a table have, by their footers.
///
/// # Errors
///
/// * A file cannot be opened, its footer cannot be read, or it lacks a column.
pub(super) fn num_rows(input: &TableInput) -> Result<u64> {
    let rows = input.files.iter().map(|file| {
        let file = ParquetFile::open(file, input.table)?;
        Ok((0..file.num_groups()).map(|index| file.group_size(index).rows).sum::<u64>())
    });
    rows.sum()
}

/// Rows of a table.
struct ParquetSource {
    /// The table.
    table: Table,
    /// The files that were not opened yet, in order.
    files: std::vec::IntoIter<ReleaseFile>,
    /// Rows with keys below are passed over by whole row groups.
    first_key: Option<u64>,
    /// The file that is read.
    current: Option<OpenFile>,
    /// The rows that were decoded, and how many of them went into batches.
    decoded: Option<Box<(TableRows, Span)>>,
    /// The biomes.
    lineages: LineageCache,
    /// Counts what was read.
    bytes_read: BytesRead,
}

/// The file that is read.
struct OpenFile {
    /// The file.
    file: ParquetFile,
    /// Which row groups are passed over; empty where none is.
    passed_over: Vec<bool>,
    /// The next row group.
    next_group: usize,
    /// How many rows the row groups before have.
    num_rows_before: u64,
    /// The row group that is read.
    group: Option<OpenGroup>,
}

/// The row group that is read.
struct OpenGroup {
    /// Decodes it.
    reader: GroupReader,
    /// How many rows and compressed bytes it has.
    size: GroupSize,
    /// How many rows were decoded.
    num_rows: u64,
    /// How many bytes were counted.
    num_bytes: u64,
}

/// The size of a row group.
#[derive(Clone, Copy, Debug)]
struct GroupSize {
    /// The number of rows.
    rows: u64,
    /// The compressed bytes of the columns that are read.
    bytes: u64,
}

/// Opens the files of a table.
///
/// # Errors
///
/// * A file cannot be opened, or lacks a column.
pub(super) fn open(input: &TableInput, lineages: &Arc<Lineages>, bytes_read: &BytesRead) -> Result<Box<dyn RowSource>> {
    for file in &input.files {
        ParquetFile::open(file, input.table)?;
    }
    Ok(Box::new(ParquetSource {
        table: input.table,
        files: input.files.clone().into_iter(),
        first_key: None,
        current: None,
        decoded: None,
        lineages: LineageCache::new(lineages),
        bytes_read: BytesRead::clone(bytes_read),
    }))
}

/// Returns how many compressed bytes the columns have that are read.
///
/// # Errors
///
/// * A file cannot be opened, or lacks a column.
pub(super) fn projected_bytes(input: &TableInput) -> Result<u64> {
    let mut bytes = 0;
    for file in &input.files {
        let file = ParquetFile::open(file, input.table)?;
        bytes += (0..file.num_groups()).map(|group| file.group_size(group).bytes).sum::<u64>();
    }
    Ok(bytes)
}

impl RowSource for ParquetSource {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        let mut decoded = match self.decoded.take() {
            Some(decoded) => decoded,
            None => match self.decode()? {
                Decoded::Rows(decoded) => decoded,
                Decoded::Nothing => return Ok(true),
                Decoded::End => return Ok(false),
            },
        };
        let (rows, span) = &mut *decoded;
        rows.push(span, &mut self.lineages, batch)?;
        if !span.rows.is_empty() {
            self.decoded = Some(decoded);
        }
        Ok(true)
    }

    fn skip_before(&mut self, key: u64) -> Result<()> {
        self.first_key = Some(key);
        Ok(())
    }
}

/// What came out of the decoder.
enum Decoded {
    /// Rows.
    Rows(Box<(TableRows, Span)>),
    /// Nothing: a row group or file is at its end.
    Nothing,
    /// Nothing any more.
    End,
}

impl ParquetSource {
    /// Decodes the next rows.
    fn decode(&mut self) -> Result<Decoded> {
        let open = if let Some(open) = &mut self.current {
            open
        } else {
            let Some(file) = self.files.next() else { return Ok(Decoded::End) };
            let mut passed_over = match self.first_key {
                Some(key) => order::groups_before(&file, self.table, key)?,
                None => Vec::new(),
            };
            // The last of them is read all the same: bad rows at the start of the next one belong with its last good row.
            for group in 0..passed_over.len() {
                passed_over[group] &= passed_over.get(group + 1) == Some(&true);
            }
            let file = ParquetFile::open(&file, self.table)?;
            self.current.insert(OpenFile { file, passed_over, next_group: 0, num_rows_before: 0, group: None })
        };
        let Some(group) = &mut open.group else {
            if open.next_group == open.file.num_groups() {
                self.current = None;
            } else {
                open.start_group(&self.bytes_read)?;
            }
            return Ok(Decoded::Nothing);
        };
        match group.reader.next()? {
            Some(batch) => {
                let span = Span {
                    rows: 0..batch.num_rows(),
                    first: RowPlace::new(open.file.position(), open.num_rows_before + group.num_rows + 1),
                };
                group.count(&batch, &self.bytes_read);
                Ok(Decoded::Rows(Box::new((open.file.rows(self.table, &batch)?, span))))
            }
            None if group.num_rows != group.size.rows => {
                Err(open.file.wrong_row_count(open.next_group - 1, group.num_rows))
            }
            None => {
                self.bytes_read.fetch_add(group.size.bytes - group.num_bytes, Ordering::Relaxed);
                open.num_rows_before += group.size.rows;
                open.group = None;
                Ok(Decoded::Nothing)
            }
        }
    }
}

impl OpenFile {
    /// Starts the next row group, or passes over it.
    fn start_group(&mut self, bytes_read: &BytesRead) -> Result<()> {
        let index = self.next_group;
        let size = self.file.group_size(index);
        self.next_group += 1;
        if self.passed_over.get(index) == Some(&true) {
            self.num_rows_before += size.rows;
            bytes_read.fetch_add(size.bytes, Ordering::Relaxed);
            return Ok(());
        }
        self.group = Some(OpenGroup { reader: self.file.read_group(index)?, size, num_rows: 0, num_bytes: 0 });
        Ok(())
    }
}

impl OpenGroup {
    /// Counts rows that were decoded, and their share of the bytes.
    fn count(&mut self, batch: &RecordBatch, bytes_read: &BytesRead) {
        self.num_rows += batch.num_rows() as u64;
        let share = u128::from(self.size.bytes) * u128::from(self.num_rows) / u128::from(self.size.rows.max(1));
        let num_bytes = u64::try_from(share).unwrap_or(u64::MAX).min(self.size.bytes);
        bytes_read.fetch_add(num_bytes - self.num_bytes, Ordering::Relaxed);
        self.num_bytes = num_bytes;
    }
}

#[cfg(test)]
mod tests;
