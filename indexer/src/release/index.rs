//! Indexes a release: one thread plans ranges, one reads each table, workers join and index a range each, and one merges what is
//! done; see the picture in the crate's page.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};
use store::FamilyTable;

use super::budget::Budget;
use super::collect::{Collector, ProteinCounts};
use super::join::RangeSlices;
use super::journal::{Done, FinishedRange, Journal};
use super::leader::{Leader, PlannedRange};
use super::lineages::Lineages;
use super::provision::Opened;
use super::range::KeyRange;
use super::reader::{SliceOrder, TableReader};
use super::slices::SliceRows;
use super::strangers::Existing;
use super::table::Table;
use super::worker::{RangeTask, Worker};
use crate::Result;
use crate::input::BytesRead;
use crate::run::{Progress, RejectLimit, StageReport, Unit};

/// How many ranges may wait for a worker.
const TASKS_WAITING: usize = 1;

/// How many finished ranges may wait to be merged: those that are indexed while a merge goes on.
const RANGES_WAITING: usize = 1024;

/// How often the progress is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// The tables that are joined. What the release lacks is `None`.
pub(super) struct JoinedTables {
    /// The table that the proteins come from, for errors.
    pub(super) leading: Table,
    /// The proteins that are indexed.
    pub(super) leader: Opened,
    /// Sequences.
    pub(super) sequences: Opened,
    /// Biomes.
    pub(super) biomes: Option<Opened>,
    /// Pfam hits.
    pub(super) pfam: Option<Opened>,
    /// Places on contigs.
    pub(super) occurrences: Option<Opened>,
    /// Numbers of occurrences.
    pub(super) counts: Option<Opened>,
    /// All proteins, where the sequences are those of representatives only.
    pub(super) members: Option<Opened>,
    /// How accessions are known that exist without being indexed.
    pub(super) existing: Existing,
}

/// What indexing needs beside the tables.
pub(super) struct IndexRoom<'a> {
    /// The folder that becomes the generation.
    pub(super) draft: &'a Path,
    /// The folder for what the run writes for itself.
    pub(super) work: &'a Path,
    /// The names of all inputs, by position.
    pub(super) names: &'a [String],
    /// All lineages.
    pub(super) lineages: &'a Lineages,
    /// The families that have names.
    pub(super) families: &'a FamilyTable,
    /// The limit of bad rows.
    pub(super) limit: &'a RejectLimit,
    /// Takes down what was done.
    pub(super) journal: &'a Mutex<Journal>,
    /// How much memory may be taken for what.
    pub(super) budget: Budget,
}

/// The reader of a table, before its thread runs.
struct Feed {
    /// Reads the rows.
    reader: TableReader,
    /// Sends the ranges to cut slices for.
    orders: Sender<SliceOrder>,
    /// Receives them.
    ordered: Receiver<SliceOrder>,
    /// Gives back the places of the parts.
    places: Receiver<()>,
}

/// The feeds of all tables, in the order of [`RangeSlices`].
type Feeds = [Option<Feed>; 6];

/// Indexes all ranges that were not indexed before, and merges neighbours. Returns everything that was done, before and now.
///
/// # Errors
///
/// * An input cannot be read, or is not in order ([`crate::Error::OutOfOrder`]); too many rows are bad; the disk is full.
pub(super) fn index(tables: JoinedTables, room: &IndexRoom<'_>, done: &Done) -> Result<(Done, Vec<StageReport>)> {
    let JoinedTables { leading, leader, sequences, biomes, pfam, occurrences, counts, members, existing } = tables;
    let mut total_bytes = leader.total_bytes;
    let mut bytes_read = vec![leader.bytes_read];
    let budget = room.budget;
    let first_start = first_start(done);
    let mut feed = |table, opened: Option<Opened>| -> Result<Option<Feed>> {
        let Some(Opened { mut source, bytes_read: read, total_bytes: size_bytes }) = opened else { return Ok(None) };
        total_bytes += size_bytes;
        bytes_read.push(read);
        if first_start > 0 {
            source.skip_before(first_start)?;
        }
        let (place, places) = channel::bounded(budget.blocks_per_table);
        let (orders, ordered) = channel::bounded(budget.num_workers + TASKS_WAITING);
        Ok(Some(Feed { reader: TableReader::new(table, source, place), orders, ordered, places }))
    };
    let feeds = [
        feed(Table::Sequences, Some(sequences))?,
        feed(Table::Biomes, biomes)?,
        feed(Table::Pfam, pfam)?,
        feed(Table::Occurrences, occurrences)?,
        feed(Table::Counts, counts)?,
        feed(Table::ClusterMembers, members)?,
    ];
    let leader = Leader::new(leading, leader.source, budget.range_proteins);
    let progress = Progress::start("indexing", Unit::Bytes, total_bytes);
    let watch = Watch { bytes_read, progress };
    run_threads(leader, feeds, existing, watch, room, done)
}

/// Shows the progress.
struct Watch {
    /// How much of each input was read.
    bytes_read: Vec<BytesRead>,
    /// The bar.
    progress: Progress,
}

/// Runs all threads to their ends.
fn run_threads(
    leader: Leader,
    feeds: Feeds,
    existing: Existing,
    mut watch: Watch,
    room: &IndexRoom<'_>,
    done: &Done,
) -> Result<(Done, Vec<StageReport>)> {
    let budget = room.budget;
    let (tasks, task_receiver) = channel::bounded::<RangeTask>(TASKS_WAITING);
    let (finished, finished_receiver) = channel::bounded::<FinishedRange>(RANGES_WAITING);
    let (running, all_indexed) = channel::bounded::<()>(0);
    let counts = ProteinCounts::default();
    let has_failed = AtomicBool::new(false);
    let collector = Collector::new(room, done.clone(), &counts);
    let has_failed = &has_failed;
    thread::scope(|scope| {
        let mut threads: Vec<ScopedJoinHandle<'_, Result<()>>> = Vec::new();
        let mut sockets = Vec::new();
        for feed in feeds {
            sockets.push(feed.map(|Feed { reader, orders, ordered, places }| {
                let name = format!("read {}", reader.table().name());
                threads.push(spawn(scope, name, has_failed, move || {
                    let read = reader.run(&ordered);
                    // Whoever waits for a slice that was ordered and will not come has to be told so.
                    for _ in &ordered {}
                    read
                }));
                (orders, places)
            }));
        }
        threads.push(spawn(scope, "plan".to_owned(), has_failed, move || {
            plan(leader, &sockets, &tasks, done, has_failed).inspect_err(|_| has_failed.store(true, Ordering::Relaxed))
        }));
        for number in 0..budget.num_workers {
            let worker = Worker::new(room, existing, has_failed);
            let (tasks, finished, running) = (task_receiver.clone(), finished.clone(), running.clone());
            threads.push(spawn(scope, format!("worker {number}"), has_failed, move || {
                let _running = running;
                worker.run(&tasks, &finished)
            }));
        }
        drop((task_receiver, finished, running));
        let collecting =
            spawn(scope, "collect".to_owned(), has_failed, move || collector.run(&finished_receiver, has_failed));
        while all_indexed.recv_timeout(LOOK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            watch.progress.set(watch.bytes_read.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum());
        }
        let mut stages = vec![StageReport::new("indexing", watch.progress.finish())];
        let num_indexed = || counts.num_indexed.load(Ordering::Relaxed);
        let mut merging = Progress::start("merging", Unit::Proteins, num_indexed());
        while !collecting.is_finished() {
            thread::sleep(LOOK_INTERVAL);
            // Ranges that were indexed last may still be taken.
            merging.set_total(num_indexed());
            merging.set(counts.num_merged.load(Ordering::Relaxed));
        }
        merging.set(counts.num_merged.load(Ordering::Relaxed));
        stages.push(StageReport::new("merging", merging.finish()));
        let collected = join(collecting);
        // A thread that fails makes the others end without an error.
        for thread in threads {
            join(thread)?;
        }
        collected.map(|done| (done, stages))
    })
}

/// Starts a thread with a name that tools can show. Where it fails or panics, `has_failed` is set.
pub(super) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    has_failed: &'scope AtomicBool,
    run: impl FnOnce() -> Result<T> + Send + 'scope,
) -> ScopedJoinHandle<'scope, Result<T>> {
    let run = move || {
        let outcome = panic::catch_unwind(AssertUnwindSafe(run));
        if !matches!(outcome, Ok(Ok(_))) {
            has_failed.store(true, Ordering::Relaxed);
        }
        outcome.unwrap_or_else(|panic| panic::resume_unwind(panic))
    };
    thread::Builder::new().name(name).spawn_scoped(scope, run).expect("the system has room for some threads")
}

/// Plans ranges and orders their slices, until there are no more, or nobody takes them any more.
fn plan(
    mut leader: Leader,
    sockets: &[Option<(Sender<SliceOrder>, Receiver<()>)>],
    tasks: &Sender<RangeTask>,
    done: &Done,
    has_failed: &AtomicBool,
) -> Result<()> {
    while !has_failed.load(Ordering::Relaxed)
        && let Some(PlannedRange { mut range, start, rejected, counts }) = leader.next_range()?
    {
        range.is_done = is_done(done, &range, start);
        let range = Arc::new(range);
        let mut slices = Vec::with_capacity(sockets.len());
        for socket in sockets {
            let Some((orders, places)) = socket else {
                slices.push(None);
                continue;
            };
            // As many parts as there are places may be under way.
            let (part, parts) = channel::unbounded();
            if orders.send((Arc::clone(&range), part)).is_err() {
                return Ok(());
            }
            slices.push(Some(SliceRows::new(parts, places.clone())));
        }
        if range.is_done {
            continue;
        }
        let [Some(sequences), biomes, pfam, occurrences, counts_of_proteins, members] =
            <[Option<SliceRows>; 6]>::try_from(slices).unwrap_or_default()
        else {
            return Ok(());
        };
        let slices = RangeSlices { sequences, biomes, pfam, occurrences, counts: counts_of_proteins, members };
        if tasks.send(RangeTask { range, start, rejected, counts, slices }).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Tells whether an earlier run has indexed just this range.
fn is_done(done: &Done, range: &KeyRange, start: u64) -> bool {
    let same = |known: &FinishedRange| known.start == start && known.end == range.end;
    range.number < done.first_unmerged() || done.ranges.get(&range.number).is_some_and(same)
}

/// Returns where the first range starts that was not indexed before.
fn first_start(done: &Done) -> u64 {
    let unmerged = (done.first_unmerged()..).map_while(|number| done.ranges.get(&number));
    let merged_end = if done.merged.is_empty() { Some(0) } else { done.merged_end };
    unmerged.last().map_or(merged_end, |range| range.end).unwrap_or(u64::MAX)
}

/// Returns what a thread has returned, or panics as it did.
fn join<T>(thread: ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use store::{BiomeTable, Generations, ProteinAccession, SegmentEntry};

    use super::*;
    use crate::Error;
    use crate::release::block::RowPlace;
    use crate::release::journal::{Event, MergedRanges};
    use crate::release::rows::{ClusterRow, SequenceRow};
    use crate::release::source::{Batch, RowSource};
    use crate::release::tally::Tally;

    /// Far more than the run takes.
    const TIME_MAX: Duration = Duration::from_mins(1);

    /// One row for each number up to the last, one at a time; sequences come slowly and end in an error.
    struct Rows {
        next: u64,
        last: u64,
        are_sequences: bool,
    }

    impl RowSource for Rows {
        fn next(&mut self, batch: &mut Batch) -> Result<bool> {
            self.next += 1;
            if self.next > self.last && self.are_sequences {
                // By now all others wait.
                thread::sleep(Duration::from_millis(500));
                return Err(Error::Spill);
            }
            let sequence = SequenceRow { full_length: None, residues: b"MK" };
            batch.rows.push(self.next, RowPlace::new(0, self.next), |out| {
                if self.are_sequences { sequence.put(out) } else { ClusterRow { size: 1 }.put(out) }
            });
            Ok(self.are_sequences || self.next < self.last)
        }
    }

    fn opened(last: u64, are_sequences: bool) -> Opened {
        let source = Box::new(Rows { next: 0, last, are_sequences });
        Opened { source, bytes_read: BytesRead::default(), total_bytes: 0 }
    }

    #[test]
    fn a_reader_that_fails_while_all_wait_for_it_ends_the_run() {
        let (sender, receiver) = mpsc::channel();
        // Not scoped: a scope would wait for a thread that never ends.
        let run = move || {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let draft = Generations::new(folder.path()).resume_or_begin().expect("free");
            let (journal, done) = Journal::open(draft.work_path()).expect("new");
            let budget = Budget { range_proteins: 1, num_workers: 2, ..Budget::new(64 << 20, 2) };
            let room = IndexRoom {
                draft: draft.path(),
                work: draft.work_path(),
                names: &["rows".to_owned()],
                lineages: &Lineages::new(BiomeTable::default(), Vec::new(), Box::new(|_| Ok(()))),
                families: &FamilyTable::default(),
                limit: &RejectLimit::new(0, 0, folder.path().join("rejects")),
                journal: &Mutex::new(journal),
                budget,
            };
            let tables = JoinedTables {
                leading: Table::Clusters,
                leader: opened(1000, false),
                sequences: opened(5, true),
                biomes: None,
                pfam: None,
                occurrences: None,
                counts: None,
                members: None,
                existing: Existing::BySequence,
            };
            let outcome = index(tables, &room, &done).map(|_| ()).map_err(|error| error.to_string());
            // Nobody listens any more when it took too long.
            let _ = sender.send(outcome);
        };
        thread::Builder::new().spawn(run).expect("room for a thread");
        let outcome = receiver.recv_timeout(TIME_MAX).expect("the run ends");
        assert_eq!(outcome, Err(Error::Spill.to_string()));
    }

    fn finished(number: u32, start: u64, end: Option<u64>) -> Event {
        let (segment, files, tally) = (None, Vec::new(), Tally::default());
        Event::Range(FinishedRange { number, start, end, segment, files, tally })
    }

    fn merged(last_range: u32) -> Event {
        let accession = ProteinAccession::new(1).expect("valid");
        let segment = SegmentEntry { folder: "segment".into(), num_docs: 1, first: accession, last: accession };
        Event::Merged(MergedRanges { last_range, segment, files: Vec::new() })
    }

    #[test]
    fn nothing_is_passed_over_that_is_not_done() {
        let mut done = Done::default();
        assert_eq!(first_start(&done), 0);
        // Ranges end in any order: what stands behind one that is not done does not count.
        for (event, expected) in [
            (finished(1, 10, Some(20)), 0),
            (finished(0, 0, Some(10)), 20),
            (merged(0), 20),
            (merged(1), 20),
            (finished(3, 30, None), 20),
            (finished(2, 20, Some(30)), u64::MAX),
        ] {
            done.add(event);
            assert_eq!(first_start(&done), expected);
        }
    }
}
