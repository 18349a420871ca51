//! A worker: receives ranges one after another, joins the slices of each, and writes a segment of
//! the records.

use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam::channel::{Receiver, Sender};
use indexer::Error;
use store::durable;
use store_proteins::SegmentWriter;

use crate::context::RunContext;
use crate::join::account::RowAccount;
use crate::join::joiner::Joiner;
use crate::join::planner::PlannedRange;
use crate::join::range::Slice;
use crate::join::rejects::range_part;
use crate::read::layout::KnownBy;
use crate::resume::journal::FinishedRange;
use crate::table::PerTable;
use crate::threads::Stop;

pub(super) struct RangeTask {
    pub(super) planned: PlannedRange,
    /// The rows of all other tables.
    pub(super) slices: PerTable<Slice>,
}

#[derive(Clone, Copy)]
pub(super) struct Worker<'a> {
    pub(super) context: &'a RunContext,
    pub(super) known_by: KnownBy,
    /// Set as soon as the run has failed somewhere.
    pub(super) has_failed: &'a AtomicBool,
}

impl Worker<'_> {
    pub(super) fn run(&self, tasks: &Receiver<RangeTask>, finished: &Sender<FinishedRange>) -> Result<(), Stop> {
        for task in tasks {
            // If bad rows exceeded the limit a while ago, that ends the run even if no more are
            // found.
            self.context.limit.check_overdue().inspect_err(|_| self.has_failed.store(true, Ordering::Relaxed))?;
            // The last merge depends on this flag: it is set before the sender of finished ranges
            // is dropped.
            let indexed = self.index(task).inspect_err(|_| self.has_failed.store(true, Ordering::Relaxed));
            finished.send(indexed?).map_err(|_| Stop::Aborted)?;
        }
        Ok(())
    }

    fn index(&self, task: RangeTask) -> Result<FinishedRange, Stop> {
        let RunContext { draft, budget, .. } = self.context;
        let RangeTask { planned: PlannedRange { range, rejected, tally }, slices } = task;
        let folder = part_folder(range.number);
        // A killed run may have left a part of the segment.
        durable::remove_folder(&draft.join(&folder)).map_err(Error::from)?;
        let mut segment = SegmentWriter::create(draft, &folder, budget.segment_bytes).map_err(Error::from)?;
        let mut account = RowAccount::new(self.context, &range_part(range.number));
        account.tally.add(tally);
        for (file, row) in rejected {
            account.reject(file, &row)?;
        }
        let joiner = Joiner::new(self.known_by, account, slices);
        let tally = joiner.run(&range, |biomes, accession, record| {
            Ok(segment.add(biomes, &self.context.families, accession, record)?)
        })?;
        let segment = segment.finish().map_err(Error::from)?;
        let files = match &segment {
            Some(segment) => store::list_folder(draft, &segment.folder).map_err(Error::from)?,
            None => Vec::new(),
        };
        Ok(FinishedRange { number: range.number, keys: range.keys.clone(), segment, files, tally })
    }
}

fn part_folder(range: u32) -> String {
    format!("part-{range:06}")
}
