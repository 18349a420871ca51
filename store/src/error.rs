//! The errors of a store, and their remedies.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

/// The result of a store operation.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of the stores.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written. Usual causes are a full disk and missing
    /// permissions.
    #[error("{action} {}: {source}", path.display())]
    Io {
        /// The attempted action, such as `cannot write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The engine could not read or write an index. Run `mgdex verify`; if it reports damage, build
    /// the index again.
    #[error("index {}: {source}", path.display())]
    Index {
        /// The folder of the index.
        path: PathBuf,
        /// The error of the engine.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process is building or publishing in the same folder. Wait for it, or stop it.
    #[error("another mgdex process is writing to {}", path.display())]
    Busy {
        /// The folder of generations.
        path: PathBuf,
    },
    /// A generation has a format that this version of mgdex cannot read.
    #[error(
        "{} has format {found}, and this mgdex reads format {known}; {} version wrote it: build it again with `{command}`, or run that version",
        path.display(),
        if .found > .known { "a later" } else { "an earlier" }
    )]
    UnknownFormat {
        /// The folder of the generation.
        path: PathBuf,
        /// The format in its manifest.
        found: u32,
        /// The format that this program reads.
        known: u32,
        /// The command that builds such generations.
        command: &'static str,
    },
    /// A generation is incomplete: a file is missing or has another length, or the manifest cannot
    /// be read.
    #[error(
        "{} is torn ({problem}): build it again with `{command}`, or put the name of another generation of that folder into {}",
        path.display(),
        path.with_file_name("CURRENT").display()
    )]
    Torn {
        /// The folder of the generation.
        path: PathBuf,
        /// The problem.
        problem: String,
        /// The command that builds such generations.
        command: &'static str,
    },
    /// A generation has files that the engine rewrites, and no sealed copy of them, so that it
    /// cannot be published to other machines.
    #[error(
        "{} has no sealed copy of its database, and without one it cannot be published: load it again with `{command} --keep-sealed`",
        path.display()
    )]
    NotSealed {
        /// The folder of the generation.
        path: PathBuf,
        /// The command that builds such generations.
        command: &'static str,
    },
    /// A query needs more work for one protein than any query may take.
    #[error("the query takes too much work: make the conditions inside `near` narrower")]
    TooMuchWork,
    /// No generation exists for a rollback.
    #[error("{}: {problem}", path.display())]
    NoOtherGeneration {
        /// The folder of generations.
        path: PathBuf,
        /// The reason.
        problem: String,
    },
    /// The data of a generation differ from the published ones, or contradict one another.
    #[error("{} was altered or is damaged: {problem}", path.display())]
    Altered {
        /// The damaged file or folder.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// Proteins were not added in ascending order of accession, or one was added twice.
    #[error("proteins must be added in ascending order: {found} came after {previous}")]
    Unordered {
        /// The number of the previous accession.
        previous: u64,
        /// The number of the next accession.
        found: u64,
    },
    /// Segments cannot be merged.
    #[error("cannot merge segments into {}: {problem}", path.display())]
    Merge {
        /// The folder of the merged segment.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// Another process has the catalogue open. Stop it, or query it.
    #[error("{} is open in another mgdex process: a catalogue is served by one process at a time", path.display())]
    Locked {
        /// The folder of the generation.
        path: PathBuf,
    },
    /// Resources or orders that contradict each other were added to a catalogue.
    #[error("catalogue: {0}")]
    Catalogue(String),
    /// Entries that contradict each other were added to a directory.
    #[error("directory: {0}")]
    Directory(String),
    /// A write or a sync of the store of profiles failed, and it is unknown which part of it is on
    /// the disk. All acknowledged writes are on the disk. Check the disk, then open the store
    /// again.
    #[error("the store of profiles failed ({0}): check the disk, then start mgdex again")]
    ProfilesFailed(String),
    /// Another process has the store of profiles open. Stop it, or request an export from it.
    #[error("{} is open in another mgdex process: stop it first; a running server exports at GET /profiles/export", path.display())]
    ProfilesLocked {
        /// The folder of the store.
        path: PathBuf,
    },
    /// A folder has no store of profiles, an incomplete one, or a damaged profile.
    #[error(
        "{} is not a store of profiles that can be read ({problem}): save what is left with `mgdex profiles export --skip-damaged`, move the \
         folder away, and import that or the last export with `mgdex profiles import`",
        path.display()
    )]
    ProfilesDamaged {
        /// The folder of the store.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// Profiles cannot be imported into a store that has some already.
    #[error("{} holds {num_profiles} profiles already: move the folder away before an import", path.display())]
    ProfilesPresent {
        /// The folder of the store.
        path: PathBuf,
        /// The number of profiles in it.
        num_profiles: u64,
    },
    /// The disk is so full that a write could fail. Nothing was changed; writes are accepted again
    /// as soon as there is space.
    #[error("{} has no space left: {available_bytes} bytes are free, {needed_bytes} are needed to write safely", path.display())]
    NoRoom {
        /// The folder of the store.
        path: PathBuf,
        /// The free space.
        available_bytes: u64,
        /// The free space that is needed.
        needed_bytes: u64,
    },
    /// A biome table contradicts itself, or has a text that is not a lineage.
    #[error("biome table: {0}")]
    BiomeTable(String),
    /// Sources of own data cannot be added or removed as requested.
    #[error("own data: {0}")]
    OwnData(String),
}

impl Error {
    /// The public description of an error of missing permissions.
    pub const NOT_PERMITTED: &str = "no permission";

    /// Returns a function that adds the attempted action and the path to an I/O error.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }

    /// Returns whether the data are damaged, and not only temporarily unreadable.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Io { source, .. } => source.raw_os_error() == Some(Errno::IO.raw_os_error()),
            Self::Index { .. } | Self::Torn { .. } | Self::Altered { .. } => true,
            _ => false,
        }
    }

    /// Returns the public description of the error: one of a few fixed texts.
    pub fn kind(&self) -> &'static str {
        match self {
            _ if self.is_no_room() => "no room",
            _ if self.is_not_permitted() => Self::NOT_PERMITTED,
            Self::Busy { .. } | Self::Locked { .. } | Self::ProfilesLocked { .. } => "open in another process",
            Self::UnknownFormat { .. } => "unknown format",
            Self::ProfilesDamaged { .. } => "damaged data",
            Self::ProfilesFailed(_) => "the store of profiles failed",
            _ if self.is_damage() => "damaged data",
            _ => "unreadable data",
        }
    }

    /// Returns whether the disk is full.
    pub fn is_no_room(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match self {
            Self::NoRoom { .. } => true,
            Self::Io { source, .. } => matches!(source.kind(), FileTooLarge | QuotaExceeded | StorageFull),
            _ => false,
        }
    }

    /// Returns whether the user lacks the permission to read or write a required file.
    pub fn is_not_permitted(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem))
    }

    /// Returns a function that adds the folder of the index to an error of the engine.
    pub fn index<E>(path: &Path) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |source| Self::Index { path: path.to_owned(), source: source.into() }
    }

    /// Returns the error of damaged data.
    pub fn altered(path: impl Into<PathBuf>, problem: impl Into<String>) -> Self {
        Self::Altered { path: path.into(), problem: problem.into() }
    }
}
