//! A job as its requesters see it, and reasons to refuse one.

use std::time::Duration;

use time::OffsetDateTime;
use uuid::Uuid;

use super::order::{JobId, Scope};
use crate::limits::Limits;
use crate::search::Found;
use crate::{QueryKind, SearchError};

/// The limits of jobs.
#[derive(Clone, Debug)]
pub struct JobLimits {
    /// The most jobs that run at a time.
    pub num_running: usize,
    /// The most jobs that wait, in total.
    pub num_waiting: usize,
    /// The most jobs of a client that wait.
    pub num_waiting_of_client: usize,
    /// The most hits that are stored per job.
    pub num_hits: u64,
    /// The time for which jobs are kept.
    pub age: Duration,
    /// The most bytes of all jobs on the disk: half of it for results, the other half for waiting
    /// and running jobs, of which half is for waiting ones. Failed jobs are removed first, then the
    /// oldest of the client with the largest total size.
    pub disk_bytes: u64,
    /// The limits of the program.
    pub engine: Limits,
    /// The processor time after which a job is stopped if others wait. The first time, it waits
    /// again; the second time, it fails.
    pub shared_cpu_time: Duration,
}

/// A job as one of its requesters sees it.
#[derive(Clone, Debug)]
pub struct Job {
    /// The identifier, which nobody can guess.
    pub id: Uuid,
    /// The secret that removes it, if it was requested just now.
    pub secret: Option<String>,
    pub(super) digest: Option<[u8; 32]>,
    pub(super) run: JobId,
    /// The requester's name of the query, or an empty text.
    pub name: String,
    /// The selection that it searches.
    pub scope: Scope,
    /// The number of residues or positions of the query.
    pub query_length: usize,
    /// The kind of the query.
    pub query_kind: QueryKind,
    /// The number of proteins that are selected.
    pub count: u64,
    /// The time of the request.
    pub created: OffsetDateTime,
    /// Its state.
    pub state: JobState,
}

/// The state of a job.
#[derive(Clone, Debug)]
pub enum JobState {
    /// It waits for `position` other jobs to start.
    Waiting {
        /// The number of jobs that start before it.
        position: usize,
    },
    /// It runs.
    Running {
        /// The number of proteins that were sent to the engine.
        num_sent: u64,
    },
    /// It has a result, possibly without hits.
    Done {
        /// The numbers.
        found: Found,
        /// The time when it ended, or was requested if that was later.
        finished: OffsetDateTime,
        /// The time when it expires.
        expires: OffsetDateTime,
    },
    /// It has no result.
    Failed {
        /// The reason, as a sentence.
        reason: String,
        /// The time when it ended.
        finished: OffsetDateTime,
    },
}

/// The reason why a job is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Too many wait.
    #[error("the queue is full ({0} searches): try again later")]
    Full(usize),
    /// Too many of the client wait.
    #[error("{0} of your searches are waiting already: try again when one of them has ended")]
    FullOfClient(usize),
    /// It was removed a moment ago, while it ran.
    #[error("this search is being deleted: try again in a moment")]
    Ending,
    /// The disk is nearly full.
    #[error("the disk has no space left for search results")]
    NoSpace,
    /// The folder cannot be created, or another process runs its jobs.
    #[error("the folder of searches cannot be used: see the log of the server")]
    Unusable(#[source] SearchError),
    /// It cannot be stored.
    #[error(transparent)]
    Failed(#[from] SearchError),
}

impl Job {
    /// Returns whether it neither waits nor runs.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, JobState::Done { .. } | JobState::Failed { .. })
    }

    /// Returns whether it has failed. A new request tries it again.
    pub fn has_failed(&self) -> bool {
        matches!(self.state, JobState::Failed { .. })
    }

    /// Returns the database size used for E-values.
    pub fn space(&self) -> u64 {
        let num_searched = match &self.state {
            JobState::Done { found, .. } => found.num_targets,
            _ => self.count,
        };
        self.scope.space.unwrap_or(num_searched)
    }
}
