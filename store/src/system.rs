//! Free disk space, the time, and locks.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::statvfs;

use crate::{Error, Result};

/// Returns the free bytes, for users other than root, of the disk of a file or folder.
pub fn available_bytes(path: &Path) -> Result<u64> {
    let disk = statvfs(path).map_err(|error| Error::io("cannot read the free space of", path)(error.into()))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Returns the time in seconds since 1970-01-01 UTC.
pub fn unix_now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Locks what a panic leaves as it should be.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
