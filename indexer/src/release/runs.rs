//! Rows that go through the sorter, and come back in order.

use std::path::{Path, PathBuf};

use super::block::{Row, RowPlace};
use super::source::{Batch, RowSource};
use crate::Result;
use crate::sort::{SortedEntries, Sorter};

/// Sorts rows.
pub(super) struct RowSorter {
    /// The sorter.
    sorter: Sorter,
    /// The entry that is being made: place and payload.
    entry: Vec<u8>,
}

/// Merges sorted runs.
pub(super) struct RunSource {
    /// The entries.
    entries: SortedEntries,
    /// The entry that was read.
    entry: Vec<u8>,
    /// Rows with lower keys are not wanted.
    first_key: u64,
}

impl RowSorter {
    /// Makes a sorter that spills into a folder. The names of its files start with `name`.
    pub(super) fn new(folder: &Path, name: &str, memory_bytes: usize) -> Self {
        Self { sorter: Sorter::named(folder, name, memory_bytes), entry: Vec::new() }
    }

    /// Takes a row.
    ///
    /// # Errors
    ///
    /// * A run cannot be written.
    pub(super) fn push(&mut self, row: Row<'_>) -> Result<()> {
        self.entry.clear();
        self.entry.extend(row.place.to_bits().to_le_bytes());
        self.entry.extend(row.payload);
        self.sorter.push(row.key, &self.entry)
    }

    /// Returns the sorted runs, at most so many.
    ///
    /// # Errors
    ///
    /// * A run cannot be written or read.
    pub(super) fn finish(self, num_runs_max: usize) -> Result<Vec<PathBuf>> {
        self.sorter.finish_runs(num_runs_max)
    }
}

impl RunSource {
    /// Opens the runs that [`RowSorter::finish`] returned.
    ///
    /// # Errors
    ///
    /// * A run cannot be read.
    pub(super) fn open(runs: &[PathBuf]) -> Result<Self> {
        Ok(Self { entries: SortedEntries::open(runs)?, entry: Vec::new(), first_key: 0 })
    }
}

impl RowSource for RunSource {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        while !batch.rows.is_full() {
            let Some(key) = self.entries.next(&mut self.entry)? else { return Ok(false) };
            if key < self.first_key {
                continue;
            }
            let (place, payload) = self.entry.split_first_chunk().ok_or(crate::Error::Spill)?;
            let place = RowPlace::from_bits(u64::from_le_bytes(*place));
            batch.rows.push(key, place, |out| out.extend(payload));
        }
        Ok(true)
    }

    fn skip_before(&mut self, key: u64) -> Result<()> {
        self.first_key = key;
        Ok(())
    }
}
