//! What can make a run fail, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// The result of an indexing operation.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a run failed. Nothing was published, and the current generation is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be opened or read: it is missing, cut short, or its compression is damaged.
    #[error("{name}: cannot read behind line {line}: {source}")]
    Input {
        /// The input.
        name: String,
        /// The number of whole lines that were read before.
        line: u64,
        /// What the system or the decoder said.
        source: io::Error,
    },
    /// A table cannot be used. Tables are small and curated, so that one bad row stops the run.
    #[error("{name}, line {line}: {problem}")]
    Table {
        /// The input.
        name: String,
        /// The line, 1-based.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// More rows were bad than `--max-rejects` allows.
    #[error(
        "{num_rejected} bad rows, and --max-rejects allows {max_rejects}; the first is {first}; all that were seen are in {}",
        rejects_file.display()
    )]
    TooManyRejects {
        /// How many rows were bad until the run stopped.
        num_rejected: u64,
        /// How many are allowed.
        max_rejects: u64,
        /// File, line and reason of the first one.
        first: String,
        /// Where the rejected rows are listed.
        rejects_file: PathBuf,
    },
    /// The disk has not enough room for the index and the files that sorting needs.
    #[error("{} has {available} MB free, and this run needs about {needed} MB: free some, or choose another --data folder", path.display())]
    NoRoom {
        /// The data folder.
        path: PathBuf,
        /// Megabytes that are free.
        available: u64,
        /// Megabytes that are needed.
        needed: u64,
    },
    /// The table of replaced accessions is too large for the memory.
    #[error("{name}: more than {num_rows_max} rows do not fit into the memory allowed: raise --memory")]
    TooLarge {
        /// The input.
        name: String,
        /// How many rows fit.
        num_rows_max: usize,
    },
    /// A file of the run itself cannot be written or read. A full disk is the usual cause.
    #[error("{action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The rows that were read are not those that were accepted and rejected. This is a bug: please report it.
    #[error(
        "{name}: {read} rows read, but {accepted} accepted and {rejected} rejected: this is a bug in mgdex, nothing was published"
    )]
    Unbalanced {
        /// The input.
        name: String,
        /// Rows that were read.
        read: u64,
        /// Rows that are in the index.
        accepted: u64,
        /// Rows that are in the rejects file.
        rejected: u64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    /// Returns a function that adds the path and the attempted action to an I/O error.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
