//! Parquet tables.

mod cells;
mod columns;
mod file;
pub(super) mod order;
mod rows;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

use crate::Result;
use crate::release::table::Table;

use self::file::{GroupSize, ParquetFile, guarded};
use self::rows::{Span, TableRows};
use super::BytesRead;
use super::batch::{Batch, RowOrigin, RowSource};
use super::layout::{ReleaseFile, TableInput};
use super::lineages::{LineageCache, Lineages};

/// Returns how many rows the files of a table have, by their footers.
pub(super) fn num_rows(input: &TableInput) -> Result<u64> {
    sum_of_groups(input, |size| size.rows)
}

fn sum_of_groups(input: &TableInput, of_group: impl Fn(GroupSize) -> u64) -> Result<u64> {
    let files = input.files.iter().map(|file| {
        let file = ParquetFile::open(file, input.table)?;
        Ok((0..file.num_groups()).map(|index| of_group(file.group_size(index))).sum::<u64>())
    });
    files.sum()
}

struct ParquetSource {
    table: Table,
    files: std::vec::IntoIter<ReleaseFile>,
    /// Row groups that only have lower keys are skipped.
    first_key: Option<u64>,
    current: Option<OpenFile>,
    /// The rows that were decoded, and which of them did not go into a batch yet.
    decoded: Option<Box<(TableRows, Span)>>,
    lineages: LineageCache,
    bytes_read: BytesRead,
}

struct OpenFile {
    file: ParquetFile,
    /// The row groups that were not read yet and are not skipped, each with the number of rows before it.
    groups: VecDeque<(usize, u64)>,
    current: Option<OpenGroup>,
}

struct OpenGroup {
    index: usize,
    reader: ParquetRecordBatchReader,
    size: GroupSize,
    num_rows_before: u64,
    num_rows: u64,
    num_bytes: u64,
}

/// Opens the files of a table. Returns the source, and how many compressed bytes the columns have that are read.
pub(super) fn open(
    input: &TableInput,
    lineages: &Arc<Lineages>,
    bytes_read: &BytesRead,
) -> Result<(Box<dyn RowSource>, u64)> {
    let total_bytes = sum_of_groups(input, |size| size.bytes)?;
    let source = ParquetSource {
        table: input.table,
        files: input.files.clone().into_iter(),
        first_key: None,
        current: None,
        decoded: None,
        lineages: LineageCache::new(lineages),
        bytes_read: BytesRead::clone(bytes_read),
    };
    Ok((Box::new(source), total_bytes))
}

impl RowSource for ParquetSource {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        let decoded = match self.decoded.take() {
            Some(decoded) => Some(decoded),
            None => self.decode()?.map(Box::new),
        };
        let Some(mut decoded) = decoded else { return Ok(false) };
        let (rows, span) = &mut *decoded;
        rows.push(span, &mut self.lineages, batch)?;
        if !span.rows.is_empty() {
            self.decoded = Some(decoded);
        }
        Ok(true)
    }

    fn skip_before(&mut self, key: u64) {
        self.first_key = Some(key);
    }
}

impl ParquetSource {
    /// Decodes the next rows, or returns `None` at the end of the last file.
    fn decode(&mut self) -> Result<Option<(TableRows, Span)>> {
        loop {
            let open = if let Some(open) = &mut self.current {
                open
            } else {
                let Some(file) = self.files.next() else { return Ok(None) };
                self.current.insert(OpenFile::open(&file, self.table, self.first_key, &self.bytes_read)?)
            };
            if let Some((batch, first)) = open.next(&self.bytes_read)? {
                let span = Span { rows: 0..batch.num_rows(), first };
                return Ok(Some((open.file.rows(self.table, &batch)?, span)));
            }
            self.current = None;
        }
    }
}

impl OpenFile {
    fn open(file: &ReleaseFile, table: Table, first_key: Option<u64>, bytes_read: &BytesRead) -> Result<Self> {
        let skipped = match first_key {
            Some(key) => order::groups_before(file, table, key)?,
            None => Vec::new(),
        };
        let file = ParquetFile::open(file, table)?;
        let (mut groups, mut num_rows_before) = (VecDeque::new(), 0);
        for index in 0..file.num_groups() {
            let size = file.group_size(index);
            // The last of them is read all the same: bad rows at the start of the next one belong with its last good row.
            if skipped.get(index..).is_some_and(|rest| rest.starts_with(&[true, true])) {
                bytes_read.fetch_add(size.bytes, Ordering::Relaxed);
            } else {
                groups.push_back((index, num_rows_before));
            }
            num_rows_before += size.rows;
        }
        Ok(Self { file, groups, current: None })
    }

    /// Returns the next rows and the origin of the first, or `None` at the end of the file.
    fn next(&mut self, bytes_read: &BytesRead) -> Result<Option<(RecordBatch, RowOrigin)>> {
        loop {
            let Some(group) = &mut self.current else {
                let Some((index, num_rows_before)) = self.groups.pop_front() else { return Ok(None) };
                let (reader, size) = (self.file.read_group(index)?, self.file.group_size(index));
                self.current = Some(OpenGroup { index, reader, size, num_rows_before, num_rows: 0, num_bytes: 0 });
                continue;
            };
            let next = || group.reader.next().transpose();
            if let Some(batch) = guarded(&self.file.name, Some(group.index), next)? {
                let first = RowOrigin::new(self.file.position, group.num_rows_before + group.num_rows + 1);
                group.count(&batch, bytes_read);
                return Ok(Some((batch, first)));
            }
            if group.num_rows != group.size.rows {
                return Err(self.file.wrong_row_count(group.index, group.num_rows));
            }
            bytes_read.fetch_add(group.size.bytes - group.num_bytes, Ordering::Relaxed);
            self.current = None;
        }
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
