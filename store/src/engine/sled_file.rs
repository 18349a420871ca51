//! The file of a sled database, which the engine locks as long as it is open.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::{Error, Result};

/// The file that the engine locks and keeps all but its own snapshots in, inside the folder of the database.
pub(crate) const FILE: &str = "db";

/// How long a database that was closed is waited for: the engine's threads let go of it a moment later.
const CLOSING_MAX: Duration = Duration::from_secs(20);

/// How long is slept in between.
const CLOSING_STEP: Duration = Duration::from_millis(5);

/// Tells whether a database is open somewhere, by its file.
pub(crate) fn is_locked(file: &Path) -> Result<bool> {
    // The engine locks the same way; what was taken here is free again when the file is closed.
    match File::open(file).map_err(Error::io("cannot open", file))?.try_lock() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(Error::io("cannot lock", file)(error)),
    }
}

/// Waits until a database that was closed can be opened again, and returns the length of its file.
pub(crate) fn wait_until_closed(path: &Path) -> Result<u64> {
    let file = path.join(FILE);
    let started = Instant::now();
    while is_locked(&file)? {
        if started.elapsed() > CLOSING_MAX {
            let error = io::Error::other("the engine does not let go of it");
            return Err(Error::io("cannot close", &file)(error));
        }
        std::thread::sleep(CLOSING_STEP);
    }
    fs::metadata(&file).map(|metadata| metadata.len()).map_err(Error::io("cannot read", &file))
}
