//! Runs the threads of a release: one plans ranges, one reads each table, possibly with others that
//! decode for it, workers join and index a range each, and one merges the finished ranges; see the
//! picture on the crate's page.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

use crossbeam::channel::{self, Receiver, Sender};
use indexer::Result;
use indexer::input::BytesRead;
use indexer::run::{Progress, StageReport, Unit};

use crate::context::RunContext;
use crate::join::cursor::RowCursor;
use crate::join::planner::Planner;
use crate::join::range::{Slice, SliceOrder};
use crate::join::reader::TableReader;
use crate::read::OpenTable;
use crate::read::layout::KnownBy;
use crate::resume::journal::{Done, FinishedRange};
use crate::table::{PerTable, Table};
use crate::threads::{Stop, join, spawn};

use super::collector::Collector;
use super::worker::{RangeTask, Worker};

const TASKS_WAITING: usize = 1;

/// The number of finished ranges that may wait to be merged: those that are indexed during a merge.
const RANGES_WAITING: usize = 1024;

pub(crate) struct JoinedTables {
    /// The table with the proteins, for errors.
    pub(crate) leading: Table,
    pub(crate) leader: OpenTable,
    /// The tables of rows about proteins. Members are only included if they show which proteins
    /// exist.
    pub(crate) tables: PerTable<OpenTable>,
    pub(crate) known_by: KnownBy,
}

struct ReaderHandle {
    orders: Sender<SliceOrder>,
    /// The permits that workers give back to the reader.
    permits: Receiver<()>,
}

type Thread<'scope> = ScopedJoinHandle<'scope, Result<()>>;

/// Indexes all ranges that are not indexed yet, and merges neighbours. Returns all work that was
/// done, before and now.
pub(crate) fn index(joined: JoinedTables, context: &RunContext, done: &Done) -> Result<(Done, Vec<StageReport>)> {
    let JoinedTables { leading, leader, tables, known_by } = joined;
    let all = || tables.values().chain([&leader]);
    let bytes_read: Vec<BytesRead> = all().map(|table| Arc::clone(&table.bytes_read)).collect();
    let progress = Progress::start("indexing", Unit::Bytes, all().map(|table| table.total_bytes).sum());
    let show_progress = || progress.set(bytes_read.iter().map(|read| read.load(Ordering::Relaxed)).sum());
    let planner = Planner::new(leading, leader.source, context.budget.range_proteins);
    let has_failed = AtomicBool::new(false);
    let worker = Worker { context, known_by, has_failed: &has_failed };
    thread::scope(|scope| {
        let (threads, finished) = start(scope, planner, tables, worker, done, &show_progress)?;
        let mut joined = Ok(());
        let collected = Collector::new(context, done.clone()).run(finished, &has_failed, || {
            // A thread that fails makes the others end without an error.
            joined = threads.into_iter().try_for_each(join);
            show_progress();
            StageReport::new("indexing", progress.finish())
        });
        joined?;
        collected
    })
}

/// Starts the readers, the planner and the workers. The channel of finished ranges closes when all
/// workers have ended.
fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    planner: Planner,
    tables: PerTable<OpenTable>,
    worker: Worker<'scope>,
    done: &'scope Done,
    show_progress: &'scope (dyn Fn() + Sync),
) -> Result<(Vec<Thread<'scope>>, Receiver<FinishedRange>)> {
    let Worker { context, has_failed, .. } = worker;
    let budget = context.budget;
    let (finished, finished_receiver) = channel::bounded(RANGES_WAITING);
    let (tasks, task_receiver) = channel::bounded(TASKS_WAITING);
    let (mut threads, mut readers) = (Vec::new(), Vec::new());
    let first_key = done.first_key();
    for (table, mut opened) in tables {
        if first_key > 0 {
            opened.source.skip_before(first_key);
        }
        let decoders = opened.source.split(budget.num_decoders, budget.blocks_per_decoder);
        // Blocks that decoders have ready are in use, too.
        let blocks_ready = decoders.len() * budget.blocks_per_decoder;
        let (permit, permits) = channel::bounded(budget.blocks_per_table - blocks_ready);
        for decoder in decoders {
            threads.push(spawn(scope, format!("decode {}", table.name()), has_failed, move || {
                decoder();
                Ok(())
            })?);
        }
        let (orders, ordered) = channel::bounded(budget.num_workers + TASKS_WAITING);
        let rows = RowCursor::new(table, opened.source);
        let reader = TableReader { rows, permits: permit, show_progress };
        readers.push((table, ReaderHandle { orders, permits }));
        threads.push(spawn(scope, format!("read {}", table.name()), has_failed, move || {
            let read = reader.run(&ordered);
            // Threads that wait for a slice must learn that it will not arrive.
            for _ in &ordered {}
            Stop::end(read)
        })?);
    }
    threads.push(spawn(scope, "plan".to_owned(), has_failed, move || {
        let outcome = plan(planner, &readers, &tasks, done, has_failed);
        // When the tasks end, so do the workers, and then the last ranges are merged: the failure
        // must be known before.
        Stop::end(outcome).inspect_err(|_| has_failed.store(true, Ordering::Relaxed))
    })?);
    for number in 0..budget.num_workers {
        let (tasks, finished) = (task_receiver.clone(), finished.clone());
        threads.push(spawn(scope, format!("worker {number}"), has_failed, move || {
            Stop::end(worker.run(&tasks, &finished))
        })?);
    }
    Ok((threads, finished_receiver))
}

fn plan(
    mut planner: Planner,
    readers: &[(Table, ReaderHandle)],
    tasks: &Sender<RangeTask>,
    done: &Done,
    has_failed: &AtomicBool,
) -> Result<(), Stop> {
    while !has_failed.load(Ordering::Relaxed)
        && let Some(planned) = planner.next_range()?
    {
        let range = &planned.range;
        let is_done = done.has_range(range.number, &range.keys);
        let mut slices = Vec::with_capacity(readers.len());
        for (table, ReaderHandle { orders, permits }) in readers {
            // There may be as many parts as there are permits.
            let (sender, parts) = channel::unbounded();
            orders
                .send(SliceOrder { range: Arc::clone(range), parts: (!is_done).then_some(sender) })
                .map_err(|_| Stop::Aborted)?;
            slices.push((*table, Slice::new(parts, permits.clone())));
        }
        if !is_done {
            tasks.send(RangeTask { planned, slices: slices.into_iter().collect() }).map_err(|_| Stop::Aborted)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use store::{BiomeTable, FamilyTable, Generations};

    use super::*;
    use crate::budget::Budget;
    use crate::read::lineages::Lineages;
    use crate::read::rows::SequenceRow;
    use crate::read::{Batch, RowOrigin, RowSource};
    use crate::resume::journal::Journal;
    use indexer::Error;
    use indexer::run::RejectLimit;

    /// Far more time than the run takes.
    const TIME_MAX: Duration = Duration::from_mins(1);

    /// One row for each number up to the last, one at a time. Sequences are slow and end in an
    /// error.
    struct Rows {
        next: u64,
        last: u64,
        are_sequences: bool,
    }

    impl RowSource for Rows {
        fn next(&mut self, batch: &mut Batch) -> Result<bool> {
            self.next += 1;
            if self.next > self.last && self.are_sequences {
                // All others are waiting by now.
                thread::sleep(Duration::from_millis(500));
                return Err(Error::CorruptSpill);
            }
            let origin = RowOrigin::new(0, self.next);
            if self.are_sequences {
                batch.rows.push(self.next, origin, &SequenceRow { full_length: None, residues: b"MK" });
            } else {
                batch.rows.push(self.next, origin, &1_u64);
            }
            Ok(self.are_sequences || self.next < self.last)
        }
    }

    fn opened(last: u64, are_sequences: bool) -> OpenTable {
        let source = Box::new(Rows { next: 0, last, are_sequences });
        OpenTable { source, bytes_read: BytesRead::default(), total_bytes: 0 }
    }

    #[test]
    fn failing_readers_end_the_run() {
        let (sender, receiver) = mpsc::channel();
        // Not scoped: a scope would wait for a thread that never ends.
        let run = move || {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let draft = Generations::new(folder.path()).resume_or_begin().expect("free");
            let (journal, done) = Journal::open(draft.work_path()).expect("new");
            let budget = Budget { range_proteins: 1, num_workers: 2, ..Budget::new(64 << 20, 2) };
            let context = RunContext {
                draft: draft.path().to_owned(),
                work: draft.work_path().to_owned(),
                names: vec!["rows".to_owned()],
                lineages: Arc::new(Lineages::new(BiomeTable::default(), &[], |_| Ok(())).expect("no lineages")),
                families: FamilyTable::default(),
                limit: RejectLimit::new(0, folder.path().join("rejects")),
                journal: Arc::new(journal),
                budget,
            };
            let joined = JoinedTables {
                leading: Table::Clusters,
                leader: opened(1000, false),
                tables: [(Table::Sequences, opened(5, true))].into_iter().collect(),
                known_by: KnownBy::Sequences,
            };
            let outcome = index(joined, &context, &done).map(|_| ()).map_err(|error| error.to_string());
            // Nobody listens any more if it took too long.
            let _ = sender.send(outcome);
        };
        thread::Builder::new().spawn(run).expect("room for a thread");
        let outcome = receiver.recv_timeout(TIME_MAX).expect("the run ends");
        assert_eq!(outcome, Err(Error::CorruptSpill.to_string()));
    }
}
