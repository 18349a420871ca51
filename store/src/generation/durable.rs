//! Writes that outlast a power cut.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::{Error, Result};

/// Waits until the bytes of a file, or the entries of a folder, are on the disk.
pub(crate) fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(Error::io("cannot sync", path))
}

/// Writes a new file and waits until its bytes are on the disk; its name is there once the folder was synced too.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = File::create(path).map_err(Error::io("cannot create", path))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(Error::io("cannot write", path))
}

/// Gives a file or folder another name in the same folder and waits until that is on the disk.
pub(crate) fn rename(folder: &Path, from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(Error::io("cannot rename", from))?;
    sync(folder)
}

/// Makes a folder with all folders above it that are missing, and waits until their names are on the disk.
pub(crate) fn create_folders(path: &Path) -> Result<()> {
    if path.is_dir() || path.as_os_str().is_empty() {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(Path::new(""));
    create_folders(parent)?;
    match fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Error::io("cannot create", path)(error)),
        _ => sync(if parent.as_os_str().is_empty() { Path::new(".") } else { parent }),
    }
}
