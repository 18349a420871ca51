//! The folder of a release, which is renamed to its final name when it is complete.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use indexer::{Error, Result};

/// A hidden folder next to the final one. It is removed unless it is [published](Self::publish).
pub(crate) struct UnfinishedFolder {
    folder: PathBuf,
    out: PathBuf,
}

impl UnfinishedFolder {
    pub(crate) fn create(out: &Path) -> Result<Self> {
        let refused = |problem| Error::folder(out, problem);
        let out = match fs::read_dir(out).map(|mut entries| entries.next().is_some()) {
            // The name of a symbolic link or of `.` is not that of the folder.
            Ok(false) => out.canonicalize().map_err(Error::io("cannot open", out))?,
            Ok(true) => return Err(refused("is not empty: choose another folder")),
            Err(error) if error.kind() == ErrorKind::NotFound => out.to_owned(),
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(refused("is a file: choose another folder"));
            }
            Err(error) => return Err(Error::io("cannot open", out)(error)),
        };
        let Some(name) = out.file_name() else { return Err(refused("is not a name for a folder")) };
        let folder = out.with_file_name(format!(".{}.unfinished", name.to_string_lossy()));
        // A run that was killed may have left it behind.
        if let Err(error) = fs::remove_dir_all(&folder)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(Error::io("cannot remove", &folder)(error));
        }
        let unfinished = Self { folder, out };
        for folder in [unfinished.content(), unfinished.scratch()] {
            fs::create_dir_all(&folder).map_err(Error::io("cannot create", &folder))?;
        }
        Ok(unfinished)
    }

    pub(crate) fn content(&self) -> PathBuf {
        self.folder.join("content")
    }

    pub(crate) fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }

    pub(crate) fn publish(self) -> Result<()> {
        fs::rename(self.content(), &self.out).map_err(Error::io("cannot create", &self.out))
    }
}

impl Drop for UnfinishedFolder {
    fn drop(&mut self) {
        // The next run removes anything that cannot be removed now.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
