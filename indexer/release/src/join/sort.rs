//! Sorting rows by key, and reading them back in order.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use indexer::Result;
use indexer::run::{Progress, StageReport, Unit};
use indexer::sort::{SortedEntries, Sorter, decode};
use serde_bytes::Bytes;
use store::durable;

use crate::context::RunContext;
use crate::read::{Batch, OpenTable, Row, RowOrigin, RowSource};
use crate::resume::journal::SortedRows;

use super::account::RowAccount;

/// Adds a row to be returned by a [`SortedSource`].
pub(crate) fn push_row(sorter: &mut Sorter, row: Row<'_>) -> Result<()> {
    sorter.push_value(row.key, &(row.origin, Bytes::new(row.payload)))
}

pub(crate) struct SortedSource {
    entries: SortedEntries,
    entry: Vec<u8>,
    first_key: u64,
}

impl SortedSource {
    pub(crate) fn open(runs: &[PathBuf]) -> Result<Self> {
        Ok(Self { entries: SortedEntries::open(runs)?, entry: Vec::new(), first_key: 0 })
    }
}

impl RowSource for SortedSource {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        while !batch.rows.is_full() {
            let Some(key) = self.entries.next(&mut self.entry)? else { return Ok(false) };
            if key < self.first_key {
                continue;
            }
            let (origin, payload): (RowOrigin, &Bytes) = decode(&self.entry)?;
            batch.rows.push_encoded(Row { key, origin, payload });
        }
        Ok(true)
    }

    fn skip_before(&mut self, key: u64) {
        self.first_key = key;
    }
}

/// Sorts the rows of a table. `name` is their name in file names and in the journal.
pub(super) fn sort(context: &RunContext, name: &str, table: OpenTable) -> Result<(SortedRows, StageReport)> {
    let OpenTable { mut source, bytes_read, total_bytes } = table;
    let progress = Progress::start("sorting", Unit::Bytes, total_bytes);
    let mut account = RowAccount::new(context, name);
    let mut sorter = Sorter::named(&context.work, name, context.budget.sorting_bytes);
    let mut batch = Batch::default();
    let mut is_more = true;
    while is_more {
        context.limit.check_overdue()?;
        batch.clear();
        is_more = source.next(&mut batch)?;
        for row in batch.rows.iter() {
            push_row(&mut sorter, row)?;
        }
        for (origin, left_out) in &batch.left_out {
            if let Some(row) = account.tally.leave_out(*origin, left_out) {
                account.reject(origin.file(), row)?;
            }
        }
        progress.set(bytes_read.load(Ordering::Relaxed));
    }
    drop(source);
    let runs = sorter.finish_runs(context.budget.num_runs_max)?;
    let tally = account.finish()?;
    runs.iter().try_for_each(|run| durable::sync(run))?;
    let runs = runs.iter().map(|run| run.strip_prefix(&context.work).unwrap_or(run).to_owned()).collect();
    let stage = StageReport::new(format!("sorting {name}"), progress.finish());
    Ok((SortedRows { name: name.to_owned(), runs, tally }, stage))
}
