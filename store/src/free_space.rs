//! Free disk space.

use std::path::Path;

use rustix::fs::statvfs;

use crate::{Error, Result};

/// Returns the free bytes, for users other than root, of the disk of a file or folder.
pub fn available_bytes(path: &Path) -> Result<u64> {
    let disk = statvfs(path).map_err(|error| Error::io("cannot read the free space of", path)(error.into()))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
