//! The third stage: batches are put back into the order of the input, and their records given to the sorter.

use std::collections::BTreeMap;
use std::{panic, thread};

use crossbeam::channel::Receiver;

use crate::Result;
use crate::notes::Notes;
use crate::rejects::Rejects;
use crate::sort::Sorter;

use super::FileCounts;
use super::check::CheckedBatch;
use super::write::Entry;

/// Takes checked batches in any order.
pub(super) struct Collector<'a> {
    /// Takes the records.
    sorter: &'a mut Sorter,
    /// Takes the rejected rows.
    rejects: &'a mut Rejects,
    /// Batches that came before their predecessors.
    early: BTreeMap<u64, CheckedBatch>,
    /// The rank of the batch that is due.
    due: u64,
    /// The rows of each input.
    files: Vec<FileCounts>,
    /// What was worth telling.
    notes: Notes,
    /// The entry that is being made.
    payload: Vec<u8>,
}

impl<'a> Collector<'a> {
    /// Makes a collector that waits for the first batch.
    pub(super) fn new(num_files: usize, sorter: &'a mut Sorter, rejects: &'a mut Rejects) -> Self {
        Self {
            sorter,
            rejects,
            early: BTreeMap::new(),
            due: 0,
            files: vec![FileCounts::default(); num_files],
            notes: Notes::default(),
            payload: Vec::new(),
        }
    }

    /// Collects until there are no more batches; calls `after_batch` after each.
    pub(super) fn run(
        &mut self,
        batches: &Receiver<thread::Result<CheckedBatch>>,
        places: &Receiver<()>,
        mut after_batch: impl FnMut(),
    ) -> Result<()> {
        for batch in batches {
            let batch = batch.unwrap_or_else(|panic| panic::resume_unwind(panic));
            self.early.insert(batch.sequence, batch);
            while let Some(batch) = self.early.remove(&self.due) {
                self.due += 1;
                self.collect(batch)?;
                // The place is there: the batch took it before it was sent.
                let _ = places.try_recv();
                after_batch();
            }
        }
        Ok(())
    }

    /// Returns the rows of each input, and what was worth telling.
    pub(super) fn finish(self) -> (Vec<FileCounts>, Notes) {
        (self.files, self.notes)
    }

    /// Takes the batch that is due.
    fn collect(&mut self, batch: CheckedBatch) -> Result<()> {
        self.files[batch.file].num_read += batch.num_rows;
        self.notes.add(batch.notes);
        for row in &batch.rejected {
            self.rejects.add(batch.file, row)?;
        }
        for row in &batch.rows {
            self.payload.clear();
            Entry { file: batch.file, line: row.line, excerpt: &row.excerpt, record: &row.record }
                .put(&mut self.payload);
            self.sorter.push(row.accession.number(), &self.payload)?;
        }
        Ok(())
    }
}
