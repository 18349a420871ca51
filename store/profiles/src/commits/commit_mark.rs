//! The number of the last commit, in a file beside the database.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use store::{Error, Result};

use crate::record::{with_checksum, without_checksum};

const FILE: &str = "commit";

/// The number, big-endian, and its CRC-32.
const BYTES: usize = size_of::<u64>() + size_of::<u32>();

/// The number of the last commit known to be on the disk.
///
/// The engine reads a torn file as a shorter one: a database whose last commit precedes this one
/// has lost data. The number is written after the sync of each commit and is not synced itself: a
/// power cut may leave an older number, a killed process leaves the latest.
#[derive(Debug)]
pub(crate) struct CommitMark {
    path: PathBuf,
    file: File,
}

impl CommitMark {
    pub(crate) fn open(database: &Path) -> Result<Self> {
        let path = database.join(FILE);
        let options = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let file = options.map_err(Error::io("cannot open", &path))?;
        Ok(Self { path, file })
    }

    pub(crate) fn read(&self) -> u64 {
        let mut bytes = [0; BYTES];
        // A power cut may leave any part of it.
        if self.file.read_exact_at(&mut bytes, 0).is_err() {
            return 0;
        }
        let number = without_checksum(&bytes).ok().and_then(|number| number.first_chunk().copied());
        number.map_or(0, u64::from_be_bytes)
    }

    /// Writes the number. If that fails, a torn file may go unnoticed.
    pub(crate) fn write(&self, commit: u64) {
        let _ = self.file.write_all_at(&with_checksum(commit.to_be_bytes().to_vec()), 0);
    }

    pub(crate) fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(Error::io("cannot sync", &self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_and_torn_ones_are_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let mark = CommitMark::open(folder.path()).expect("writable");
        assert_eq!(mark.read(), 0);
        mark.write(1 << 40);
        mark.sync().expect("a disk");
        assert_eq!(CommitMark::open(folder.path()).expect("writable").read(), 1 << 40);
        mark.file.write_all_at(&[9], 3).expect("room");
        assert_eq!(mark.read(), 0);
    }
}
