//! The number of the last commit, beside the database.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// The file.
const FILE: &str = "commit";

/// How many bytes it has: the number, big-endian, and its CRC-32.
const BYTES: usize = size_of::<u64>() + size_of::<u32>();

/// The number of the last commit that is on the disk, as far as it is known.
///
/// The engine takes a torn file for a shorter one: a database whose last commit comes before this one has lost something. The number is written
/// after the sync of each commit and is not synced itself, so that a power cut leaves an older one, and the kill of a process none.
#[derive(Debug)]
pub(super) struct CommitMark {
    /// Its path.
    path: PathBuf,
    /// The file.
    file: File,
}

impl CommitMark {
    /// Opens the file in the folder of a database, or makes it.
    pub(super) fn open(database: &Path) -> Result<Self> {
        let path = database.join(FILE);
        let options = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let file = options.map_err(Error::io("cannot open", &path))?;
        Ok(Self { path, file })
    }

    /// Returns the number; 0 if it is not known.
    pub(super) fn read(&self) -> u64 {
        let mut bytes = [0; BYTES];
        // A power cut may leave any of it. Nothing is known then.
        if self.file.read_exact_at(&mut bytes, 0).is_err() {
            return 0;
        }
        let (number, checksum) = bytes.split_last_chunk().expect("it is as long as both");
        let is_whole = crc32fast::hash(number) == u32::from_be_bytes(*checksum);
        let number = number.first_chunk().copied().map_or(0, u64::from_be_bytes);
        if is_whole { number } else { 0 }
    }

    /// Writes the number. Where that fails only less will be known.
    pub(super) fn write(&self, commit: u64) {
        let mut bytes = [0; BYTES];
        let number = commit.to_be_bytes();
        bytes[..number.len()].copy_from_slice(&number);
        bytes[number.len()..].copy_from_slice(&crc32fast::hash(&number).to_be_bytes());
        let _ = self.file.write_all_at(&bytes, 0);
    }

    /// Waits until the number is on the disk.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(Error::io("cannot sync", &self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_back_and_a_torn_one_is_none() {
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
