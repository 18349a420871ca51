//! Errors of publishing and following.

use std::path::PathBuf;

/// The result of an operation on a store of objects.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of publishing and following.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The URL names no store that this program knows, or cannot be used as it is.
    #[error("cannot use {url}: {problem}")]
    Url {
        /// The URL as it was given.
        url: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The store of objects failed, or is away.
    #[error("cannot {action} {object} in the object store: {source}")]
    Remote {
        /// What was attempted, such as `read`.
        action: &'static str,
        /// The path below the URL.
        object: String,
        /// The error of the store.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An object is missing or is not what was published. Remove it, and publish again: what is missing is uploaded.
    #[error("{object} in the object store is refused: {problem}")]
    Refused {
        /// The path below the URL.
        object: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The store of objects has an older state than the one that was followed: it was put back, or it is another store.
    #[error(
        "the object store is refused: it has publication {found}, and this replica has followed it up to {known}. If it was put back on \
         purpose, remove {} and this replica follows it again",
        note.display()
    )]
    PutBack {
        /// The sequence number of the store.
        found: u64,
        /// The sequence number up to which it was followed.
        known: u64,
        /// The file that remembers it.
        note: PathBuf,
    },
    /// There is not enough room on the disk for a new generation.
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
    /// Somebody else is publishing to the same store.
    #[error("{holder} is publishing to the same object store: nothing was published; try again when it has ended")]
    Busy {
        /// Who it is.
        holder: String,
    },
    /// Somebody else has published meanwhile.
    #[error(
        "{pointer} has changed since this run began: somebody else has published, so that this run publishes nothing more"
    )]
    Moved {
        /// The object that names the current generation.
        pointer: String,
    },
    /// The lease on the store was lost, as when the process was paused for long.
    #[error("the lease on the object store was lost, so that nothing more is published: run it again")]
    LeaseLost,
    /// There is no generation to publish.
    #[error("there is nothing to publish: the data folder has no current generation")]
    Nothing,
    /// An error of the generations on the disk.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    /// Returns a function that adds what was attempted to an error of the store.
    pub(crate) fn remote(action: &'static str, object: &str) -> impl FnOnce(object_store::Error) -> Self {
        let object = object.to_owned();
        move |source| Self::Remote { action, object, source: Box::new(source) }
    }

    pub(crate) fn refused(object: &str, problem: impl Into<String>) -> Self {
        Self::Refused { object: object.to_owned(), problem: problem.into() }
    }

    /// Tells whether the store has something that must not be used.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::PutBack { .. } | Self::Store(store::Error::Altered { .. }))
    }
}
