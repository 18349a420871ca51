//! Noticing writes to the files of a generation at once.

use std::collections::BTreeSet;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::Path;

use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};

use super::seal::FileEntry;

/// The number of notices that are read at a time. All of them mean the same.
const NOTICES_MAX: usize = 1000;

/// Becomes readable when a file of a generation is written to or cut on this machine.
#[derive(Debug)]
pub struct Watch(OwnedFd);

impl Watch {
    /// Watches the folders of files inside a generation. Files beside its manifest are not watched:
    /// they are in memory.
    pub(super) fn of<'a>(generation: &Path, files: impl Iterator<Item = &'a FileEntry>) -> io::Result<Self> {
        let notices = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let folders: BTreeSet<&str> = files.filter_map(|file| Some(file.path.rsplit_once('/')?.0)).collect();
        for folder in folders {
            inotify::add_watch(&notices, generation.join(folder), WatchFlags::MODIFY)?;
        }
        Ok(Self(notices))
    }

    /// Reads the pending notices, and returns whether there were any. Does not wait.
    pub fn take(&self) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut notices = Reader::new(&self.0, &mut buffer);
        (0..NOTICES_MAX).take_while(|_| notices.next().is_ok()).count() > 0
    }
}

impl AsRawFd for Watch {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    #[test]
    fn writing_and_cutting_are_noticed_and_reading_is_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let segment = folder.path().join("segment");
        fs::create_dir(&segment).expect("new");
        let file = segment.join("a.term");
        fs::write(&file, "terms").expect("writable");
        let entry = FileEntry { path: "segment/a.term".to_owned(), size_bytes: 5, crc32: 0 };
        let watch = Watch::of(folder.path(), [entry].iter()).expect("a system with notices");
        assert_eq!(fs::read(&file).expect("readable"), b"terms");
        assert!(!watch.take());
        File::options().write(true).open(&file).and_then(|file| file.set_len(1)).expect("writable");
        assert!(watch.take() && !watch.take());
        fs::write(&file, "other").expect("writable");
        assert!(watch.take() && !watch.take());
    }
}
