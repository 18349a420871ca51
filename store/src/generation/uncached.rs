//! Reading whole files past the kernel's cache, which keeps what requests need.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_setfl};

/// Buffers for such reads begin at a multiple of these bytes, and their lengths are multiples.
pub(super) const ALIGNMENT: usize = 4096;

/// A file that is read from its start to its end. If its file system has no reads past the cache,
/// it is read through the cache.
pub(super) struct UncachedFile {
    file: File,
    is_uncached: bool,
    is_at_end: bool,
}

impl UncachedFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let is_uncached = fcntl_setfl(&file, OFlags::DIRECT).is_ok();
        Ok(Self { file, is_uncached, is_at_end: false })
    }
}

impl Read for UncachedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_at_end {
            return Ok(0);
        }
        let length = match self.file.read(buffer) {
            // A file system may find out only now.
            Err(error) if self.is_uncached && error.kind() == io::ErrorKind::InvalidInput => {
                fcntl_setfl(&self.file, OFlags::empty())?;
                self.is_uncached = false;
                self.file.read(buffer)?
            }
            length => length?,
        };
        // The next read would not be aligned.
        self.is_at_end = self.is_uncached && length < buffer.len() && !length.is_multiple_of(ALIGNMENT);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::IoSliceMut;

    use rustix::fs::{Advice, fadvise};
    use rustix::io::{Errno, ReadWriteFlags, preadv2};

    use super::*;
    use crate::generation::seal::uncached_checksum;

    /// Returns whether a place of a file is cached. File systems in memory do not say.
    fn is_cached(file: &File, offset: u64) -> bool {
        let read = preadv2(file, &mut [IoSliceMut::new(&mut [0])], offset, ReadWriteFlags::NOWAIT);
        read != Err(Errno::AGAIN)
    }

    #[test]
    fn checksums_are_those_of_the_file_and_nothing_is_cached() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        for num_bytes in [0, 1, ALIGNMENT - 1, ALIGNMENT, 1 << 20, (1 << 20) + 1, 3_000_000] {
            let path = folder.path().join(num_bytes.to_string());
            let bytes: Vec<u8> = (0..=250).cycle().take(num_bytes).collect();
            fs::write(&path, &bytes).expect("written");
            let file = File::open(&path).expect("readable");
            file.sync_all().expect("synced");
            fadvise(&file, 0, None, Advice::DontNeed).expect("a file");
            fadvise(&file, 0, None, Advice::Random).expect("a file");
            // Some file systems are nothing but a cache.
            let always_cached = num_bytes > 0 && is_cached(&file, 0);
            let checksum = uncached_checksum(&path, &mut |_| true).expect("readable");
            assert_eq!(checksum, Some(crc32fast::hash(&bytes)), "{num_bytes}");
            let is_uncached = UncachedFile::open(&path).expect("readable").is_uncached;
            let is_kept = num_bytes >= 1 << 20 && is_cached(&file, num_bytes as u64 / 2);
            assert!(!is_kept || always_cached || !is_uncached, "{num_bytes}");
            let (mut read, mut odd_length) = (Vec::new(), [0; 1000]);
            let mut reader = UncachedFile::open(&path).expect("readable");
            while let length @ 1.. = reader.read(&mut odd_length).expect("readable through the cache") {
                read.extend_from_slice(&odd_length[..length]);
            }
            assert!(read == bytes, "{num_bytes}");
        }
    }
}
