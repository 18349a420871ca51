//! Proteins that are similar to a sequence, or match a profile, among any selection.
//!
//! The programs `phmmer` and `hmmsearch` of HMMER do the work. They read their targets from
//! standard input, so a selection needs no preparation: it is streamed from its generation into the
//! program, which runs under restrictions in its own folder.
//!
//! 1. [`Engine::find`] finds the programs once.
//! 2. [`Query::fasta`] and [`Query::profile`] check the query.
//! 3. [`Search::run`] runs a program, and passes on its hits, best first, once they are known to be
//!    complete.
//! 4. [`Jobs`] stores searches in files, queues them, and runs them.

mod engine;
mod error;
mod feed;
mod guards;
mod hit;
mod jobs;
mod limits;
mod output;
mod process;
mod profile;
mod query;
mod search;

pub use engine::{Engine, EngineError};
pub use error::SearchError;
pub use feed::{Selection, Targets, TargetsFile};
pub use guards::User;
pub use hit::{Columns, Domain, Hit};
pub use jobs::{Hits, Job, JobLimits, JobState, Jobs, OnEnd, Order, Refusal, Scope, Select};
pub use limits::Limits;
#[doc(hidden)]
pub use output::read_output;
pub use query::{Query, QueryFault, QueryKind, RESIDUES_MAX};
pub use search::{EVALUE_MAX, Found, Search, SearchSpace, parse_evalue};

/// The result of a search.
pub type Result<T> = std::result::Result<T, SearchError>;
