//! Errors of publishing and following.

use std::fmt::Display;
use std::path::PathBuf;

use store::ErrorSummary;

use crate::foreign::cleaned;
use crate::layout::{GENERATIONS, OBJECTS};

/// The result of an operation on an object store.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of publishing and following.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The URL names no known kind of store, or cannot be used.
    #[error("cannot use {url}: {problem}")]
    Url {
        /// The URL, without user, password and query.
        url: String,
        /// The problem.
        problem: String,
    },
    /// The object store failed or cannot be reached.
    #[error("cannot {action} {object} in the object store: {problem}")]
    Remote {
        /// The attempted action, such as `read`.
        action: &'static str,
        /// The path below the URL.
        object: String,
        /// The answer of the store, or the reason of the failure.
        problem: String,
    },
    /// An object is missing or differs from the published one. Remove it, and publish again:
    /// missing objects are uploaded.
    #[error("{object} in the object store is refused: {problem}")]
    Refused {
        /// The path below the URL.
        object: String,
        /// The problem.
        problem: String,
    },
    /// A publication is not signed with a trusted key.
    #[error("{object} in the object store is refused: {problem}")]
    Signature {
        /// The path below the URL.
        object: String,
        /// The problem.
        problem: &'static str,
    },
    /// A key to sign or verify publications cannot be read.
    #[error("this is not {expected}")]
    Key {
        /// The expected form.
        expected: &'static str,
    },
    /// The object store has an older state than the one that was followed: it was restored from a
    /// backup, or it is another store.
    #[error(
        "the object store is refused: it has publication {found}, but this replica has followed it up to {known}. If the store was \
         restored on purpose, remove {}: this replica then follows it again",
        note.display()
    )]
    RolledBack {
        /// The sequence number of the store.
        found: u64,
        /// The sequence number up to which it was followed.
        known: u64,
        /// The file that records that number.
        note: PathBuf,
    },
    /// The disk does not have enough space for a new generation.
    #[error("{} has {available_bytes} bytes of free space, and {needed_bytes} are needed for {generation}", path.display())]
    NoRoom {
        /// The folder of generations.
        path: PathBuf,
        /// The generation.
        generation: String,
        /// The free space.
        available_bytes: u64,
        /// The free space that is needed.
        needed_bytes: u64,
    },
    /// Another publisher is writing to the same store.
    #[error("{holder} is publishing to the same object store: nothing was published; try again when it has finished")]
    Busy {
        /// The name of its process.
        holder: String,
    },
    /// The object store has no conditional puts.
    #[error(
        "the object store {problem}, so two publishers could overwrite each other's publications: nothing was published. If no other \
         process publishes to it, promise that with `--single-publisher`"
    )]
    Unconditional {
        /// The answer to a put that must fail.
        problem: String,
    },
    /// Another publisher has published meanwhile.
    #[error(
        "{pointer} has changed since this run began: another process has published, so this run publishes nothing more"
    )]
    Moved {
        /// The object that names the current generation.
        pointer: String,
    },
    /// The lease on the store was lost, as when the process was paused for long.
    #[error("the lease on the object store was lost, and nothing more is published: run the command again")]
    LeaseLost,
    /// The data folder has no generation to publish.
    #[error("there is nothing to publish: the data folder has no current generation")]
    Nothing,
    /// An error of the generations on the disk.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    pub(crate) fn url(url: &str, problem: impl Display) -> Self {
        Self::Url { url: cleaned(url), problem: cleaned(&problem.to_string()) }
    }

    /// Returns a function that adds the attempted action to an error of the store.
    pub(crate) fn remote<E: Display>(action: &'static str, object: &str) -> impl FnOnce(E) -> Self {
        let object = object.to_owned();
        move |error| Self::Remote { action, object, problem: cleaned(&error.to_string()) }
    }

    pub(crate) fn refused(object: &str, problem: impl Display) -> Self {
        Self::Refused { object: object.to_owned(), problem: cleaned(&problem.to_string()) }
    }

    /// Returns whether the store has data that must not be used.
    pub(crate) fn is_refusal(&self) -> bool {
        use Error::{Refused, RolledBack, Signature, Store};
        matches!(self, Refused { .. } | Signature { .. } | RolledBack { .. } | Store(store::Error::Altered { .. }))
    }

    /// Returns whether the disk is full.
    pub(crate) fn is_no_room(&self) -> bool {
        match self {
            Self::NoRoom { .. } => true,
            Self::Store(error) => error.is_no_room(),
            _ => false,
        }
    }

    /// Returns the public description of the error: one of a few fixed texts.
    pub fn kind(&self) -> &'static str {
        match self {
            _ if self.is_no_room() => "no room",
            Self::Refused { object, .. } if object.starts_with(OBJECTS) => "refused: object",
            Self::Refused { object, .. } if object.starts_with(GENERATIONS) => "refused: manifest",
            Self::Refused { .. } => "refused: pointer",
            Self::Signature { .. } => "refused: signature",
            Self::RolledBack { .. } => "refused: older publication",
            Self::Store(error) => error.kind(),
            _ => "store unreachable",
        }
    }
}

impl From<&Error> for ErrorSummary {
    fn from(error: &Error) -> Self {
        Self::new(error.kind(), &error.to_string())
    }
}
