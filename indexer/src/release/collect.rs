//! Writes down which ranges are done, and merges neighbours so that there are few segments.

use std::collections::BTreeMap;
use std::fs;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam::channel::Receiver;
use store::SegmentEntry;

use super::index::IndexRoom;
use super::journal::{Done, Event, FinishedRange, MergedRanges};
use crate::{Error, Result};

/// How many parts are merged at once: each is some open files.
const PARTS_MAX: usize = 256;

/// Takes finished ranges in any order.
pub(super) struct Collector<'a> {
    /// What indexing needs.
    room: &'a IndexRoom<'a>,
    /// What was done.
    done: Done,
    /// Counts proteins in merged segments.
    num_merged: &'a AtomicU64,
    /// Ranges that came before their predecessors, by rank.
    early: BTreeMap<u32, Option<SegmentEntry>>,
    /// The rank of the range that is due.
    due: u32,
    /// The neighbours that will be merged.
    group: Vec<SegmentEntry>,
}

impl<'a> Collector<'a> {
    /// Starts behind what was merged before.
    pub(super) fn new(room: &'a IndexRoom<'a>, done: Done, num_merged: &'a AtomicU64) -> Self {
        let due = done.first_unmerged();
        let unmerged = done.ranges.range(due..);
        let early = unmerged.map(|(&number, range)| (number, range.segment.clone())).collect();
        Self { room, done, num_merged, early, due, group: Vec::new() }
    }

    /// Takes ranges until there are no more, and returns everything that was done.
    ///
    /// # Errors
    ///
    /// * A segment cannot be read or written.
    pub(super) fn run(mut self, finished: &Receiver<FinishedRange>) -> Result<Done> {
        self.group_early()?;
        for range in finished {
            self.write(&Event::Range(range.clone()))?;
            self.early.insert(range.number, range.segment.clone());
            self.done.ranges.insert(range.number, range);
            self.group_early()?;
        }
        self.merge()?;
        Ok(self.done)
    }

    /// Puts the ranges that are due into the group, and merges it as soon as it is full.
    fn group_early(&mut self) -> Result<()> {
        while let Some(segment) = self.early.remove(&self.due) {
            let num_docs: u64 = self.group.iter().chain(&segment).map(|part| u64::from(part.num_docs)).sum();
            let is_full = num_docs > u64::from(self.room.budget.merged_docs) || self.group.len() == PARTS_MAX;
            if is_full && !self.group.is_empty() {
                self.merge()?;
            }
            self.group.extend(segment);
            self.due += 1;
        }
        Ok(())
    }

    /// Merges the group. The range that is due is not part of it.
    fn merge(&mut self) -> Result<()> {
        let Some(last_range) = self.due.checked_sub(1) else { return Ok(()) };
        if self.group.is_empty() {
            return Ok(());
        }
        let room = self.room;
        let folder = format!("segment-{:05}", self.done.merged.len());
        let path = room.draft.join(&folder);
        if path.is_dir() {
            fs::remove_dir_all(&path).map_err(Error::io("cannot remove", &path))?;
        }
        let parts = std::mem::take(&mut self.group);
        let segment = store::merge_segments(room.draft, &parts, &folder)?;
        let files = store::seal_folder(room.draft, &folder)?;
        self.num_merged.fetch_add(segment.num_docs.into(), Ordering::Relaxed);
        let merged = MergedRanges { last_range, segment, files };
        self.write(&Event::Merged(merged.clone()))?;
        self.done.merged.push(merged);
        for part in &parts {
            let path = room.draft.join(&part.folder);
            fs::remove_dir_all(&path).map_err(Error::io("cannot remove", &path))?;
        }
        Ok(())
    }

    /// Writes an event down.
    fn write(&self, event: &Event) -> Result<()> {
        self.room.journal.lock().unwrap_or_else(PoisonError::into_inner).write(event)
    }
}
