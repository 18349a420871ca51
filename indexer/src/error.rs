//! What can make a run fail, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use crate::input::{ListedSum, SumMismatch};
use crate::release::Table;
use crate::words::counted;

/// Names the last line, 1-based, that was read before an error.
fn behind(line: u64) -> String {
    if line == 0 { String::new() } else { format!(" behind line {line}") }
}

/// The result of an indexing operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a run failed. Nothing was published, and the current generation is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be opened or read: it is missing, cut short, or its compression is damaged.
    #[error("{name}: cannot read{}: {source}", behind(*line))]
    Input {
        /// The input.
        name: String,
        /// The number of whole lines that were read before.
        line: u64,
        /// The error of the system or the decoder.
        source: io::Error,
    },
    /// A file of a release is not the one whose sum is listed beside it: it arrived damaged, or was changed.
    #[error("{name}: its MD5 sum is {found}, and {listed_in} says {expected}: get the file again")]
    Sum {
        /// The file.
        name: String,
        /// The sum that it has.
        found: String,
        /// The sum that it should have.
        expected: String,
        /// The file that says so.
        listed_in: String,
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
        "{}, and --max-rejects allows {max_rejects}; the first is {first}; all that were seen are in {}",
        counted(*num_rejected, "bad row"),
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
    /// The disk has too little room for the index and the files that sorting needs.
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
    /// The inputs have no rows.
    #[error("nothing to load: the inputs are empty")]
    NothingToLoad,
    /// All rows of the inputs are bad.
    #[error(
        "nothing to load: {} and no good one; the first is {first}; all are in {}",
        counted(*num_rejected, "bad row"),
        rejects_file.display()
    )]
    NothingAccepted {
        /// How many rows were bad.
        num_rejected: u64,
        /// File, line and reason of the first one.
        first: String,
        /// Where the rejected rows are listed.
        rejects_file: PathBuf,
    },
    /// The new index has less than half of the proteins of the current one: its input was most likely cut off.
    #[error(
        "the new index has {}, and the present one, {}, has {num_present}: less than half. Nothing was published; \
         if that is meant, start the same command again with --allow-shrink (what was done for a release is kept until then)",
        counted(*num_proteins, "protein"),
        present.display()
    )]
    Shrunk {
        /// How many proteins the new index has.
        num_proteins: u64,
        /// How many the current one has.
        num_present: u64,
        /// The folder of the current one.
        present: PathBuf,
    },
    /// There are warnings, and the run is strict.
    #[error(
        "{}; nothing was published because of --strict, and the same command without it publishes all the same",
        warnings.join("; ")
    )]
    Strict {
        /// A sentence each.
        warnings: Vec<String>,
    },
    /// Accepted rows of a catalogue or a directory were lost or counted twice. This is a bug: please report it.
    #[error(
        "{accepted} rows accepted, but {accounted} stored, replaced or left out: this is a bug in mgdex, nothing was published"
    )]
    Unaccounted {
        /// Rows that were accepted.
        accepted: u64,
        /// Those that are stored, replaced or left out.
        accounted: u64,
    },
    /// A file of the run itself cannot be written or read. A full disk is the usual cause.
    #[error("{action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Rows were lost or counted twice. This is a bug: please report it.
    #[error(
        "{name}: {read} rows read, but {accepted} accepted, {passed_over} passed over and {rejected} rejected: this is a bug in mgdex, nothing was published"
    )]
    Unbalanced {
        /// The input.
        name: String,
        /// Rows that were read.
        read: u64,
        /// Rows that are in the index.
        accepted: u64,
        /// Good rows that are not in the index.
        passed_over: u64,
        /// Rows that are in the rejects file.
        rejected: u64,
    },
    /// A Parquet file cannot be read: it is cut short, damaged, or has features that the decoder lacks.
    #[error("{name}{}: {source}", row_group.map_or_else(String::new, |group| format!(", row group {group}")))]
    Parquet {
        /// The input.
        name: String,
        /// The row group, 0-based, or `None` for the footer of the file.
        row_group: Option<usize>,
        /// The error of the decoder.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A Parquet file lacks a column that its table needs, or has it in an unusable type.
    #[error("{name}: {problem}; the columns are {columns}")]
    Columns {
        /// The input.
        name: String,
        /// What is missing.
        problem: String,
        /// The columns of the file.
        columns: String,
    },
    /// A folder is not a release, or lacks a table that every index needs.
    #[error("{}: {problem}", path.display())]
    Release {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// More lineages are unknown than a release can have.
    #[error(
        "more than {num_max} lineages are not in the biome table, such as {example:?}: is that the column of the biomes?"
    )]
    TooManyLineages {
        /// How many may be unknown.
        num_max: usize,
        /// One of them.
        example: String,
    },
    /// An unfinished run has read other inputs.
    #[error(
        "{} holds an unfinished run over other inputs ({difference}): start that one again to finish it, or add --fresh to throw it away",
        path.display()
    )]
    OtherInputs {
        /// The folder of the unfinished run.
        path: PathBuf,
        /// How the inputs differ.
        difference: String,
    },
    /// A file that the run has written for itself does not read back.
    #[error("the files of the run do not read back as they were written: is the disk sound?")]
    Spill,
    /// A table that seemed to be in order is not. The run notices it and starts again with the table sorted.
    #[error("the {} are not in order", table.name())]
    OutOfOrder {
        /// The table.
        table: Table,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    /// Returns the error of an input that cannot be read after a line, or whose MD5 sum is wrong.
    pub(crate) fn reading(name: String, line: u64, source: io::Error) -> Self {
        match source.downcast::<SumMismatch>() {
            Ok(SumMismatch { expected: ListedSum { sum, listed_in }, found }) => {
                Self::Sum { name, found: found.to_string(), expected: sum.to_string(), listed_in }
            }
            Err(source) => Self::Input { name, line, source },
        }
    }

    /// Returns a function that adds the path and the attempted action to an I/O error.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
