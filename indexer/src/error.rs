//! Errors that make a run fail, and what to do about them.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::input::SumMismatch;
use crate::words::counted;

/// Describes why an input cannot be read after a line, 1-based, or 0 for its start.
fn unreadable(line: u64, source: &io::Error) -> String {
    let position = if line == 0 { String::new() } else { format!(" after line {line}") };
    match source.kind() {
        ErrorKind::UnexpectedEof => format!("it is cut off{position}: get the file again"),
        _ => format!("cannot read{position}: {source}"),
    }
}

/// The result of an indexing operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a run failed. Nothing was published, and the current generation is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be opened or read: it is missing, cut short, or its compression is damaged.
    #[error("{name}: {}", unreadable(*line, source))]
    Input {
        /// The input.
        name: String,
        /// The number of whole lines that were read before.
        line: u64,
        /// The error of the system or the decoder.
        source: io::Error,
    },
    /// An input is not usable: a table has a bad row or lacks a column, a file has another sum than
    /// is listed for it, or a folder is not a release. The problem says what to do, unless that is
    /// obvious.
    #[error("{name}: {problem}")]
    Unusable {
        /// The input, with the line where that matters.
        name: String,
        /// The problem.
        problem: String,
    },
    /// More rows were bad than `--max-rejects` allows.
    #[error(
        "{}, and --max-rejects allows {max_rejects}; the first is {first}; all that were seen are in {}",
        counted(*num_rejected, "bad row"),
        rejects_file.display()
    )]
    TooManyRejects {
        /// The number of bad rows until the run stopped.
        num_rejected: u64,
        /// The number that is allowed.
        max_rejects: u64,
        /// File, line and reason of the first one.
        first: String,
        /// The list of the rejected rows.
        rejects_file: PathBuf,
    },
    /// The inputs have no rows.
    #[error("nothing to load: the inputs are empty")]
    NothingToLoad,
    /// All rows of the inputs are bad.
    #[error(
        "nothing to load: {} and no good row; the first is {first}; all are in {}",
        counted(*num_rejected, "bad row"),
        rejects_file.display()
    )]
    NothingAccepted {
        /// The number of bad rows.
        num_rejected: u64,
        /// File, line and reason of the first one.
        first: String,
        /// The list of the rejected rows.
        rejects_file: PathBuf,
    },
    /// A file of the run itself cannot be written or read. A full disk is the usual cause.
    #[error("{action} {}: {source}", path.display())]
    Io {
        /// The action that failed.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A Parquet file cannot be read: it is cut short, damaged, or has features that the decoder
    /// lacks.
    #[error("{name}{}: {source}", row_group.map_or_else(String::new, |group| format!(", row group {group}")))]
    Parquet {
        /// The input.
        name: String,
        /// The row group, 0-based, or `None` for the footer of the file.
        row_group: Option<usize>,
        /// The error of the decoder.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The run would fill the disk, discard work that should be kept, or publish a suspicious
    /// generation. The problem says what to do.
    #[error("{problem}")]
    Refused {
        /// The reason why the run does not begin, continue, or publish.
        problem: String,
    },
    /// Rows were lost or counted twice. This is a bug: please report it.
    #[error("{problem}: this is a bug in mgdex, nothing was published")]
    Unbalanced {
        /// The numbers that do not add up.
        problem: String,
    },
    /// A temporary file of the run cannot be read back.
    #[error("the files of the run differ from what was written: is the disk faulty?")]
    CorruptSpill,
    /// The run is in a state that should be impossible. This is a bug: please report it.
    #[error("{0}: this is a bug in mgdex, nothing was published")]
    Internal(&'static str),
    /// The system cannot start more threads.
    #[error("cannot start a thread to {name}: {source}")]
    Thread {
        /// The name of the thread, such as `merge 3`.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// A table that seemed to be in order is not. The run notices it and starts again with the
    /// table sorted.
    #[error("the {table} are not in order")]
    OutOfOrder {
        /// The name of its rows for users.
        table: &'static str,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    /// Returns the error of an input that cannot be read after a line, or whose MD5 sum is wrong.
    pub fn reading(name: String, line: u64, source: io::Error) -> Self {
        match source.downcast::<SumMismatch>() {
            Ok(mismatch) => Self::Unusable { name, problem: format!("{mismatch}: get the file again") },
            Err(source) => Self::Input { name, line, source },
        }
    }

    /// Returns the error of a line of a table, 1-based. Tables are small and curated, so one bad
    /// row stops the run.
    pub fn table(name: &str, line: u64, problem: impl Into<String>) -> Self {
        Self::Unusable { name: format!("{name}, line {line}"), problem: problem.into() }
    }

    /// Returns the error of a folder that is not a release, or lacks a part that every index needs.
    pub fn folder(path: &Path, problem: impl Into<String>) -> Self {
        Self::Unusable { name: path.display().to_string(), problem: problem.into() }
    }

    /// Returns a function that adds the path and the attempted action to an I/O error.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
