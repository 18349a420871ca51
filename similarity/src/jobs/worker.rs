//! The threads that run jobs.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Duration;

use super::folder::{Folder, Outcome, StoredOrder};
use super::order::Order;
use super::{Running, Shared, Waiting, expiry};
use crate::feed::Targets;
use crate::limits::Limits;
use crate::search::{Found, Search};
use crate::{Result, SearchError};

/// The number of hits between two checks of their size.
const LOOK_HITS: u64 = 64;

/// A file may use one in this number of the bytes for waiting and running jobs.
const FILE_PART: u64 = 2;

/// Starts a thread that runs one job after another. The engine runs only as long as this thread.
pub(super) fn start(number: usize, shared: &Arc<Shared>) -> Result<()> {
    let shared = Arc::clone(shared);
    let work = move || {
        while let Some((waiting, running)) = next(&shared) {
            // A bug of our own ends the job, not the thread.
            let ended = panic::catch_unwind(AssertUnwindSafe(|| work_on(&shared, &waiting, &running)));
            if !matches!(ended, Ok(Ok(_))) {
                tracing::error!("search {}: {ended:?}", waiting.id);
                let failed = Outcome::failed("an error occurred in mgdex: see its log");
                let _ = Folder::of(&shared.root, waiting.id).finish(failed);
            }
            shared.end(waiting, &running, matches!(ended, Ok(Ok(true))));
            expiry::sweep(&shared);
        }
    };
    let started = thread::Builder::new().name(format!("similar-{number}")).spawn(work);
    started.map(drop).map_err(SearchError::io("cannot start a thread for", Path::new("searches")))
}

/// Waits for the next job, and removes expired jobs meanwhile. Returns `None` when all threads are
/// to end.
fn next(shared: &Shared) -> Option<(Waiting, Arc<Running>)> {
    let mut state = shared.state();
    loop {
        if state.is_closing {
            return None;
        }
        if let Some(waiting) = state.turns.pop() {
            let running = Arc::new(Running::default());
            state.running.insert(waiting.id, Arc::clone(&running));
            return Some((waiting, running));
        }
        let patience = shared.until_expiry(&state);
        let (woken, waited) = shared.changed.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner);
        state = woken;
        if waited.timed_out() {
            drop(state);
            expiry::sweep(shared);
            state = shared.state();
        }
    }
}

/// Runs a job, and records its end. Returns whether it must wait again instead.
fn work_on(shared: &Shared, waiting: &Waiting, running: &Running) -> Result<bool> {
    let folder = Folder::of(&shared.root, waiting.id);
    let (Some(StoredOrder { scope, .. }), Some(query)) = (folder.kept()?, folder.query()?) else { return Ok(false) };
    let found = search(shared, &folder, &Order { query, name: String::new(), scope }, waiting, running);
    let error = match (&found, running.stopped.get()) {
        // The job is removed, or is started again when the jobs are opened again.
        _ if running.is_cancelled.load(Ordering::Acquire) => return Ok(false),
        (Ok(found), _) => return folder.finish(Outcome::Found(*found)).map(|_| false),
        (_, Some(SearchError::Crowded(_))) if !waiting.was_stopped => return folder.clear().map(|()| true),
        (_, Some(stopped)) => stopped,
        (Err(error), None) => error,
    };
    tracing::warn!("search {}: {error}", waiting.id);
    folder.finish(Outcome::Failed(error.public_message())).map(|_| false)
}

fn search(shared: &Shared, folder: &Folder, order: &Order, waiting: &Waiting, running: &Running) -> Result<Found> {
    let run = folder.begin()?;
    let mut hits = folder.new_hits()?;
    let engine = &shared.limits.engine;
    let output_bytes = engine.output_bytes.min(shared.limits.busy_bytes() / FILE_PART);
    let search = Search {
        engine: &shared.engine,
        query: &order.query,
        evalue: order.scope.evalue,
        space: order.scope.space,
        hits_max: shared.limits.num_hits,
        limits: &Limits { output_bytes, ..engine.clone() },
    };
    let on_progress = |number| running.num_sent.store(number, Ordering::Relaxed);
    let cpu_time = Cell::default();
    let may_continue = |used: Duration| {
        let more = used.saturating_sub(cpu_time.replace(used));
        running.num_bytes.store(folder.size_bytes(), Ordering::Relaxed);
        if let Some(reason) = shared.reason_to_stop(waiting, used, more) {
            let _ = running.stopped.set(reason);
        }
        running.stopped.get().is_none() && !running.is_cancelled.load(Ordering::Acquire)
    };
    let mut num_hits = 0;
    let found = search.run(&run, &Targets::Selection(&waiting.selection), &on_progress, &may_continue, |hit| {
        num_hits += 1;
        hits.push(&hit)?;
        if num_hits % LOOK_HITS > 0 || may_continue(cpu_time.get()) { Ok(()) } else { Err(SearchError::Cancelled) }
    })?;
    folder.keep_hits(hits)?;
    Ok(found)
}
