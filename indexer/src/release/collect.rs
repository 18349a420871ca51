//! Writes down which ranges are done, and merges neighbours so that there are few segments.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Scope};

use crossbeam::channel::{self, Receiver, Sender};
use store::SegmentEntry;

use super::index::IndexRoom;
use super::journal::{Done, Event, FinishedRange, MergedRanges};
use crate::{Error, Result};

/// How many parts are merged at once: each is an open file.
const PARTS_MAX: usize = 256;

/// How many proteins a segment should have at least, when what is left in the end is merged on all cores.
const LAST_DOCS_MIN: u64 = 250_000;

/// How many proteins are how far, for whoever shows the progress.
#[derive(Debug, Default)]
pub(super) struct ProteinCounts {
    /// Proteins in the segments of ranges, merged or not.
    pub(super) num_indexed: AtomicU64,
    /// Proteins in merged segments.
    pub(super) num_merged: AtomicU64,
}

/// Takes finished ranges in any order.
pub(super) struct Collector<'a> {
    /// What indexing needs.
    room: &'a IndexRoom<'a>,
    /// What was done.
    done: Done,
    /// Counts proteins.
    counts: &'a ProteinCounts,
    /// Ranges that came before their predecessors, by rank.
    early: BTreeMap<u32, Option<SegmentEntry>>,
    /// The rank of the range that is due.
    due: u32,
    /// The neighbours that will be merged, each with the rank of its range.
    group: Vec<(u32, SegmentEntry)>,
    /// How many groups were given to threads.
    num_groups: usize,
    /// Merged groups that came before their predecessors, by rank.
    early_groups: BTreeMap<usize, MergedRanges>,
}

/// What a merging thread returns: the rank of its group, and the segment.
type MergedGroup = (usize, thread::Result<Result<MergedRanges>>);

/// Where merging threads are started, and where they send their segments.
struct Mergers<'scope, 'env> {
    /// The scope of the threads.
    scope: &'scope Scope<'scope, 'env>,
    /// Given to each thread.
    sender: Sender<MergedGroup>,
    /// Receives the segments.
    receiver: Receiver<MergedGroup>,
    /// How many threads run.
    num_running: usize,
}

impl<'a> Collector<'a> {
    /// Starts behind what was merged before.
    pub(super) fn new(room: &'a IndexRoom<'a>, done: Done, counts: &'a ProteinCounts) -> Self {
        let num_merged = done.num_proteins();
        let num_unmerged: u64 = done.ranges.values().map(FinishedRange::num_docs).sum();
        counts.num_indexed.store(num_merged + num_unmerged, Ordering::Relaxed);
        counts.num_merged.store(num_merged, Ordering::Relaxed);
        let due = done.first_unmerged();
        let unmerged = done.ranges.range(due..);
        let early = unmerged.map(|(&number, range)| (number, range.segment.clone())).collect();
        let (num_groups, early_groups) = (done.merged.len(), BTreeMap::new());
        Self { room, done, counts, early, due, group: Vec::new(), num_groups, early_groups }
    }

    /// Takes ranges until there are no more, and returns everything that was done. Where the run has failed, what is left is not
    /// merged: the next run has more of it.
    ///
    /// # Errors
    ///
    /// * A segment cannot be read or written.
    pub(super) fn run(mut self, finished: &Receiver<FinishedRange>, has_failed: &AtomicBool) -> Result<Done> {
        thread::scope(|scope| {
            let (sender, receiver) = channel::unbounded();
            let mut mergers = Mergers { scope, sender, receiver, num_running: 0 };
            self.take_due(&mut mergers)?;
            for range in finished {
                self.write(&Event::Range(range.clone()))?;
                self.counts.num_indexed.fetch_add(range.num_docs(), Ordering::Relaxed);
                self.early.insert(range.number, range.segment.clone());
                self.done.ranges.insert(range.number, range);
                self.take_due(&mut mergers)?;
            }
            if !has_failed.load(Ordering::Relaxed) {
                self.merge_last(&mut mergers)?;
            }
            while mergers.num_running > 0 {
                self.wait(&mut mergers)?;
            }
            Ok(self.done)
        })
    }

    /// Puts the ranges that are due into the group, and merges it as soon as it is full.
    fn take_due<'scope>(&mut self, mergers: &mut Mergers<'scope, '_>) -> Result<()>
    where
        'a: 'scope,
    {
        while let Some(segment) = self.early.remove(&self.due) {
            let parts = self.group.iter().map(|(_, part)| part).chain(&segment);
            let num_docs: u64 = parts.map(|part| u64::from(part.num_docs)).sum();
            let is_full = num_docs > u64::from(self.room.budget.merged_docs) || self.group.len() == PARTS_MAX;
            if is_full && !self.group.is_empty() {
                while mergers.num_running >= self.room.budget.num_mergers {
                    self.wait(mergers)?;
                }
                let group = std::mem::take(&mut self.group);
                self.merge(group, mergers);
            }
            self.group.extend(segment.map(|segment| (self.due, segment)));
            self.due += 1;
        }
        Ok(())
    }

    /// Merges what is left, on all cores if it is much. The workers are idle by now.
    fn merge_last<'scope>(&mut self, mergers: &mut Mergers<'scope, '_>) -> Result<()>
    where
        'a: 'scope,
    {
        let group = std::mem::take(&mut self.group);
        let num_docs: u64 = group.iter().map(|(_, part)| u64::from(part.num_docs)).sum();
        let num_pieces = usize::try_from(num_docs / LAST_DOCS_MIN).unwrap_or(usize::MAX);
        let num_pieces = num_pieces.clamp(1, self.room.budget.num_workers);
        let length = group.len().div_ceil(num_pieces).max(1);
        for piece in group.chunks(length) {
            while mergers.num_running >= self.room.budget.num_workers {
                self.wait(mergers)?;
            }
            self.merge(piece.to_vec(), mergers);
        }
        Ok(())
    }

    /// Starts to merge a group.
    fn merge<'scope>(&mut self, group: Vec<(u32, SegmentEntry)>, mergers: &mut Mergers<'scope, '_>)
    where
        'a: 'scope,
    {
        let (room, rank, sender) = (self.room, self.num_groups, mergers.sender.clone());
        self.num_groups += 1;
        mergers.num_running += 1;
        let merge = move || {
            let merge = AssertUnwindSafe(|| merge_group(room.draft, rank, &group));
            // Nobody listens any more when another group has failed.
            let _ = sender.send((rank, panic::catch_unwind(merge)));
        };
        let thread = thread::Builder::new().name(format!("merge {rank}")).spawn_scoped(mergers.scope, merge);
        thread.expect("the system has room for some threads");
    }

    /// Waits for a group, and writes down all that are due.
    fn wait(&mut self, mergers: &mut Mergers<'_, '_>) -> Result<()> {
        let Ok((rank, merged)) = mergers.receiver.recv() else { return Ok(()) };
        mergers.num_running -= 1;
        let merged = merged.unwrap_or_else(|panic| panic::resume_unwind(panic))?;
        self.counts.num_merged.fetch_add(merged.segment.num_docs.into(), Ordering::Relaxed);
        self.early_groups.insert(rank, merged);
        while let Some(merged) = self.early_groups.remove(&self.done.merged.len()) {
            let event = Event::Merged(merged.clone());
            self.write(&event)?;
            let parts = self.done.ranges.range(..=merged.last_range);
            for part in parts.filter_map(|(_, range)| range.segment.as_ref()) {
                let path = self.room.draft.join(&part.folder);
                fs::remove_dir_all(&path).map_err(Error::io("cannot remove", &path))?;
            }
            self.done.add(event);
        }
        Ok(())
    }

    /// Writes an event down.
    fn write(&self, event: &Event) -> Result<()> {
        self.room.journal.lock().unwrap_or_else(PoisonError::into_inner).write(event)
    }
}

/// Merges the segments of ranges into one.
fn merge_group(draft: &Path, rank: usize, group: &[(u32, SegmentEntry)]) -> Result<MergedRanges> {
    let folder = format!("segment-{rank:05}");
    let parts: Vec<SegmentEntry> = group.iter().map(|(_, part)| part.clone()).collect();
    let segment = store::merge_segments(draft, &parts, &folder)?;
    let files = store::seal_folder(draft, &folder)?;
    let last_range = group.last().map_or(0, |&(range, _)| range);
    Ok(MergedRanges { last_range, segment, files })
}
