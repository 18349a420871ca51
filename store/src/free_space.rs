//! How much room a disk has.

use std::path::Path;

use rustix::fs::statvfs;

use crate::{Error, Result};

/// Returns how many bytes are free, for whoever is not root, where a file or folder is.
///
/// # Errors
///
/// * There is no such file, or the system does not tell.
pub fn available_bytes(path: &Path) -> Result<u64> {
    let disk = statvfs(path).map_err(|error| Error::io("cannot read the free space of", path)(error.into()))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
