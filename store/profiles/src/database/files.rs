//! The files below a database, synced and checked without the engine.

use std::fs::{self, File};
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;

use store::{Error, Result, durable};

#[cfg(target_os = "linux")]
pub(super) fn sync_file_system(folder: BorrowedFd<'_>) -> rustix::io::Result<()> {
    rustix::fs::syncfs(folder)
}

/// Syncs all file systems: other systems have no call for a single one.
#[cfg(not(target_os = "linux"))]
pub(super) fn sync_file_system(_: BorrowedFd<'_>) -> rustix::io::Result<()> {
    rustix::fs::sync();
    Ok(())
}

/// Reads a file to its end. The engine would treat a part that cannot be read as the end, and write
/// zeros over the rest.
pub(super) fn read_to_end(path: &Path) -> Result<()> {
    // Callers that require the file report a missing one.
    match File::open(path) {
        Ok(mut file) => io::copy(&mut file, &mut io::sink()).map(drop).map_err(Error::io("cannot read", path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io("cannot open", path)(error)),
    }
}

/// Removes snapshots that the engine has not finished writing. It would find such a snapshot torn,
/// and fail.
pub(super) fn remove_unfinished_snapshots(path: &Path) -> Result<()> {
    for entry in durable::entries(path)? {
        if entry.file_name().to_string_lossy().ends_with(".generating") {
            fs::remove_file(entry.path()).map_err(Error::io("cannot remove", &entry.path()))?;
        }
    }
    Ok(())
}
