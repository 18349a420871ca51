//! The folder of a release, which gets its name when everything is in it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use indexer::{Error, Result};

/// A folder under another name. It is removed unless it is [published](Unfinished::publish).
pub(crate) struct Unfinished {
    /// The folder, hidden beside what it will be.
    folder: PathBuf,
    /// What it will be.
    out: PathBuf,
}

impl Unfinished {
    /// Makes the folder.
    ///
    /// # Errors
    ///
    /// * There is something under the name that it will have, or nothing can be made there.
    pub(crate) fn create(out: &Path) -> Result<Self> {
        refuse_content(out)?;
        // A link or `.` has its name elsewhere.
        let out = if out.try_exists().map_err(Error::io("cannot open", out))? {
            out.canonicalize().map_err(Error::io("cannot open", out))?
        } else {
            out.to_owned()
        };
        let Some(name) = out.file_name() else {
            return Err(Error::Release { path: out, problem: "is no name for a folder".to_owned() });
        };
        let folder = out.with_file_name(format!(".{}.unfinished", name.to_string_lossy()));
        // What an earlier run left behind is of no use.
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::io("cannot remove", &folder)(error));
            }
            _ => {}
        }
        let unfinished = Self { folder, out };
        for folder in [unfinished.content(), unfinished.scratch()] {
            fs::create_dir_all(&folder).map_err(Error::io("cannot create", &folder))?;
        }
        Ok(unfinished)
    }

    /// Returns the folder for the files.
    pub(crate) fn content(&self) -> PathBuf {
        self.folder.join("content")
    }

    /// Returns the folder for sorting.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }

    /// Gives the files their place.
    ///
    /// # Errors
    ///
    /// * There is something there now.
    pub(crate) fn publish(self) -> Result<()> {
        fs::rename(self.content(), &self.out).map_err(Error::io("cannot create", &self.out))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Whatever is left is only in the way, and the next run removes it too.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Fails if there is a file, or a folder with something inside.
fn refuse_content(out: &Path) -> Result<()> {
    let problem = match fs::read_dir(out).map(|mut entries| entries.next().is_some()) {
        Ok(false) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Ok(true) => "is not empty: choose another folder",
        Err(error) if error.kind() == ErrorKind::NotADirectory => "is a file: choose another folder",
        Err(error) => return Err(Error::io("cannot open", out)(error)),
    };
    Err(Error::Release { path: out.to_owned(), problem: problem.to_owned() })
}
