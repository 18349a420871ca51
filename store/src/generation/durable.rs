//! Writes that outlast a power cut.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use crate::{Error, Result};

/// The permissions of a folder that is made, before the process's mask.
pub(crate) const FOLDER: u32 = 0o777;

/// The permissions of a file that is made, before the process's mask.
pub(crate) const FILE: u32 = 0o666;

/// The permissions of a folder with what is about persons.
pub(crate) const PRIVATE_FOLDER: u32 = 0o700;

/// The permissions of a file about persons.
pub(crate) const PRIVATE_FILE: u32 = 0o600;

/// Waits until the bytes of a file, or the entries of a folder, are on the disk.
pub(crate) fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(Error::io("cannot sync", path))
}

/// Writes a new file with some permissions and waits until its bytes are on the disk; its name is there once the folder was synced too.
pub(crate) fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let mut file = create(path, mode)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(Error::io("cannot write", path))
}

/// Makes an empty file with some permissions. One that is there is emptied, and keeps its own.
pub(crate) fn create(path: &Path, mode: u32) -> Result<File> {
    let file = File::options().write(true).create(true).truncate(true).mode(mode).open(path);
    file.map_err(Error::io("cannot create", path))
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

/// Makes a folder that only its owner may read, likewise. One that is there stays as it is.
pub(crate) fn create_private_folder(path: &Path) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    create_folders(parent)?;
    match DirBuilder::new().mode(PRIVATE_FOLDER).create(path) {
        Ok(()) => sync(parent),
        Err(_) if path.is_dir() => Ok(()),
        Err(error) => Err(Error::io("cannot create", path)(error)),
    }
}
