//! What can make a run fail, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use crate::md5_sum::{ListedSum, SumMismatch};
use crate::release::Table;
use crate::words::counted;

/// Returns behind which line, 1-based, something happened, if any was read before.
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
        /// What the system or the decoder said.
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
    /// No input has a row.
    #[error("nothing to load: the inputs are empty")]
    NothingToLoad,
    /// All rows of the inputs are bad, whatever `--max-rejects` allows.
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
    /// The new index has less than half of the proteins of the present one: its input was most likely cut off.
    #[error(
        "the new index has {}, and the present one, {}, has {num_present}: less than half. Nothing was published; \
         if that is meant, start the same command again with --allow-shrink (what was done for a release is kept until then)",
        counted(*num_proteins, "protein"),
        present.display()
    )]
    Shrunk {
        /// How many proteins the new index has.
        num_proteins: u64,
        /// How many the present one has.
        num_present: u64,
        /// The folder of the present one.
        present: PathBuf,
    },
    /// There is something to warn of, and `--strict` lets nothing of that pass.
    #[error(
        "{}; nothing was published because of --strict, and the same command without it publishes all the same",
        warnings.join("; ")
    )]
    Strict {
        /// What is wrong, a sentence each.
        warnings: Vec<String>,
    },
    /// The resources that are in a catalogue, or were passed over, are not those that were accepted. This is a bug: please report it.
    #[error(
        "{accepted} resources accepted, but {accounted} stored or passed over: this is a bug in mgdex, nothing was published"
    )]
    UnbalancedCatalogue {
        /// Resources that were accepted.
        accepted: u64,
        /// Those that are stored, replaced or left out.
        accounted: u64,
    },
    /// The users and domains of a directory are not those that were accepted. This is a bug: please report it.
    #[error(
        "{accepted} users and domains accepted, but {accounted} stored or replaced: this is a bug in mgdex, nothing was published"
    )]
    UnbalancedDirectory {
        /// Users and domains that were accepted.
        accepted: u64,
        /// Those that are stored or replaced.
        accounted: u64,
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
    /// A Parquet file cannot be read: it is cut short, damaged, or of a form that the decoder does not know.
    #[error("{name}{}: {source}", row_group.map_or_else(String::new, |group| format!(", row group {group}")))]
    Parquet {
        /// The input.
        name: String,
        /// The row group, 0-based, or `None` where the end of the file with its description cannot be read.
        row_group: Option<usize>,
        /// What the decoder said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A Parquet file lacks a column that its table needs, or has it in a type that makes no sense.
    #[error("{name}: {problem}; the columns are {columns}")]
    Columns {
        /// The input.
        name: String,
        /// What is missing.
        problem: String,
        /// The columns that there are.
        columns: String,
    },
    /// A folder is no release, or lacks a table without which there is no index.
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
        /// How many may be.
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
    /// What the run has written for itself does not read back.
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
    /// Returns the error of an input that cannot be read behind some lines, or whose bytes are not those that they should be.
    pub(crate) fn reading(name: String, line: u64, source: io::Error) -> Self {
        match source.downcast::<SumMismatch>() {
            Ok(SumMismatch { expected: ListedSum { sum, listed_in }, found }) => {
                Self::Sum { name, found: found.to_string(), expected: sum.to_string(), listed_in }
            }
            Err(source) => Self::Input { name, line, source },
        }
    }

    /// Returns a function that adds the path and the attempted action to an I/O error.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
