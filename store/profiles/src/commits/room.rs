//! Checking for free space before writing: the engine is unusable once the disk has rejected a
//! write.

use std::path::Path;

use store::Error;

use crate::database::SEGMENT_BYTES;

/// The free space that a commit needs, in bytes. In the worst case measured, small profiles written
/// among the largest ones, the engine writes 0.2 MB for each write of a commit, and its file grows
/// by less than half of that. The committer bounds the writes of a commit.
pub const FREE_BYTES_MIN: u64 = 8 * SEGMENT_BYTES as u64;

/// The free space that copies for snapshots need: enough is left to remove them again.
const FREE_BYTES_FOR_COPIES_MIN: u64 = 2 * FREE_BYTES_MIN;

pub(crate) fn is_short(available_bytes: u64) -> bool {
    available_bytes < FREE_BYTES_MIN
}

pub(crate) fn is_short_for_copies(available_bytes: u64) -> bool {
    available_bytes < FREE_BYTES_FOR_COPIES_MIN
}

pub(crate) fn error(path: &Path, available_bytes: u64) -> Error {
    Error::NoRoom { path: path.to_owned(), available_bytes, needed_bytes: FREE_BYTES_MIN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_reported_with_its_numbers() {
        assert!(!is_short(FREE_BYTES_MIN) && is_short(FREE_BYTES_MIN - 1));
        let error = error(Path::new("profiles"), FREE_BYTES_MIN - 1).to_string();
        assert!(error.contains("profiles") && error.contains("134217727") && error.contains("134217728"), "{error}");
        assert!(!is_short(store::available_bytes(Path::new(".")).expect("a folder")), "the tests need room too");
    }
}
