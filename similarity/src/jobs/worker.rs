//! The threads that run jobs.

use std::io::{BufWriter, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;

use super::folder::{Folder, Kept, Outcome};
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
                let _ = Folder::of(&shared.root, waiting.id).finish(&failed);
            }
            shared.state().running.remove(&waiting.id);
            expiry::sweep(&shared);
        }
    };
    let started = thread::Builder::new().name(format!("similar-{number}")).spawn(work);
    started.map(drop).map_err(SearchError::io("cannot start a thread for", Path::new("searches")))
}

/// Waits for the next job. Returns `None` when all is to end.
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
        state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Runs a job, and writes how it has ended.
fn work_on(shared: &Shared, waiting: &Waiting, running: &Running) -> Result<()> {
    let folder = Folder::of(&shared.root, waiting.id);
    let Some(kept) = folder.kept()? else { return Ok(()) };
    let found = search(shared, &folder, &kept, waiting, running);
    let outcome = match found {
        _ if running.is_cancelled.load(Ordering::Acquire) => {
            // What is cut off because the server ends is begun anew by the next one.
            let is_closing = shared.state().is_closing;
            return if is_closing { Ok(()) } else { folder.remove().map(drop) };
        }
        Ok(found) => Outcome::Found(found),
        Err(error) => {
            tracing::warn!("search {}: {error}", waiting.id);
            Outcome::Failed(error.to_string())
        }
    };
    folder.finish(&outcome)
}

fn search(shared: &Shared, folder: &Folder, kept: &Kept, waiting: &Waiting, running: &Running) -> Result<Found> {
    let run = folder.begin()?;
    let mut hits = BufWriter::new(folder.new_hits()?);
    let search = Search {
        engine: &shared.engine,
        query: &kept.order.query,
        evalue: kept.order.evalue,
        space: kept.order.space,
        hits_max: shared.limits.num_hits,
        limits: &shared.limits.engine,
    };
    let on_progress = |number| running.num_sent.store(number, Ordering::Relaxed);
    let targets = Targets::Selection(&waiting.selection);
    let written = |error| SearchError::io("cannot write the hits in", &run)(error);
    let found = search.run(&run, &targets, &on_progress, &running.is_cancelled, |hit| {
        serde_json::to_writer(&mut hits, &hit).map_err(|error| written(error.into()))?;
        hits.write_all(b"\n").map_err(written)
    })?;
    let file = hits.into_inner().map_err(|error| written(error.into_error()))?;
    folder.keep_hits(&file)?;
    Ok(found)
}
