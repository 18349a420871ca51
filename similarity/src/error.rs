//! Reasons why a search has no result.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The reason why a search has no result. Each is a sentence for the client.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Nothing is selected, or nothing that can be searched.
    #[error("the selection has no proteins, or only ones that are too long")]
    Empty,
    /// It was stopped on demand.
    #[error("the search was cancelled")]
    Cancelled,
    /// It took too long.
    #[error("the search took longer than {} s: select fewer proteins", .0.as_secs())]
    TooLong(Duration),
    /// It took too long while other searches were waiting.
    #[error(
        "the search takes more than {} s of processor time, and others are waiting: select fewer proteins, or search again when fewer wait", .0.as_secs()
    )]
    Crowded(Duration),
    /// The program gave up, as it does when it gets no memory, or was ended by the system.
    #[error("{program} gave up, probably because it ran out of memory: long, similar sequences need the most")]
    Aborted {
        /// Its name.
        program: &'static str,
    },
    /// The program ran into a fault of its own.
    #[error("{program} crashed (signal {signal}): this is a bug in HMMER, and another query may succeed")]
    Crashed {
        /// Its name.
        program: &'static str,
        /// The signal that ended it.
        signal: i32,
    },
    /// The program wrote too much.
    #[error("the hits take more than {} MiB: ask for a lower E-value, or select fewer proteins", .0 >> 20)]
    TooMuchOutput(u64),
    /// The disk is nearly full.
    #[error("the disk of the server is nearly full: search again later")]
    NoSpace,
    /// The program cannot read the query.
    #[error("{program} rejects the query: {problem}")]
    Refused {
        /// Its name.
        program: &'static str,
        /// Its own words.
        problem: String,
    },
    /// The result of the program is incomplete.
    #[error("the result of {program} is incomplete: {problem}")]
    Broken {
        /// Its name.
        program: &'static str,
        /// The sign of the problem.
        problem: String,
    },
    /// The selection cannot be read.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A file or a process cannot be used.
    #[error("{what} {}: {source}", path.display())]
    Io {
        /// The action that failed.
        what: &'static str,
        /// The file or program.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl SearchError {
    /// Returns the sentence for the client. Names of files of this machine are only for the log.
    pub(crate) fn public_message(&self) -> String {
        match self {
            Self::Store(_) | Self::Io { .. } => "the server could not read or write its files: see its log".to_owned(),
            other => other.to_string(),
        }
    }

    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }
}
