//! A worker: takes one range after another, joins its tables, and writes a segment of the records.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam::channel::{Receiver, Sender};
use store::{ProteinAccession, SegmentWriter};

use super::index::IndexRoom;
use super::join::{Joiner, RangeSlices, Stop};
use super::journal::FinishedRange;
use super::range::{KeyRange, SliceCounts};
use super::reject_log::{RejectLog, list_path, range_list};
use super::strangers::{Existing, Strangers};
use super::tally::Tally;
use crate::run::RejectedRow;
use crate::{Error, Result};

/// A range that is to be indexed.
pub(super) struct RangeTask {
    /// The range.
    pub(super) range: Arc<KeyRange>,
    /// Its first key.
    pub(super) start: u64,
    /// Bad rows of the table that names the proteins.
    pub(super) rejected: Vec<(u16, RejectedRow)>,
    /// How many rows of that table were read.
    pub(super) counts: SliceCounts,
    /// The rows of all other tables.
    pub(super) slices: RangeSlices,
}

/// Indexes ranges.
pub(super) struct Worker<'a> {
    /// What indexing needs.
    room: &'a IndexRoom<'a>,
    /// How accessions are known that exist without being indexed.
    existing: Existing,
    /// Set as soon as the run has failed somewhere.
    has_failed: &'a AtomicBool,
}

impl<'a> Worker<'a> {
    /// Makes a worker.
    pub(super) fn new(room: &'a IndexRoom<'a>, existing: Existing, has_failed: &'a AtomicBool) -> Self {
        Self { room, existing, has_failed }
    }

    /// Indexes ranges until there are no more. Ends early, without an error, when another part of the run has failed.
    ///
    /// # Errors
    ///
    /// * Too many rows are bad; the disk is full.
    pub(super) fn run(&self, tasks: &Receiver<RangeTask>, finished: &Sender<FinishedRange>) -> Result<()> {
        for task in tasks {
            let indexed = self.index(task).and_then(|range| finished.send(range).map_err(|_| Stop::Aborted));
            if let Err(stop) = indexed {
                self.has_failed.store(true, Ordering::Relaxed);
                return match stop {
                    Stop::Aborted => Ok(()),
                    Stop::Failed(error) => Err(error),
                };
            }
        }
        Ok(())
    }

    /// Indexes a range.
    fn index(&self, task: RangeTask) -> std::result::Result<FinishedRange, Stop> {
        let room = self.room;
        let RangeTask { range, start, rejected, counts, slices } = task;
        let folder = part_folder(range.number);
        // What a killed run has left there is not whole.
        let path = room.draft.join(&folder);
        if path.is_dir() {
            fs::remove_dir_all(&path).map_err(Error::io("cannot remove", &path))?;
        }
        let mut segment = SegmentWriter::create(room.draft, &folder, room.budget.segment_bytes).map_err(Error::from)?;
        let log = RejectLog::new(list_path(room.work, &range_list(range.number)), room.names, room.limit);
        let mut tally = Tally::new(room.names.len());
        tally.read(counts);
        let mut joiner = Joiner::new(room.lineages, room.families, log, tally, Strangers::new(self.existing));
        joiner.reject_all(&rejected)?;
        drop(rejected);
        let mut stored = Vec::new();
        let tally = joiner.run(&range, slices, &mut |biomes, accession: ProteinAccession, record| {
            stored.clear();
            record.encode(accession, &mut stored);
            Ok(segment.add(biomes, accession, &stored)?)
        })?;
        let segment = segment.finish().map_err(Error::from)?;
        let files = match &segment {
            Some(segment) => store::list_folder(room.draft, &segment.folder).map_err(Error::from)?,
            None => Vec::new(),
        };
        Ok(FinishedRange { number: range.number, start, end: range.end, segment, files, tally })
    }
}

/// Returns the folder of the segment of a range.
pub(super) fn part_folder(range: u32) -> String {
    format!("part-{range:06}")
}
