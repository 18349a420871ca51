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
    // The engine uses the same lock. This one is released when the file is closed.
    match File::open(file).map_err(Error::io("cannot open", file))?.try_lock() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(Error::io("cannot lock", file)(error)),
    }
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
