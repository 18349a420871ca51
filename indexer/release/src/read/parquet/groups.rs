//! The row groups of a table, and the rows of each.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use indexer::Result;
use indexer::input::BytesRead;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

use crate::read::batch::{Batch, RowOrigin};
use crate::read::layout::{ReleaseFile, TableInput};
use crate::read::lineages::LineageCache;
use crate::table::Table;

use super::file::{GroupSize, ParquetFile, guarded};
use super::order;
use super::rows::TableRows;

/// The row groups of a table that were not taken yet, in the order of its files.
#[derive(Clone)]
pub(super) struct Groups {
    pub(super) table: Table,
    files: std::vec::IntoIter<ReleaseFile>,
    /// If set, row groups that only have lower keys are skipped.
    first_key: Option<u64>,
    current: Option<OpenFile>,
    bytes_read: BytesRead,
}

#[derive(Clone)]
struct OpenFile {
    file: Arc<ParquetFile>,
    /// The row groups that were neither taken nor skipped, each with the number of rows before it.
    groups: VecDeque<(usize, u64)>,
}

/// A row group that is being read.
pub(super) struct Group {
    table: Table,
    file: Arc<ParquetFile>,
    index: usize,
    reader: ParquetRecordBatchReader,
    size: GroupSize,
    num_rows_before: u64,
    /// The number of rows that were decoded, and their share of the bytes.
    num_rows: u64,
    num_bytes: u64,
    /// The rows that were decoded last and are not in a batch yet.
    decoded: Option<TableRows>,
    bytes_read: BytesRead,
}

impl Groups {
    pub(super) fn new(input: &TableInput, bytes_read: &BytesRead) -> Self {
        let (table, files, bytes_read) = (input.table, input.files.clone().into_iter(), BytesRead::clone(bytes_read));
        Self { table, files, first_key: None, current: None, bytes_read }
    }

    pub(super) fn skip_before(&mut self, key: u64) {
        self.first_key = Some(key);
    }

    /// Takes the next row group, or returns `None` at the end of the last file.
    pub(super) fn next(&mut self) -> Result<Option<Group>> {
        loop {
            let OpenFile { file, groups } = if let Some(open) = &mut self.current {
                open
            } else {
                let Some(file) = self.files.next() else { return Ok(None) };
                self.current.insert(OpenFile::open(&file, self.table, self.first_key, &self.bytes_read)?)
            };
            if let Some((index, num_rows_before)) = groups.pop_front() {
                return Ok(Some(Group {
                    table: self.table,
                    file: Arc::clone(file),
                    index,
                    reader: file.read_group(index)?,
                    size: file.group_size(index),
                    num_rows_before,
                    num_rows: 0,
                    num_bytes: 0,
                    decoded: None,
                    bytes_read: BytesRead::clone(&self.bytes_read),
                }));
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
        let file = Arc::new(ParquetFile::open(file, table)?);
        let (mut groups, mut num_rows_before) = (VecDeque::new(), 0);
        for index in 0..file.num_groups() {
            let size = file.group_size(index);
            // The last skippable group is still read: bad rows at the start of the next one belong
            // to its last good row.
            if skipped.get(index..).is_some_and(|rest| rest.starts_with(&[true, true])) {
                bytes_read.fetch_add(size.bytes, Ordering::Relaxed);
            } else {
                groups.push_back((index, num_rows_before));
            }
            num_rows_before += size.rows;
        }
        Ok(Self { file, groups })
    }
}

impl Group {
    /// Appends the next rows, about a block of them. Returns false at the end of the group.
    pub(super) fn next(&mut self, lineages: &mut LineageCache, batch: &mut Batch) -> Result<bool> {
        if self.decoded.is_none() {
            self.decoded = self.decode()?;
        }
        let Some(rows) = &mut self.decoded else { return Ok(false) };
        rows.push(lineages, batch)?;
        if rows.is_at_end() {
            self.decoded = None;
        }
        Ok(true)
    }

    /// Decodes the next rows, or returns `None` at the end of the group.
    fn decode(&mut self) -> Result<Option<TableRows>> {
        let next = || self.reader.next().transpose();
        if let Some(batch) = guarded(&self.file.name, Some(self.index), next)? {
            let first = RowOrigin::new(self.file.position, self.num_rows_before + self.num_rows + 1);
            self.count(batch.num_rows() as u64);
            return self.file.rows(self.table, &batch, first).map(Some);
        }
        if self.num_rows != self.size.rows {
            return Err(self.file.wrong_row_count(self.index, self.num_rows));
        }
        self.bytes_read.fetch_add(self.size.bytes - self.num_bytes, Ordering::Relaxed);
        Ok(None)
    }

    /// Counts rows that were decoded, and their share of the bytes.
    fn count(&mut self, num_rows: u64) {
        self.num_rows += num_rows;
        let share = u128::from(self.size.bytes) * u128::from(self.num_rows) / u128::from(self.size.rows.max(1));
        let num_bytes = u64::try_from(share).unwrap_or(u64::MAX).min(self.size.bytes);
        self.bytes_read.fetch_add(num_bytes - self.num_bytes, Ordering::Relaxed);
        self.num_bytes = num_bytes;
    }
}
