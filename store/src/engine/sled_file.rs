//! The file of a sled database.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::{Error, Result};

/// The file of a database, which the engine locks. Only its snapshots are in other files.
pub const FILE: &str = "db";

/// The engine's threads release a closed database a moment later.
const CLOSING_MAX: Duration = Duration::from_secs(20);

const CLOSING_STEP: Duration = Duration::from_millis(5);

/// Returns whether a database is open, in this process or another.
pub fn is_locked(file: &Path) -> Result<bool> {
    // The engine uses the same lock.
    let opened = File::open(file).map_err(Error::io("cannot open", file))?;
    match opened.try_lock() {
        // A process that is just being started has the file too, so closing it may release nothing.
        Ok(()) => opened.unlock().map(|()| false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
    .map_err(Error::io("cannot lock", file))
}

/// Waits until a closed database can be opened again, and returns the length of its file.
pub fn wait_until_closed(path: &Path) -> Result<u64> {
    let file = path.join(FILE);
    let started = Instant::now();
    while is_locked(&file)? {
        if started.elapsed() > CLOSING_MAX {
            let error = io::Error::other("the engine does not release it");
            return Err(Error::io("cannot close", &file)(error));
        }
        std::thread::sleep(CLOSING_STEP);
    }
    fs::metadata(&file).map(|metadata| metadata.len()).map_err(Error::io("cannot read", &file))
}
