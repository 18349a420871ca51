//! Searches that wait for their turns, run one after another, and are kept for a time.
//!
//! A job is a folder, named by its identifier; its state is what is in the folder. See [`folder`].
//!
//! Jobs wait in turns by client, so that one who asks for many, or for long ones, delays nobody else. As many threads as there are places take the next one,
//! run it, and write its hits. Equal searches have the same identifier, and are one job.

mod expiry;
mod folder;
mod order;
mod room;
mod turns;
mod worker;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use store::durable;
use time::OffsetDateTime;

use crate::engine::Engine;
use crate::feed::Selection;
use crate::process::Limits;
use crate::search::Found;
use crate::{Query, QueryKind, Result, SearchError};

use expiry::Ended;
pub use folder::Hits;
use folder::{All, Done, Folder, Kept, Outcome};
pub use order::{JobId, Order, Scope};
use turns::Turns;

/// The bytes that a folder takes beside its query, about.
const FOLDER_BYTES: u64 = 16 << 10;

/// The pauses between two looks for jobs whose time is over.
const SWEEP_MIN: Duration = Duration::from_secs(1);
const SWEEP_MAX: Duration = Duration::from_mins(1);

/// The reason of a job whose end could not be written.
const NOT_KEPT: &str = "its result could not be written: search again when there is space on the disk";

/// Returns what is selected, or `None` if the generation is not there any more.
pub type Select<'a> = dyn Fn(&Scope) -> Option<Selection> + 'a;

/// Is called by another thread when a job has ended.
pub type OnEnd = Box<dyn Fn() + Send + Sync>;

/// What jobs may take.
#[derive(Clone, Debug)]
pub struct JobLimits {
    /// How many run at a time.
    pub num_running: usize,
    /// How many wait, all together.
    pub num_waiting: usize,
    /// How many of a client wait.
    pub num_waiting_of_client: usize,
    /// The most hits that are kept of one.
    pub num_hits: u64,
    /// How long they are kept.
    pub age: Duration,
    /// The most bytes of all on the disk: half of it is for results, the other one for those that run, and half of that for those that wait. Failed ones go
    /// first, then the oldest of the client who has most.
    pub disk_bytes: u64,
    /// What the program may take.
    pub engine: Limits,
    /// Time of the processor after which one is stopped for others that wait: once it waits anew, then it has failed.
    pub shared_cpu_time: Duration,
}

/// A job.
#[derive(Clone, Debug)]
pub struct Job {
    /// The identifier.
    pub id: JobId,
    /// Where it searches.
    pub scope: Scope,
    /// The number of residues or positions of the query.
    pub query_length: usize,
    /// What the query is.
    pub query_kind: QueryKind,
    /// The number of proteins that are selected.
    pub count: u64,
    /// When it was ordered.
    pub created: OffsetDateTime,
    /// Where it is.
    pub state: JobState,
}

/// Where a job is.
#[derive(Clone, Debug)]
pub enum JobState {
    /// It waits, and so many jobs start before it.
    Waiting {
        /// The number of jobs.
        position: usize,
    },
    /// It runs, and so many proteins were sent to the engine.
    Running {
        /// The number of proteins.
        num_sent: u64,
    },
    /// It has hits, or none.
    Done {
        /// The numbers.
        found: Found,
        /// When it ended.
        finished: OffsetDateTime,
        /// When it is removed.
        expires: OffsetDateTime,
    },
    /// It has no result, for a reason, which is a sentence.
    Failed {
        /// The reason.
        reason: String,
        /// When it ended.
        finished: OffsetDateTime,
    },
}

/// Why a job is not taken.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Too many wait.
    #[error("{0} searches are waiting: come back later")]
    Full(usize),
    /// Too many of the client wait.
    #[error("no more of your searches can wait beside the {0} that do: come back when one of them has ended")]
    FullOfClient(usize),
    /// It was removed a moment ago, while it ran.
    #[error("this search is just being removed: come back in a moment")]
    Ending,
    /// The disk is nearly full.
    #[error("there is no space left on the disk for results of searches")]
    NoSpace,
    /// The folder cannot be made, or another process runs its searches.
    #[error("the folder of searches cannot be used: the log of the server says why")]
    Unusable(#[source] SearchError),
    /// It cannot be written.
    #[error(transparent)]
    Failed(#[from] SearchError),
}

/// The jobs of a folder, and the threads that run them until this is dropped.
pub struct Jobs {
    shared: Arc<Shared>,
}

struct Shared {
    root: PathBuf,
    engine: Engine,
    limits: JobLimits,
    /// Held while jobs are added or removed, which waits for the disk.
    changing: Mutex<()>,
    /// Nobody else runs the jobs of the folder, which is made for the first one.
    lock: OnceLock<File>,
    /// Held for moments only.
    state: Mutex<State>,
    on_end: OnEnd,
    /// Something waits, or all is to end.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    turns: Turns<Waiting>,
    running: HashMap<JobId, Arc<Running>>,
    ended: Ended,
    is_closing: bool,
}

struct Waiting {
    id: JobId,
    client: String,
    selection: Selection,
    /// What its folder takes.
    num_bytes: u64,
    /// It was stopped for others before.
    was_stopped: bool,
}

#[derive(Default)]
struct Running {
    num_sent: AtomicU64,
    /// What its folder takes.
    num_bytes: AtomicU64,
    /// Why it is stopped, if it is.
    stopped: OnceLock<SearchError>,
    /// The engine is to end.
    is_cancelled: AtomicBool,
    /// The job is to be gone then.
    is_removed: AtomicBool,
}

impl Jobs {
    /// Opens a folder, which is made for the first job, goes on with the jobs that have no end yet, and starts the threads that run them. What a killed server has left behind is
    /// removed.
    ///
    /// # Errors
    ///
    /// * Another process runs the jobs of the folder.
    /// * The folder cannot be read or written, or no thread can be started.
    pub fn open(root: &Path, engine: Engine, limits: JobLimits, select: &Select, on_end: OnEnd) -> Result<Self> {
        let lock = if root.is_dir() { OnceLock::from(folder::lock(root)?) } else { OnceLock::new() };
        let All { unfinished, ended } = folder::all(root)?;
        let mut state = State::default();
        for (id, finished, end) in ended {
            state.ended.push(id, finished, end);
        }
        let replaced = "the proteins were replaced while it waited: search again";
        for (id, kept) in unfinished {
            let (folder, client) = (Folder::of(root, id), kept.client);
            if let Some(selection) = select(&kept.scope) {
                state.push(Waiting { id, client, selection, num_bytes: folder.size_bytes(), was_stopped: false });
            } else {
                folder.finish(Outcome::failed(replaced))?;
                state.ended.push(id, OffsetDateTime::now_utc(), folder.end(client, true));
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

    /// Takes an order of a client, of whose proteins there are `count`. A job that waits, runs or has a result is returned as it is.
    ///
    /// # Errors
    ///
    /// * Too many wait, or the disk is full.
    pub fn submit(
        &self,
        client: &str,
        order: Order,
        selection: Selection,
        count: u64,
    ) -> std::result::Result<Job, Refusal> {
        let (shared, id) = (&*self.shared, order.id());
        let _changing = locked(&shared.changing);
        if let Some(job) = self.find(id)?
            && !job.has_failed()
        {
            return Ok(job);
        }
        if shared.lock.get().is_none() {
            let lock = folder::lock(&shared.root).map_err(Refusal::Unusable)?;
            shared.lock.get_or_init(|| lock);
        }
        let Order { query, scope } = order;
        shared.check_room(client, id, query.file().len() as u64 + FOLDER_BYTES)?;
        let (created, client) = (OffsetDateTime::now_utc(), client.to_owned());
        let (query_length, query_kind) = (query.length(), query.kind());
        let kept = Kept { scope, client: client.clone(), query_length, query_kind, count, created };
        let folder = Folder::prepare(&shared.root, id, &kept, &query)?;
        let num_bytes = folder.size_bytes();
        let mut state = shared.state();
        folder.rename()?;
        state.ended.remove(id);
        state.push(Waiting { id, client, selection, num_bytes, was_stopped: false });
        let position = state.turns.position(|waiting| waiting.id == id).unwrap_or_default();
        drop(state);
        durable::sync(&shared.root).map_err(SearchError::from)?;
        shared.changed.notify_one();
        Ok(kept.into_job(id, JobState::Waiting { position }))
    }

    /// Returns a job, or `None` if there is none of that identifier.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be read.
    pub fn find(&self, id: JobId) -> Result<Option<Job>> {
        let shared = &*self.shared;
        if shared.lock.get().is_none() {
            return Ok(None);
        }
        let folder = Folder::of(&shared.root, id);
        let Some(kept) = folder.kept()? else { return Ok(None) };
        let state = shared.state();
        let running = state.running.get(&id).map(Arc::clone);
        let position = state.turns.position(|waiting| waiting.id == id);
        // The disk is not waited for while others wait for the state.
        drop(state);
        let state = match (running, position) {
            (Some(running), _) if running.is_removed.load(Ordering::Acquire) => return Ok(None),
            (Some(running), _) => JobState::Running { num_sent: running.num_sent.load(Ordering::Relaxed) },
            (None, Some(position)) => JobState::Waiting { position },
            (None, None) => match folder.done()? {
                None => JobState::Failed { reason: NOT_KEPT.to_owned(), finished: kept.created },
                Some(Done { outcome: Outcome::Failed(reason), finished }) => JobState::Failed { reason, finished },
                Some(Done { outcome: Outcome::Found(found), finished }) => {
                    JobState::Done { found, finished, expires: shared.expires(finished) }
                }
            },
        };
        Ok(Some(kept.into_job(id, state)))
    }

    /// Returns what a job looks for.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be read.
    pub fn query(&self, id: JobId) -> Result<Option<Query>> {
        Folder::of(&self.shared.root, id).query()
    }

    /// Returns until when a job is kept, if not shorter for lack of space: one that has not ended, as if it ended now.
    pub fn expires(&self, job: &Job) -> OffsetDateTime {
        match job.state {
            JobState::Done { finished, .. } | JobState::Failed { finished, .. } => self.shared.expires(finished),
            JobState::Waiting { .. } | JobState::Running { .. } => self.shared.expires(OffsetDateTime::now_utc()),
        }
    }

    /// Opens the hits of a job that has ended well, behind the first `num_before`.
    ///
    /// # Errors
    ///
    /// * They cannot be read.
    pub fn hits(&self, id: JobId, num_before: u64) -> Result<Option<Hits>> {
        Folder::of(&self.shared.root, id).hits(num_before)
    }

    /// Removes a job, and ends it first if it runs. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be removed.
    pub fn remove(&self, id: JobId) -> Result<bool> {
        let shared = &*self.shared;
        let _changing = locked(&shared.changing);
        let mut state = shared.state();
        if let Some(running) = state.running.get(&id) {
            // The thread that runs it removes the folder.
            running.is_cancelled.store(true, Ordering::Release);
            return Ok(!running.is_removed.swap(true, Ordering::AcqRel));
        }
        state.turns.remove(|waiting| waiting.id == id);
        state.ended.remove(id);
        drop(state);
        Folder::of(&shared.root, id).remove()
    }

    /// Returns how many jobs wait, and how many run.
    pub fn num_waiting_and_running(&self) -> [usize; 2] {
        let state = self.shared.state();
        [state.turns.len(), state.running.len()]
    }
}

/// The threads end with what they run, which is begun anew when the folder is opened again.
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
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    /// Returns when a job is removed that has ended.
    fn expires(&self, finished: OffsetDateTime) -> OffsetDateTime {
        finished.saturating_add(self.limits.age.try_into().unwrap_or(time::Duration::MAX))
    }

    /// Returns how long it takes until the first job is to be removed, within bounds: the clock may be set meanwhile.
    fn until_expiry(&self, state: &State) -> Duration {
        let left = state.ended.first().map(|first| self.expires(first) - OffsetDateTime::now_utc());
        let left = left.and_then(|left| Duration::try_from(left.max(time::Duration::ZERO)).ok());
        left.unwrap_or(SWEEP_MAX).clamp(SWEEP_MIN, SWEEP_MAX)
    }

    /// Notes that a job runs no longer. It is removed if it was removed while it ran, and waits anew if it was stopped for others.
    fn end(&self, waiting: Waiting, running: &Running, waits_anew: bool) {
        let changing = locked(&self.changing);
        let (id, folder) = (waiting.id, Folder::of(&self.root, waiting.id));
        let is_removed = running.is_removed.load(Ordering::Acquire);
        if is_removed && let Err(error) = folder.remove() {
            tracing::warn!("search {id} is not removed: {error}");
        }
        let done = folder.done().ok().flatten();
        let has_failed = done.as_ref().is_none_or(|done| done.outcome.has_failed());
        let end = folder.end(waiting.client.clone(), has_failed);
        let mut state = self.state();
        state.running.remove(&id);
        if waits_anew && !is_removed {
            state.push(Waiting { num_bytes: end.num_bytes, was_stopped: true, ..waiting });
        } else if !is_removed && !state.is_closing {
            // One whose end could not be written takes space, too.
            state.ended.push(id, done.map_or_else(OffsetDateTime::now_utc, |done| done.finished), end);
        }
        drop((state, changing));
        (self.on_end)();
    }
}

impl Job {
    /// Tells whether it neither waits nor runs.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, JobState::Done { .. } | JobState::Failed { .. })
    }

    /// Tells whether it has failed. Then it is tried again when it is asked for again.
    pub fn has_failed(&self) -> bool {
        matches!(self.state, JobState::Failed { .. })
    }

    /// Returns as how many proteins E-values are computed.
    pub fn space(&self) -> u64 {
        let num_searched = match &self.state {
            JobState::Done { found, .. } => found.num_targets,
            _ => self.count,
        };
        self.scope.space.unwrap_or(num_searched)
    }
}

impl Kept {
    fn into_job(self, id: JobId, state: JobState) -> Job {
        let Self { scope, query_length, query_kind, count, created, .. } = self;
        Job { id, scope, query_length, query_kind, count, created, state }
    }
}

/// Locks what a panic leaves as it should be.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
