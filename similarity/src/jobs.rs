//! Searches that wait for their turns, run one after another, and are kept for a time.
//!
//! A job is a folder, named by its identifier; its contents are the state of the job. See
//! [`folder`].
//!
//! Jobs wait in turns by client, so that a client with many or long jobs delays nobody else. Each
//! of a fixed number of threads takes the next job, runs it, and writes its hits. Equal searches
//! are one job, which each of its requesters sees as their own. See [`requester`].

mod ended_jobs;
mod expiry;
mod folder;
mod hits;
mod job;
mod order;
mod requester;
mod requests;
mod room;
mod turns;
mod worker;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};

use store::{durable, lock};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::Engine;
use crate::feed::Selection;
use crate::{Query, Result, SearchError};

use ended_jobs::EndedJobs;
use folder::{All, Folder, Outcome, StoredOrder};
pub use hits::Hits;
pub use job::{Job, JobLimits, JobState, Refusal};
use order::JobId;
pub use order::{Order, Scope};
use requester::Requester;
use turns::FairTurns;

/// The approximate size of a folder without its query.
const FOLDER_BYTES: u64 = 16 << 10;

/// The reason of a job whose result could not be written.
const NOT_KEPT: &str = "its result could not be written: search again when there is space on the disk";

/// Returns the selection, or `None` if the generation no longer exists.
pub type Select<'a> = dyn Fn(&Scope) -> Option<Selection> + 'a;

/// Called by another thread when a job has ended.
pub type OnEnd = Box<dyn Fn() + Send + Sync>;

/// The jobs of a folder, and the threads that run them until this is dropped.
pub struct Jobs {
    shared: Arc<Shared>,
}

struct Shared {
    root: PathBuf,
    engine: Engine,
    limits: JobLimits,
    /// Held while jobs are added or removed, which may wait for the disk.
    changing: Mutex<()>,
    /// Prevents other processes from running the jobs of the folder, which is created for the first
    /// job.
    lock: OnceLock<File>,
    /// Only held for moments.
    state: Mutex<State>,
    on_end: OnEnd,
    /// Notifies of waiting jobs, and of the end.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    turns: FairTurns<Waiting>,
    running: HashMap<JobId, Arc<Running>>,
    ended: EndedJobs,
    /// The job of each request.
    requests: HashMap<Uuid, JobId>,
    is_closing: bool,
}

struct Waiting {
    id: JobId,
    client: String,
    selection: Selection,
    /// The size of its folder.
    num_bytes: u64,
    /// Set if it was stopped for others before.
    was_stopped: bool,
}

#[derive(Default)]
struct Running {
    num_sent: AtomicU64,
    /// The size of its folder.
    num_bytes: AtomicU64,
    /// The reason why it is stopped, if it is.
    stopped: OnceLock<SearchError>,
    /// Set if the engine is to end.
    is_cancelled: AtomicBool,
    /// Set if the job is to be removed then.
    is_removed: AtomicBool,
}

impl Jobs {
    /// Opens a folder, which is created for the first job, continues the unfinished jobs, and
    /// starts the threads that run them. Leftovers of a killed server are removed.
    ///
    /// # Errors
    ///
    /// * Another process runs the jobs of the folder.
    /// * The folder cannot be read or written, or no thread can be started.
    pub fn open(root: &Path, engine: Engine, limits: JobLimits, select: &Select, on_end: OnEnd) -> Result<Self> {
        let lock = if root.is_dir() { OnceLock::from(folder::lock(root)?) } else { OnceLock::new() };
        let All { unfinished, ended, requests } = folder::all(root)?;
        let mut state = State { requests, ..State::default() };
        for (id, time, end) in ended {
            state.ended.push(id, time, end);
        }
        let replaced = "the proteins were replaced while it waited: search again";
        for (id, kept) in unfinished {
            let folder = Folder::of(root, id);
            if let Some(selection) = select(&kept.scope) {
                let (client, num_bytes) = (kept.client().to_owned(), folder.size_bytes());
                state.push(Waiting { id, client, selection, num_bytes, was_stopped: false });
            } else {
                let done = folder.finish(Outcome::failed(replaced))?;
                let (time, end) = folder.end(&kept, Some(&done));
                state.ended.push(id, time, end);
            }
        }
        let num_running = limits.num_running;
        let (state, root) = (Mutex::new(state), root.to_owned());
        let (changing, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { root, engine, limits, changing, lock, state, on_end, changed });
        expiry::sweep(&shared);
        for number in 0..num_running {
            worker::start(number, &shared)?;
        }
        Ok(Self { shared })
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.shared.engine
    }

    /// Accepts an order of a client, whose selection has `count` proteins. It joins an existing job
    /// that waits, runs or has a result.
    ///
    /// # Errors
    ///
    /// * Too many jobs wait, or the disk is full.
    pub fn submit(
        &self,
        client: &str,
        order: Order,
        selection: Selection,
        count: u64,
    ) -> std::result::Result<Job, Refusal> {
        let (shared, id) = (&*self.shared, order.id());
        let changing = lock(&shared.changing);
        if let Some(job) = self.join_while(&changing, client, &order)? {
            return Ok(job);
        }
        if shared.lock.get().is_none() {
            let lock = folder::lock(&shared.root).map_err(Refusal::Unusable)?;
            shared.lock.get_or_init(|| lock);
        }
        let Order { query, name, scope } = order;
        shared.check_room(client, id, query.file().len() as u64 + FOLDER_BYTES)?;
        let (query_length, query_kind) = (query.length(), query.kind());
        let (requester, secret) = Requester::new(client, &name);
        let kept = StoredOrder { scope, query_length, query_kind, count, requesters: vec![requester] };
        let folder = Folder::prepare(&shared.root, id, &kept, &query)?;
        let num_bytes = folder.size_bytes();
        folder.rename()?;
        durable::sync(&shared.root).map_err(SearchError::from)?;
        let mut state = shared.state();
        state.forget(id);
        state.requests.insert(kept.requesters[0].id, id);
        state.push(Waiting { id, client: client.to_owned(), selection, num_bytes, was_stopped: false });
        let position = state.turns.position(|waiting| waiting.id == id).unwrap_or_default();
        drop(state);
        shared.changed.notify_one();
        let job = kept.job(id, &kept.requesters[0], JobState::Waiting { position });
        Ok(Job { secret: Some(secret), ..job })
    }

    /// Returns the query of a job.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be read.
    pub fn query(&self, job: &Job) -> Result<Option<Query>> {
        Folder::of(&self.shared.root, job.run).query()
    }

    /// Returns the time when a job expires, unless a lack of space removes it earlier. A job that
    /// has not ended expires as if it ended now.
    pub fn expires(&self, job: &Job) -> OffsetDateTime {
        match job.state {
            JobState::Done { finished, .. } | JobState::Failed { finished, .. } => self.shared.expires(finished),
            JobState::Waiting { .. } | JobState::Running { .. } => self.shared.expires(OffsetDateTime::now_utc()),
        }
    }

    /// Opens the hits of a job with a result, after the first `num_before`.
    ///
    /// # Errors
    ///
    /// * They cannot be read.
    pub fn hits(&self, job: &Job, num_before: u64) -> Result<Option<Hits>> {
        Folder::of(&self.shared.root, job.run).hits(num_before)
    }

    /// Returns the numbers of waiting and running jobs.
    pub fn num_waiting_and_running(&self) -> [usize; 2] {
        let state = self.shared.state();
        [state.turns.len(), state.running.len()]
    }
}

/// Ends the threads and their jobs, which are started again when the folder is opened again.
impl Drop for Jobs {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.is_closing = true;
        for running in state.running.values() {
            running.is_cancelled.store(true, Ordering::Release);
        }
        self.shared.changed.notify_all();
    }
}

impl State {
    fn push(&mut self, waiting: Waiting) {
        self.turns.push(&waiting.client.clone(), waiting);
    }

    /// Forgets a job that has ended, and its requesters.
    fn forget(&mut self, id: JobId) {
        self.ended.remove(id);
        self.requests.retain(|_, job| *job != id);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Records that a job no longer runs. It is removed if it was removed while it ran, and waits
    /// again if it was stopped for others.
    fn end(&self, waiting: Waiting, running: &Running, waits_anew: bool) {
        let changing = lock(&self.changing);
        let (id, folder) = (waiting.id, Folder::of(&self.root, waiting.id));
        let is_removed = running.is_removed.load(Ordering::Acquire);
        if is_removed && let Err(error) = folder.remove() {
            tracing::warn!("cannot remove search {id}: {error}");
        }
        let kept = folder.kept().ok().flatten().filter(|_| !is_removed);
        // A job whose end could not be written takes space too.
        let end = kept.map(|kept| folder.end(&kept, folder.done().ok().flatten().as_ref()));
        let mut state = self.state();
        state.running.remove(&id);
        match end {
            Some((_, end)) if waits_anew => {
                let (client, num_bytes) = (end.client, end.num_bytes);
                state.push(Waiting { client, num_bytes, was_stopped: true, ..waiting });
            }
            Some((time, end)) if !state.is_closing => state.ended.push(id, time, end),
            _ => {}
        }
        drop((state, changing));
        (self.on_end)();
    }
}
