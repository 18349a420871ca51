//! Sorting the rows of a table before they are joined, where they are not in order.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::journal::SortedRows;
use super::reject_log::{RejectLog, list_path};
use super::runs::RowSorter;
use super::source::{Batch, RowSource};
use super::tally::Tally;
use crate::input::BytesRead;
use crate::run::{PassedOver, Progress, RejectLimit, RejectedRow, StageReport, Unit};
use crate::{Error, Result};

/// What sorting needs beside the rows.
pub(super) struct SortingRoom<'a> {
    /// The folder for the runs and the lists of bad rows.
    pub(super) work: &'a Path,
    /// How much memory the rows may take.
    pub(super) memory_bytes: usize,
    /// How many sorted runs of a table may be open while it is joined.
    pub(super) num_runs_max: usize,
    /// The names of all inputs, by position.
    pub(super) names: &'a [String],
    /// The limit of bad rows.
    pub(super) limit: &'a RejectLimit,
}

/// Rows that are to be sorted.
pub(super) struct Unsorted {
    /// What they are called, in the names of files and in the journal.
    pub(super) name: String,
    /// The rows.
    pub(super) source: Box<dyn RowSource>,
    /// How much of the input was read.
    pub(super) bytes_read: BytesRead,
    /// How large the input is.
    pub(super) total_bytes: u64,
}

impl SortingRoom<'_> {
    /// Sorts rows by their keys.
    ///
    /// # Errors
    ///
    /// * The input cannot be read; the disk is full; too many rows are bad.
    pub(super) fn sort(&self, unsorted: Unsorted) -> Result<(SortedRows, StageReport)> {
        let Unsorted { name, mut source, bytes_read, total_bytes } = unsorted;
        let mut progress = Progress::start("sorting", Unit::Bytes, total_bytes);
        let mut log = RejectLog::new(list_path(self.work, &name), self.names, self.limit);
        let mut tally = Tally::new(self.names.len());
        let mut sorter = RowSorter::new(self.work, &name, self.memory_bytes);
        let mut batch = Batch::default();
        let mut is_more = true;
        while is_more {
            batch.clear();
            is_more = source.next(&mut batch)?;
            for row in batch.rows.iter() {
                sorter.push(row)?;
            }
            for (place, rejection, excerpt) in batch.rejected.drain(..) {
                tally.read_rows(place.file(), 1);
                tally.reject(place.file(), rejection.reason);
                let row = RejectedRow { line: place.row(), rejection, excerpt };
                log.add(place.file(), &row)?;
            }
            let clans = batch.clan_rows.iter().map(|&place| (place, Some(PassedOver::Clan)));
            for (place, why) in clans.chain(batch.aside.iter().copied()) {
                tally.read_rows(place.file(), 1);
                match why {
                    Some(why) => tally.pass_over(place.file(), why, 1),
                    None => tally.accept(place),
                }
            }
            progress.set(bytes_read.load(Ordering::Relaxed));
        }
        drop(source);
        let runs = sorter.finish(self.num_runs_max)?;
        log.finish()?;
        let runs = runs.into_iter().map(|run| self.inside(&run)).collect::<Result<_>>()?;
        let stage = StageReport::new(format!("sorting {name}"), progress.finish());
        Ok((SortedRows { name, runs, tally }, stage))
    }

    /// Returns the path of a run inside the folder of the work, after waiting until the run is on the disk.
    fn inside(&self, run: &Path) -> Result<PathBuf> {
        File::open(run).and_then(|file| file.sync_all()).map_err(Error::io("cannot sync", run))?;
        Ok(run.strip_prefix(self.work).unwrap_or(run).to_owned())
    }
}
