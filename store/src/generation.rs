//! Generations: whole, immutable states of a service's data, of which one is current.
//!
//! ```text
//! proteins/               the generations of one service
//!   CURRENT               the name of the generation that is served, replaced by rename
//!   LOCK                  locked while a generation is being built
//!   RETIRED               the name of the generation that was left by going back to another one
//!   gen-<uuid>/           a published generation, never changed
//!     manifest.json       what it was built from, what is in it, and the size and checksum of every file
//!     manifest.json.crc32 the checksum of the manifest
//!     …                   the data
//!   building-<uuid>/      one that is being built, or the rubbish of a build that was killed
//!   unfinished-<uuid>/    one that is being built by a run that can be continued after it was killed
//!   work-<uuid>/          what that run keeps without publishing it
//! ```

mod draft;
pub(crate) mod durable;
mod manifest;
mod retention;
mod rollback;
mod seal;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use uuid::Uuid;

pub use draft::Draft;
pub use manifest::{Contents, FileEntry, InputEntry, Manifest, Origin};
pub use seal::{list_folder, seal_folder, verify_file};

use crate::{Error, Result};

/// The file that names the current generation.
const CURRENT: &str = "CURRENT";

/// The next one, before it is renamed.
const CURRENT_NEXT: &str = "CURRENT.next";

/// The file whose lock is held while a generation is being built.
const LOCK: &str = "LOCK";

/// What the folder name of a published generation starts with.
const GENERATION_PREFIX: &str = "gen-";

/// The name of a generation: `gen-` and the uuid of the run that built it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GenerationName(Uuid);

impl GenerationName {
    /// Returns the name of the generation that a run built.
    pub(crate) const fn of_run(run: Uuid) -> Self {
        Self(run)
    }
}

impl fmt::Display for GenerationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{GENERATION_PREFIX}{}", self.0)
    }
}

impl FromStr for GenerationName {
    type Err = uuid::Error;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        text.strip_prefix(GENERATION_PREFIX).unwrap_or_default().parse().map(Self)
    }
}

/// The folder that holds the generations of one service.
#[derive(Clone, Debug)]
pub struct Generations {
    /// The folder; it need not exist.
    root: PathBuf,
    /// Whether only their owner may read what is made in it.
    is_private: bool,
}

impl Generations {
    /// Names the folder; nothing is read or made.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), is_private: false }
    }

    /// Names a folder of which only its owner may read what is made from now on.
    pub fn private(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), is_private: true }
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the permissions of files that are made.
    fn file_mode(&self) -> u32 {
        if self.is_private { durable::PRIVATE_FILE } else { durable::FILE }
    }

    /// Returns the permissions of folders that are made.
    fn folder_mode(&self) -> u32 {
        if self.is_private { durable::PRIVATE_FOLDER } else { durable::FOLDER }
    }

    /// Returns the folder of a generation.
    pub fn path(&self, name: GenerationName) -> PathBuf {
        self.root.join(name.to_string())
    }

    /// Returns the name of the current generation, or `None` where none was ever published.
    ///
    /// # Errors
    ///
    /// * `CURRENT` cannot be read, or does not hold the name of a generation.
    pub fn current(&self) -> Result<Option<GenerationName>> {
        let path = self.root.join(CURRENT);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("cannot read", &path)(error)),
        };
        match text.trim().parse() {
            Ok(name) => Ok(Some(name)),
            Err(_) => {
                Err(Error::Altered { path, problem: format!("{:?} is not the name of a generation", text.trim()) })
            }
        }
    }

    /// Returns the names of all published generations, whether current or not, in no order that means anything.
    ///
    /// # Errors
    ///
    /// * The folder exists and cannot be read.
    pub fn names(&self) -> Result<Vec<GenerationName>> {
        let mut names: Vec<GenerationName> = self.entries()?.iter().filter_map(|entry| entry.parse().ok()).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Starts a new generation, after removing what killed builds left behind. What a run can continue is left alone.
    ///
    /// # Errors
    ///
    /// * Another process is building one.
    /// * The folder cannot be written.
    pub fn begin(&self) -> Result<Draft> {
        Draft::begin(self)
    }

    /// Continues the draft of a run that ended before it published, or starts a new one, after removing what killed builds left
    /// behind. Of several such drafts the youngest is continued, and the others are removed. The draft outlives this process unless
    /// it is published or discarded.
    ///
    /// # Errors
    ///
    /// * Another process is building one.
    /// * The folder cannot be written.
    pub fn resume_or_begin(&self) -> Result<Draft> {
        Draft::resume_or_begin(self)
    }

    /// Writes the next `CURRENT`, and returns its path: what may not fit on the disk is on it then.
    fn write_next(&self, name: GenerationName) -> Result<PathBuf> {
        let next = self.root.join(CURRENT_NEXT);
        durable::write(&next, format!("{name}\n").as_bytes(), self.file_mode())?;
        Ok(next)
    }

    /// Returns the names of all entries of the folder that are text.
    fn entries(&self) -> Result<Vec<String>> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io("cannot read", &self.root)(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(Error::io("cannot read", &self.root))?;
            names.extend(entry.file_name().into_string());
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_paths_are_refused() {
        let name = GenerationName(Uuid::from_u128(7));
        assert_eq!(name.to_string().parse(), Ok(name));
        for text in ["", "gen-", "../gen-00000000-0000-0000-0000-000000000007", "building-7"] {
            assert!(text.parse::<GenerationName>().is_err(), "{text}");
        }
    }

    #[test]
    fn current_is_absent_or_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("proteins"));
        assert_eq!(generations.current().expect("absent"), None);
        assert!(generations.names().expect("absent").is_empty());

        fs::create_dir(generations.root()).expect("new");
        fs::write(generations.root().join(CURRENT), "nonsense").expect("writable");
        assert!(matches!(generations.current(), Err(Error::Altered { .. })));
    }
}
