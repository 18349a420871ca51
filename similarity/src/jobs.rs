//! Searches that wait for their turns, run one after another, and are kept for a time.
//!
//! A job is a folder, named by its identifier; its state is what is in the folder. See [`folder`].
//!
//! Jobs wait in turns by client, so that one who asks for many delays nobody else. As many threads as there are places take the next one, run it, and write its
//! hits. Equal searches have the same identifier, and are one job.

mod expiry;
mod folder;
mod order;
mod turns;
mod worker;

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::available_bytes;
use time::OffsetDateTime;

use crate::engine::Engine;
use crate::feed::Selection;
use crate::process::Limits;
use crate::search::Found;
use crate::{Result, SearchError};

use folder::{Done, Folder, Kept, Outcome};
pub use order::{JobId, Order};
use turns::Turns;

/// The free space below which nothing new is taken.
const FREE_BYTES_MIN: u64 = 256 << 20;

/// Returns what an order selects, or `None` if its generation is not there any more.
pub type Select = Box<dyn Fn(&Order) -> Option<Selection> + Send + Sync>;

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
    /// The most bytes of those that are kept. The oldest go first.
    pub kept_bytes: u64,
    /// What the program may take.
    pub engine: Limits,
}

/// A job.
#[derive(Clone, Debug)]
pub struct Job {
    /// The identifier.
    pub id: JobId,
    /// What is searched.
    pub order: Order,
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
    #[error("{0} searches of yours are waiting: come back when one of them has ended")]
    FullOfClient(usize),
    /// It was removed a moment ago, while it ran.
    #[error("this search is just being removed: come back in a moment")]
    Ending,
    /// The disk is nearly full.
    #[error("there is no space left on the disk for results of searches")]
    NoSpace,
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
    state: Mutex<State>,
    /// Something waits, or all is to end.
    changed: Condvar,
    /// Nobody else runs the jobs of the folder.
    _lock: File,
}

#[derive(Default)]
struct State {
    turns: Turns<Waiting>,
    running: HashMap<JobId, Arc<Running>>,
    is_closing: bool,
}

struct Waiting {
    id: JobId,
    selection: Selection,
}

#[derive(Default)]
struct Running {
    num_sent: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Jobs {
    /// Opens a folder, or makes it, goes on with the jobs that have no end yet, and starts the threads that run them. What a killed server has left behind is
    /// removed.
    ///
    /// # Errors
    ///
    /// * Another process runs the jobs of the folder.
    /// * The folder cannot be read or written, or no thread can be started.
    pub fn open(root: &Path, engine: Engine, limits: JobLimits, select: &Select) -> Result<Self> {
        let lock = folder::lock(root)?;
        let mut state = State::default();
        for (folder, kept) in folder::unfinished(root)? {
            let Kept { order, .. } = &kept;
            match select(order) {
                // Who had ordered it is not kept.
                Some(selection) => state.turns.push("", Waiting { id: order.id(), selection }),
                None => folder.finish(&Outcome::failed("the proteins were replaced while it waited: search again"))?,
            }
        }
        let num_running = limits.num_running;
        let (state, changed, root) = (Mutex::new(state), Condvar::new(), root.to_owned());
        let shared = Arc::new(Shared { root, engine, limits, state, changed, _lock: lock });
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
        let (shared, id) = (&self.shared, order.id());
        let mut state = shared.state();
        if state.running.get(&id).is_some_and(|running| running.is_cancelled.load(Ordering::Acquire)) {
            return Err(Refusal::Ending);
        }
        if let Some(job) = shared.find(&state, id)?
            && !matches!(job.state, JobState::Failed { .. })
        {
            return Ok(job);
        }
        let JobLimits { num_waiting, num_waiting_of_client, .. } = shared.limits;
        if state.turns.len() >= num_waiting {
            return Err(Refusal::Full(num_waiting));
        }
        if state.turns.len_of(client) >= num_waiting_of_client {
            return Err(Refusal::FullOfClient(num_waiting_of_client));
        }
        let free = available_bytes(&shared.root).map_err(SearchError::from)?;
        if free < FREE_BYTES_MIN {
            return Err(Refusal::NoSpace);
        }
        let kept = Kept { order, count, created: OffsetDateTime::now_utc() };
        Folder::create(&shared.root, id, &kept)?;
        state.turns.push(client, Waiting { id, selection });
        shared.changed.notify_one();
        let position = state.turns.position(|waiting| waiting.id == id).unwrap_or_default();
        let Kept { order, count, created } = kept;
        Ok(Job { id, order, count, created, state: JobState::Waiting { position } })
    }

    /// Returns a job, or `None` if there is none of that identifier.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be read.
    pub fn find(&self, id: JobId) -> Result<Option<Job>> {
        self.shared.find(&self.shared.state(), id)
    }

    /// Opens the hits of a job that has ended, each a line of JSON ([`crate::Hit`]), best first.
    ///
    /// # Errors
    ///
    /// * The file cannot be opened.
    pub fn hits(&self, id: JobId) -> Result<Option<BufReader<File>>> {
        Folder::of(&self.shared.root, id).hits()
    }

    /// Removes a job, and ends it first if it runs. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// * Its folder cannot be removed.
    pub fn remove(&self, id: JobId) -> Result<bool> {
        let mut state = self.shared.state();
        if let Some(running) = state.running.get(&id) {
            // The thread that runs it removes the folder.
            return Ok(!running.is_cancelled.swap(true, Ordering::AcqRel));
        }
        state.turns.remove(|waiting| waiting.id == id);
        Folder::of(&self.shared.root, id).remove()
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

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done in it by a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, state: &State, id: JobId) -> Result<Option<Job>> {
        let folder = Folder::of(&self.root, id);
        let Some(Kept { order, count, created }) = folder.kept()? else { return Ok(None) };
        let state = if let Some(running) = state.running.get(&id) {
            if running.is_cancelled.load(Ordering::Acquire) {
                return Ok(None);
            }
            JobState::Running { num_sent: running.num_sent.load(Ordering::Relaxed) }
        } else if let Some(position) = state.turns.position(|waiting| waiting.id == id) {
            JobState::Waiting { position }
        } else if let Some(Done { outcome, finished }) = folder.done()? {
            match outcome {
                Outcome::Found(found) => JobState::Done { found, finished, expires: finished + self.limits.age },
                Outcome::Failed(reason) => JobState::Failed { reason, finished },
            }
        } else {
            return Ok(None);
        };
        Ok(Some(Job { id, order, count, created, state }))
    }
}
