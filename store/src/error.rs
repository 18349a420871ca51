//! What can go wrong in a store, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// The result of a store operation.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of the stores.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written. The source says why; a full disk and missing rights are the usual causes.
    #[error("{action} {}: {source}", path.display())]
    Io {
        /// What was tried, such as `cannot write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The engine could not read or write an index. Run `mgdex verify`; if it agrees, publish the index again.
    #[error("index {}: {source}", path.display())]
    Index {
        /// The folder of the index.
        path: PathBuf,
        /// What the engine said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process is building or publishing in the same folder. Wait for it, or stop it.
    #[error("another mgdex process is writing to {}", path.display())]
    Busy {
        /// The folder of generations.
        path: PathBuf,
    },
    /// A generation was written by a version of mgdex that this one does not know.
    #[error(
        "{} has format {found}, and this mgdex reads format {known}: build it again with `{command}`, or run the mgdex that wrote it",
        path.display()
    )]
    UnknownFormat {
        /// The folder of the generation.
        path: PathBuf,
        /// The format that its manifest names.
        found: u32,
        /// The format that this program reads.
        known: u32,
        /// The command that builds such generations.
        command: &'static str,
    },
    /// A generation is not whole: a file is missing, has another length, or its manifest cannot be read.
    #[error(
        "{} is torn ({problem}): build it again with `{command}`, or put the name of another generation of that folder into {}",
        path.display(),
        path.with_file_name("CURRENT").display()
    )]
    Torn {
        /// The folder of the generation.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// The command that builds such generations.
        command: &'static str,
    },
    /// There is no generation to go back to.
    #[error("{}: {problem}", path.display())]
    NoOtherGeneration {
        /// The folder of generations.
        path: PathBuf,
        /// What there is instead.
        problem: String,
    },
    /// The bytes of a generation are not those that were published, or contradict one another.
    #[error("{} was altered or is damaged: {problem}", path.display())]
    Altered {
        /// The damaged file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Proteins were added to an index in another order than ascending by accession, or one twice.
    #[error("proteins must be added in ascending order: {found} came after {previous}")]
    Unordered {
        /// The number of the accession before.
        previous: u64,
        /// The number of the accession that came next.
        found: u64,
    },
    /// Segments cannot become one.
    #[error("cannot merge segments into {}: {problem}", path.display())]
    Merge {
        /// The folder of the merged segment.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Another process has the resources of a catalogue open. Stop it, or ask it.
    #[error("{} is open in another mgdex process: a catalogue is served by one process at a time", path.display())]
    Locked {
        /// The folder of the generation.
        path: PathBuf,
    },
    /// A catalogue was given what contradicts itself.
    #[error("catalogue: {problem}")]
    Catalogue {
        /// What is wrong.
        problem: String,
    },
    /// A directory was given what contradicts itself.
    #[error("directory: {problem}")]
    Directory {
        /// What is wrong.
        problem: String,
    },
    /// The store of profiles does not work any more: a write or a sync has failed, and nobody knows what of it is on the disk. What was
    /// acknowledged is. Mend the disk, then open the store again.
    #[error("the store of profiles failed ({problem}): look after the disk, then start mgdex again")]
    ProfilesFailed {
        /// What failed.
        problem: String,
    },
    /// Another process has the store of profiles open. Stop it, or ask it.
    #[error("{} is open in another mgdex process: stop it first; a running server exports at GET /profiles/export", path.display())]
    ProfilesLocked {
        /// The folder of the store.
        path: PathBuf,
    },
    /// A folder holds no store of profiles, a torn one, or a damaged profile.
    #[error(
        "{} is no store of profiles that can be read ({problem}): save what can be with `mgdex profiles export --skip-damaged`, move the folder \
         away, and read that or the last export with `mgdex profiles import`",
        path.display()
    )]
    ProfilesDamaged {
        /// The folder of the store.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Profiles are to be imported where there are some already.
    #[error("{} holds {num_profiles} profiles already: move the folder away before an import", path.display())]
    ProfilesPresent {
        /// The folder of the store.
        path: PathBuf,
        /// How many there are.
        num_profiles: u64,
    },
    /// The disk is so full that writing could fail. Nothing was changed; the store goes on as soon as there is room.
    #[error("{} has no room left: {available_bytes} bytes are free, {needed_bytes} are needed to write safely", path.display())]
    NoRoom {
        /// The folder of the store.
        path: PathBuf,
        /// How much is free.
        available_bytes: u64,
        /// How much must be.
        needed_bytes: u64,
    },
    /// A biome table says two things about one biome, or something that is no lineage.
    #[error("biome table: {problem}")]
    BiomeTable {
        /// What is wrong with it.
        problem: String,
    },
}

impl Error {
    /// Returns a function that adds the path and the attempted action to an I/O error.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// Returns a function that adds the folder of the index to an error of the engine.
    pub(crate) fn index<E>(path: &Path) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let path = path.to_owned();
        move |source| Self::Index { path, source: source.into() }
    }
}
