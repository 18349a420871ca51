//! Generations: complete, immutable states of a service's data, one of which is current. The page
//! of the crate shows their files.

mod contents;
mod damage;
mod draft;
mod kind;
mod manifest;
mod receiving;
mod retention;
mod rollback;
mod seal;
mod sealed_copy;
mod served;
mod uncached;
mod watch;

use std::fmt;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use contents::Contents;
pub use draft::Draft;
pub use kind::GenerationKind;
pub use manifest::{InputEntry, Manifest, Origin};
pub use receiving::Receiving;
pub use seal::{FileEntry, list_folder, seal_folder, verify_file};
pub use sealed_copy::{copy_folder, restore, sealed_folder};
pub use served::Served;
pub use watch::Watch;

use crate::{Error, Result, durable};

const CURRENT: &str = "CURRENT";
const CURRENT_NEXT: &str = "CURRENT.next";
/// Locked while a generation is being built. Its permissions are those of published files.
const LOCK: &str = "LOCK";
const GENERATION_PREFIX: &str = "gen-";

/// The error for a text that is not the name of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a generation is named {GENERATION_PREFIX}<uuid>, as `mgdex generations` lists them")]
pub struct GenerationNameError;

/// The name of a generation: `gen-` and the uuid of the run that built it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GenerationName(Uuid);

impl GenerationName {
    /// Returns the name of the generation that a run builds.
    pub const fn of_run(run: Uuid) -> Self {
        Self(run)
    }
}

impl fmt::Display for GenerationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{GENERATION_PREFIX}{}", self.0)
    }
}

impl FromStr for GenerationName {
    type Err = GenerationNameError;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let uuid = text.strip_prefix(GENERATION_PREFIX).and_then(|uuid| uuid.parse().ok());
        uuid.map(Self).ok_or(GenerationNameError)
    }
}

serde_as_text!(GenerationName, GenerationNameError);

/// The folder of the generations of one service.
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let generations = store::Generations::new(folder.path().join("proteins"));
/// assert_eq!(generations.current()?, None);
///
/// let draft = generations.begin()?;
/// std::fs::write(draft.path().join("data"), "published with the draft")?;
/// assert!(matches!(generations.begin(), Err(store::Error::Busy { .. })));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Generations {
    /// The folder. It may be missing.
    root: PathBuf,
    folder_mode: u32,
    file_mode: u32,
}

impl Generations {
    /// Names a folder of generations. Nothing is read or created.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), folder_mode: durable::FOLDER, file_mode: durable::FILE }
    }

    /// Names a folder of generations in which new files and folders can be read by their owner
    /// only.
    pub fn private(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), folder_mode: durable::PRIVATE_FOLDER, file_mode: durable::PRIVATE_FILE }
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of a generation.
    pub fn path(&self, name: GenerationName) -> PathBuf {
        self.root.join(name.to_string())
    }

    /// Returns the name of the current generation, or `None` if none is published.
    ///
    /// # Errors
    ///
    /// * `CURRENT` cannot be read, or does not hold the name of a generation.
    pub fn current(&self) -> Result<Option<GenerationName>> {
        let Some(text) = self.read_text(CURRENT)? else { return Ok(None) };
        let not_a_name =
            |_| Error::altered(self.root.join(CURRENT), format!("{text:?} is not the name of a generation"));
        text.parse().map(Some).map_err(not_a_name)
    }

    /// Returns the names of all published generations, current or not, sorted by uuid.
    pub fn names(&self) -> Result<Vec<GenerationName>> {
        let mut names: Vec<GenerationName> = self.entries()?.iter().filter_map(|entry| entry.parse().ok()).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Returns the published generations that may be served if the current one cannot be opened,
    /// the youngest first: all except the current one and the one that a rollback has left.
    ///
    /// # Errors
    ///
    /// * The folder cannot be read.
    /// * `CURRENT` does not hold the name of a generation after a rollback: it is unknown which
    ///   generation the rollback left.
    pub fn earlier(&self) -> Result<Vec<GenerationName>> {
        // An earlier generation is wanted because something is wrong with the current one.
        retention::others(self, self.current().unwrap_or(None))
    }

    /// Begins a new generation, after removing the leftovers of killed builds. Unfinished drafts
    /// that can be resumed stay.
    ///
    /// # Errors
    ///
    /// * Another process is building a generation.
    pub fn begin(&self) -> Result<Draft> {
        Draft::begin(self, false)
    }

    /// Resumes the draft of a run that ended before it published, or begins a new one, after
    /// removing the leftovers of killed builds. If there are several such drafts, the youngest is
    /// resumed and the others are removed. The draft stays when this process ends, unless it is
    /// published or discarded. Fails like [`Generations::begin`].
    pub fn resume_or_begin(&self) -> Result<Draft> {
        Draft::begin(self, true)
    }

    /// Creates a folder and its missing parents.
    fn create_folder(&self, path: &Path) -> Result<()> {
        let mut builder = DirBuilder::new();
        builder.mode(self.folder_mode).recursive(true).create(path).map_err(Error::io("cannot create", path))
    }

    /// Writes and syncs the next `CURRENT`, so that the rename that follows cannot fail for lack of
    /// space. Returns its path.
    fn write_next(&self, name: GenerationName) -> Result<PathBuf> {
        let next = self.root.join(CURRENT_NEXT);
        durable::write(&next, format!("{name}\n").as_bytes(), self.file_mode)?;
        Ok(next)
    }

    /// Returns the trimmed text of a file in the folder, or `None` if the file does not exist.
    fn read_text(&self, name: &str) -> Result<Option<String>> {
        let path = self.root.join(name);
        let text = durable::unless_missing(fs::read_to_string(&path)).map_err(Error::io("cannot read", &path))?;
        Ok(text.map(|text| text.trim().to_owned()))
    }

    /// Returns the names of all entries of the folder. Names that are not UTF-8 are skipped: mgdex
    /// writes no such names.
    fn entries(&self) -> Result<Vec<String>> {
        let cannot_read = || Error::io("cannot read", &self.root);
        let entries = durable::unless_missing(fs::read_dir(&self.root)).map_err(cannot_read())?;
        let mut names = Vec::new();
        for entry in entries.into_iter().flatten() {
            let entry = entry.map_err(cannot_read())?;
            names.extend(entry.file_name().into_string());
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_paths_are_rejected() {
        let name = GenerationName(Uuid::from_u128(7));
        assert_eq!(name.to_string().parse(), Ok(name));
        for text in ["", "gen-", "../gen-00000000-0000-0000-0000-000000000007", "building-7"] {
            assert!(text.parse::<GenerationName>().is_err(), "{text}");
        }
    }

    #[test]
    fn current_is_absent_or_complete() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let generations = Generations::new(folder.path().join("proteins"));
        assert_eq!(generations.current().expect("absent"), None);
        assert!(generations.names().expect("absent").is_empty());

        fs::create_dir(generations.root()).expect("new");
        fs::write(generations.root().join(CURRENT), "nonsense").expect("writable");
        assert!(matches!(generations.current(), Err(Error::Altered { .. })));
    }
}
