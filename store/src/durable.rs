//! Writes that survive a power cut.

use std::fs::{self, DirBuilder, DirEntry, File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, Result};

/// Permissions of folders, before the mask of the process.
pub(crate) const FOLDER: u32 = 0o777;
/// Permissions of files, before the mask of the process.
pub const FILE: u32 = 0o666;
/// Permissions of folders with personal data.
pub const PRIVATE_FOLDER: u32 = 0o700;
/// Permissions of files with personal data.
pub const PRIVATE_FILE: u32 = 0o600;

/// Waits until the bytes of a file, or the entries of a folder, are on the disk.
pub fn sync(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).map_err(Error::io("cannot sync", path))
}

/// Writes a file and waits until its bytes are on the disk. Its name is on the disk once the folder
/// is synced, too.
pub fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let mut file = create(path, mode)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(Error::io("cannot write", path))
}

/// Returns the entries of a folder.
pub fn entries(folder: &Path) -> Result<Vec<DirEntry>> {
    fs::read_dir(folder).and_then(Iterator::collect).map_err(Error::io("cannot read", folder))
}

/// Waits until a folder and all of its content are on the disk.
pub fn sync_all(folder: &Path) -> Result<()> {
    for entry in entries(folder)? {
        let path = entry.path();
        let file_type = entry.file_type().map_err(Error::io("cannot read", &path))?;
        if file_type.is_dir() { sync_all(&path)? } else { sync(&path)? }
    }
    sync(folder)
}

/// Creates an empty file. An existing file is emptied and keeps its permissions.
pub(crate) fn create(path: &Path, mode: u32) -> Result<File> {
    let file = File::options().write(true).create(true).truncate(true).mode(mode).open(path);
    file.map_err(Error::io("cannot create", path))
}

/// Reads JSON, or returns `None` if the file does not exist.
///
/// # Errors
///
/// * The file cannot be read, or its content is invalid.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let bytes = unless_missing(fs::read(path)).map_err(Error::io("cannot read", path))?;
    let parse = |bytes: Vec<u8>| serde_json::from_slice(&bytes);
    bytes.map(parse).transpose().map_err(|error| Error::altered(path, error.to_string()))
}

/// Writes JSON to a file atomically: it has either the whole new content or the old one, also after
/// a power cut.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    write_json_as(FILE, path, value)
}

/// Writes JSON like [`write_json`], to a file that only its owner can read.
pub fn write_private_json(path: &Path, value: &impl Serialize) -> Result<()> {
    write_json_as(PRIVATE_FILE, path, value)
}

fn write_json_as(mode: u32, path: &Path, value: &impl Serialize) -> Result<()> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| Error::io("cannot write", path)(error.into()))?;
    bytes.push(b'\n');
    let new = path.with_added_extension("new");
    write(&new, &bytes, mode)?;
    rename(path.parent().unwrap_or(Path::new("")), &new, path)
}

/// Removes a folder with all of its content, if it exists.
pub fn remove_folder(path: &Path) -> Result<()> {
    unless_missing(fs::remove_dir_all(path)).map(drop).map_err(Error::io("cannot remove", path))
}

/// The number of tries to lock a file, and the pause between them: a child process that was just
/// forked shares the locks of its parent until it executes its program.
const LOCK_TRIES: u32 = 200;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Locks a file against other processes until it is closed, or returns `None` if another process
/// holds the lock.
pub fn try_lock(file: File, path: &Path) -> Result<Option<File>> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(Error::io("cannot lock", path)(error)),
        }
    }
    Ok(None)
}

/// Renames a file or folder inside `folder` and waits until the new name is on the disk.
pub fn rename(folder: &Path, from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(Error::io("cannot rename", from))?;
    sync(folder)
}

/// Returns `None` for a file or folder that does not exist.
pub fn unless_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Creates a folder and its missing parents, and waits until their names are on the disk. An
/// existing folder keeps its permissions; new parents have the usual ones.
pub fn create_folders(path: &Path, mode: u32) -> Result<()> {
    create_missing(path, mode).map_err(|error| match error {
        // The user has named this folder and not its parents.
        Error::Io { source, .. } => Error::io("cannot create", path)(source),
        error => error,
    })
}

fn create_missing(path: &Path, mode: u32) -> Result<()> {
    if path.is_dir() || path.as_os_str().is_empty() {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(Path::new(""));
    create_missing(parent, FOLDER)?;
    match DirBuilder::new().mode(mode).create(path) {
        Err(error) if !path.is_dir() => Err(Error::io("cannot create", path)(error)),
        _ => sync(if parent.as_os_str().is_empty() { Path::new(".") } else { parent }),
    }
}
