//! Looking for room before something is written: the engine cannot be used any more once the disk refused a write.

use std::path::Path;

use crate::{Error, Result};

use super::database::SEGMENT_BYTES;

/// How much must be free. A batch (see [`super::committer`]) of the largest profiles makes the engine rewrite ten
/// pages of sixteen, which is 38 MiB.
const FREE_BYTES_MIN: u64 = 4 * SEGMENT_BYTES as u64;

/// Returns how much is free where a store is.
pub(super) fn available_bytes(path: &Path) -> Result<u64> {
    fs4::available_space(path).map_err(Error::io("cannot read the free space of", path))
}

/// Tells whether that is too little for a batch.
pub(super) fn is_short(available_bytes: u64) -> bool {
    available_bytes < FREE_BYTES_MIN
}

/// Returns the error for that.
pub(super) fn error(path: &Path, available_bytes: u64) -> Error {
    Error::NoRoom { path: path.to_owned(), available_bytes, needed_bytes: FREE_BYTES_MIN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_with_its_numbers() {
        assert!(!is_short(FREE_BYTES_MIN) && is_short(FREE_BYTES_MIN - 1));
        let error = error(Path::new("profiles"), FREE_BYTES_MIN - 1).to_string();
        assert!(error.contains("profiles") && error.contains("67108863") && error.contains("67108864"), "{error}");
        assert!(!is_short(available_bytes(Path::new(".")).expect("a folder")), "the tests need room too");
    }
}
