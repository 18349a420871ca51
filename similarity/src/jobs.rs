//! Searches that wait for their turns, run one after another, and are kept for a time.
//!
//! A job is a folder, named by its identifier; its state is what is in the folder. See [`folder`].
//!
//! Jobs wait in turns by client, so that one who asks for many, or for long ones, delays nobody else. As many threads as there are places take the next one,
//! run it, and write its hits. Equal searches are one job, which each of those who ask for it sees as one of his own. See [`asker`].

mod asked;
mod asker;
mod ended;
mod expiry;
mod folder;
mod hits;
mod job;
mod order;
mod room;
mod turns;
mod worker;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use store::{durable, lock};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::Engine;
use crate::feed::Selection;
use crate::{Query, Result, SearchError};

use asker::Asked;
use ended::Ended;
use folder::{All, Folder, Kept, Outcome};
pub use hits::Hits;
pub use job::{Job, JobLimits, JobState, Refusal};
use order::JobId;
pub use order::{Order, Scope};
use turns::FairTurns;

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
    turns: FairTurns<Waiting>,
    running: HashMap<JobId, Arc<Running>>,
    ended: Ended,
    /// The job of each search that was asked for.
    asked: HashMap<Uuid, JobId>,
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
        let All { unfinished, ended, asked } = folder::all(root)?;
        let mut state = State { asked, ..State::default() };
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

    /// Takes an order of a client, of whose proteins there are `count`. It joins a job that waits, runs or has a result.
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
        let (asked, secret) = Asked::new(client, &name);
        let kept = Kept { scope, query_length, query_kind, count, asked: vec![asked] };
        let folder = Folder::prepare(&shared.root, id, &kept, &query)?;
        let num_bytes = folder.size_bytes();
        let mut state = shared.state();
        folder.rename()?;
        state.forget(id);
        state.asked.insert(kept.asked[0].id, id);
        state.push(Waiting { id, client: client.to_owned(), selection, num_bytes, was_stopped: false });
        let position = state.turns.position(|waiting| waiting.id == id).unwrap_or_default();
        drop(state);
        durable::sync(&shared.root).map_err(SearchError::from)?;
        shared.changed.notify_one();
        let job = kept.job(id, &kept.asked[0], JobState::Waiting { position });
        Ok(Job { secret: Some(secret), ..job })
    }

    /// Returns what a job looks for.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be read.
    pub fn query(&self, job: &Job) -> Result<Option<Query>> {
        Folder::of(&self.shared.root, job.run).query()
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
    pub fn hits(&self, job: &Job, num_before: u64) -> Result<Option<Hits>> {
        Folder::of(&self.shared.root, job.run).hits(num_before)
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

    /// Forgets a job that has ended, and who has asked for it.
    fn forget(&mut self, id: JobId) {
        self.ended.remove(id);
        self.asked.retain(|_, job| *job != id);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
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
        let changing = lock(&self.changing);
        let (id, folder) = (waiting.id, Folder::of(&self.root, waiting.id));
        let is_removed = running.is_removed.load(Ordering::Acquire);
        if is_removed && let Err(error) = folder.remove() {
            tracing::warn!("search {id} is not removed: {error}");
        }
        let kept = folder.kept().ok().flatten().filter(|_| !is_removed);
        // One whose end could not be written takes space, too.
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
