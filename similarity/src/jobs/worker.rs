//! The threads that run jobs.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;

use super::folder::{Folder, Kept, Outcome};
use super::order::Order;
use super::{Running, Shared, Waiting, expiry};
use crate::feed::Targets;
use crate::search::{Found, Search};
use crate::{Result, SearchError};

/// Starts a thread that runs one job after another. It is the one that the engine's life depends on.
pub(super) fn start(number: usize, shared: &Arc<Shared>) -> Result<()> {
    let shared = Arc::clone(shared);
    let work = move || {
        while let Some((waiting, running)) = next(&shared) {
            // A fault of ours ends the job, and not the thread.
            let ended = panic::catch_unwind(AssertUnwindSafe(|| work_on(&shared, &waiting, &running)));
            if !matches!(ended, Ok(Ok(()))) {
                tracing::error!("search {}: {ended:?}", waiting.id);
                let failed = Outcome::failed("there was an error inside of mgdex, which is in its log");
                let _ = Folder::of(&shared.root, waiting.id).finish(failed);
            }
            shared.end(waiting.id, &running);
            expiry::sweep(&shared);
        }
    };
    let started = thread::Builder::new().name(format!("similar-{number}")).spawn(work);
    started.map(drop).map_err(SearchError::io("cannot start a thread for", Path::new("searches")))
}

/// Waits for the next job, and removes others meanwhile when their time is over. Returns `None` when all is to end.
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

/// Runs a job, and writes how it has ended.
fn work_on(shared: &Shared, waiting: &Waiting, running: &Running) -> Result<()> {
    let folder = Folder::of(&shared.root, waiting.id);
    let (Some(Kept { scope, .. }), Some(query)) = (folder.kept()?, folder.query()?) else { return Ok(()) };
    let found = search(shared, &folder, &Order { query, scope }, waiting, running);
    let outcome = match found {
        // It is to be gone, or is begun anew when the jobs are opened again.
        _ if running.is_cancelled.load(Ordering::Acquire) => return Ok(()),
        Ok(found) => Outcome::Found(found),
        Err(error) => {
            tracing::warn!("search {}: {error}", waiting.id);
            Outcome::Failed(error.told())
        }
    };
    folder.finish(outcome)
}

fn search(shared: &Shared, folder: &Folder, order: &Order, waiting: &Waiting, running: &Running) -> Result<Found> {
    let run = folder.begin()?;
    let mut hits = folder.new_hits()?;
    let search = Search {
        engine: &shared.engine,
        query: &order.query,
        evalue: order.scope.evalue,
        space: order.scope.space,
        hits_max: shared.limits.num_hits,
        limits: &shared.limits.engine,
    };
    let on_progress = |number| running.num_sent.store(number, Ordering::Relaxed);
    let targets = Targets::Selection(&waiting.selection);
    let found = search.run(&run, &targets, &on_progress, &running.is_cancelled, |hit| hits.push(&hit))?;
    folder.keep_hits(hits)?;
    Ok(found)
}
