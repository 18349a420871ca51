//! A job as those see it who have asked for it, and why one is not taken.

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
    /// The most that run at a time.
    pub num_running: usize,
    /// The most that wait, all together.
    pub num_waiting: usize,
    /// The most of a client that wait.
    pub num_waiting_of_client: usize,
    /// The most hits that are kept of one.
    pub num_hits: u64,
    /// The time for which they are kept.
    pub age: Duration,
    /// The most bytes of all on the disk: half of it is for results, the other one for those that run, and half of that for those that wait. Failed ones go
    /// first, then the oldest of the client who has most.
    pub disk_bytes: u64,
    /// The limits of the program.
    pub engine: Limits,
    /// Time of the processor after which one is stopped for others that wait: once it waits anew, then it has failed.
    pub shared_cpu_time: Duration,
}

/// A job, as one of those sees it who have asked for it.
#[derive(Clone, Debug)]
pub struct Job {
    /// The identifier, which nobody can guess.
    pub id: Uuid,
    /// The secret that removes it, if it was asked for just now.
    pub secret: Option<String>,
    pub(super) digest: Option<[u8; 32]>,
    pub(super) run: JobId,
    /// The name of the query for the one who has asked, or an empty text.
    pub name: String,
    /// The selection that it searches.
    pub scope: Scope,
    /// The number of residues or positions of the query.
    pub query_length: usize,
    /// The kind of the query.
    pub query_kind: QueryKind,
    /// The number of proteins that are selected.
    pub count: u64,
    /// When it was asked for.
    pub created: OffsetDateTime,
    /// Its state.
    pub state: JobState,
}

/// The state of a job.
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
        /// When it ended, or was asked for if that was later.
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
    #[error("the queue is full ({0} searches): try again later")]
    Full(usize),
    /// Too many of the client wait.
    #[error("{0} of your searches are waiting already: try again when one of them has ended")]
    FullOfClient(usize),
    /// It was removed a moment ago, while it ran.
    #[error("this search is being deleted: try again in a moment")]
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
