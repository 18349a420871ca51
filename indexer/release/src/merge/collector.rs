//! Records which ranges are done, and merges neighbours so that there are few segments.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::{iter, mem};

use crossbeam::channel::Receiver;
use indexer::Result;
use indexer::run::{Progress, StageReport, Unit};
use store::durable;
use store_proteins::SegmentEntry;

use crate::context::RunContext;
use crate::resume::journal::{Done, Event, FinishedRange, MergedRanges};
use crate::threads::{join, spawn};

/// The number of parts that are merged at once: each is an open file.
const PARTS_MAX: usize = 256;

/// The least number of proteins of a segment when the last ranges are merged on all cores.
const LAST_DOCS_MIN: u64 = 250_000;

pub(super) struct Collector<'a> {
    context: &'a RunContext,
    done: Done,
    /// The number of proteins in merged segments, once all are indexed.
    merging: Option<Progress>,
    /// Ranges that were finished before their predecessors, by rank.
    early: BTreeMap<u32, Option<SegmentEntry>>,
    /// The rank of the next range in order.
    next: u32,
    /// The neighbours that will be merged, each with the rank of its range.
    group: Vec<(u32, SegmentEntry)>,
}

struct Mergers<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    has_failed: &'scope AtomicBool,
    running: VecDeque<ScopedJoinHandle<'scope, Result<MergedRanges>>>,
}

impl<'a> Collector<'a> {
    /// Starts after the ranges that were merged before.
    pub(super) fn new(context: &'a RunContext, done: Done) -> Self {
        let next = done.first_unmerged();
        let unmerged = done.ranges.range(next..);
        let early = unmerged.map(|(&number, range)| (number, range.segment.clone())).collect();
        Self { context, done, merging: None, early, next, group: Vec::new() }
    }

    /// Receives ranges until there are no more, ends the stage that indexes them, and returns all
    /// finished work. If the run has failed, the last ranges are not merged: the next run adds more
    /// of them.
    pub(super) fn run(
        mut self,
        finished: Receiver<FinishedRange>,
        has_failed: &AtomicBool,
        end_indexing: impl FnOnce() -> StageReport,
    ) -> Result<(Done, Vec<StageReport>)> {
        thread::scope(|scope| {
            let mut mergers = Mergers { scope, has_failed, running: VecDeque::new() };
            self.group_ranges(&mut mergers)?;
            for range in finished {
                self.context.journal.write(&Event::Range(range.clone()))?;
                self.early.insert(range.number, range.segment.clone());
                self.done.ranges.insert(range.number, range);
                self.group_ranges(&mut mergers)?;
            }
            let indexing = end_indexing();
            let num_unmerged: u64 = self.done.ranges.values().map(FinishedRange::num_docs).sum();
            let num_merged = self.done.num_proteins();
            let merging = self.merging.insert(Progress::start("merging", Unit::Proteins, num_merged + num_unmerged));
            merging.set(num_merged);
            if !has_failed.load(Ordering::Relaxed) {
                self.merge_last(&mut mergers)?;
            }
            self.wait(0, &mut mergers)?;
            let merging = self.merging.iter().map(|merging| StageReport::new("merging", merging.finish()));
            let stages = iter::once(indexing).chain(merging).collect();
            Ok((self.done, stages))
        })
    }

    /// Puts the next ranges into the group, and merges it as soon as it is full.
    fn group_ranges(&mut self, mergers: &mut Mergers<'_, 'a>) -> Result<()> {
        while let Some(segment) = self.early.remove(&self.next) {
            let num_docs = num_docs(&self.group) + segment.as_ref().map_or(0, |part| u64::from(part.num_docs));
            let is_full = num_docs > u64::from(self.context.budget.merged_docs) || self.group.len() == PARTS_MAX;
            if is_full && !self.group.is_empty() {
                let group = mem::take(&mut self.group);
                self.merge(group, self.context.budget.num_mergers, mergers)?;
            }
            self.group.extend(segment.map(|segment| (self.next, segment)));
            self.next += 1;
        }
        Ok(())
    }

    /// Merges the last ranges, on all cores if they are large. The workers are idle by then.
    fn merge_last(&mut self, mergers: &mut Mergers<'_, 'a>) -> Result<()> {
        let group = mem::take(&mut self.group);
        let num_pieces = usize::try_from(num_docs(&group) / LAST_DOCS_MIN).unwrap_or(usize::MAX);
        let num_pieces = num_pieces.clamp(1, self.context.budget.num_workers);
        let length = group.len().div_ceil(num_pieces).max(1);
        for piece in group.chunks(length) {
            self.merge(piece.to_vec(), self.context.budget.num_workers, mergers)?;
        }
        Ok(())
    }

    /// Starts to merge a group, as soon as fewer than `num_threads` merging threads run.
    fn merge(
        &mut self,
        group: Vec<(u32, SegmentEntry)>,
        num_threads: usize,
        mergers: &mut Mergers<'_, 'a>,
    ) -> Result<()> {
        self.wait(num_threads - 1, mergers)?;
        let (context, rank) = (self.context, self.done.merged.len() + mergers.running.len());
        let merge = move || merge_group(&context.draft, rank, &group);
        let thread = spawn(mergers.scope, format!("merge {rank}"), mergers.has_failed, merge)?;
        mergers.running.push_back(thread);
        Ok(())
    }

    /// Waits until at most `num_running_max` groups are being merged, and records the merged ones.
    fn wait(&mut self, num_running_max: usize, mergers: &mut Mergers<'_, 'a>) -> Result<()> {
        while mergers.running.len() > num_running_max
            && let Some(oldest) = mergers.running.pop_front()
        {
            let merged = join(oldest)?;
            let event = Event::Merged(merged.clone());
            self.context.journal.write(&event)?;
            let parts = self.done.ranges.range(..=merged.last_range);
            for part in parts.filter_map(|(_, range)| range.segment.as_ref()) {
                durable::remove_folder(&self.context.draft.join(&part.folder))?;
            }
            self.done.add(event);
            if let Some(merging) = &self.merging {
                merging.set(self.done.num_proteins());
            }
        }
        Ok(())
    }
}

fn num_docs(group: &[(u32, SegmentEntry)]) -> u64 {
    group.iter().map(|(_, part)| u64::from(part.num_docs)).sum()
}

fn merge_group(draft: &Path, rank: usize, group: &[(u32, SegmentEntry)]) -> Result<MergedRanges> {
    let folder = format!("segment-{rank:05}");
    let parts: Vec<SegmentEntry> = group.iter().map(|(_, part)| part.clone()).collect();
    let segment = store_proteins::merge_segments(draft, &parts, &folder)?;
    let files = store::seal_folder(draft, &folder)?;
    let last_range = group.last().map_or(0, |&(range, _)| range);
    Ok(MergedRanges { last_range, segment, files })
}
