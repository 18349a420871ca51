//! The folder for a build, which neither maps nor syncs files.
//!
//! Pages of a mapped file that were read count as memory of the process. Here every range is read
//! into a buffer of its own, which is freed with its last reader, so that a build stays within its
//! memory, whatever the amount of data.
//!
//! The engine would sync each of the dozen files of a segment as soon as it is written, even if the
//! segment is merged away later. That takes longer than writing a small segment. Published files
//! are synced when they are sealed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};
use tantivy::{Directory, HasLen};

/// Postings are read term by term, and their files are read as a whole: they have a few bytes a
/// document. The engine reads other files a few times; they are opened each time, so that hundreds
/// of segments can be merged at once.
const OFTEN_READ: &str = "idx";

/// A folder that reads files without mapping them, and writes them without syncing.
#[derive(Clone, Debug)]
pub struct BuildDirectory {
    root: PathBuf,
    /// Does everything except reading and syncing.
    inner: MmapDirectory,
}

impl BuildDirectory {
    /// Opens a folder.
    pub fn open(root: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { root: root.to_owned(), inner: MmapDirectory::open(root)? })
    }
}

impl Directory for BuildDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match UnmappedFile::open(self.root.join(path)) {
            Ok(file) => Ok(Arc::new(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(OpenReadError::FileDoesNotExist(path.to_owned()))
            }
            Err(error) => Err(OpenReadError::wrap_io_error(error, path.to_owned())),
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        match OpenOptions::new().write(true).create_new(true).open(self.root.join(path)) {
            Ok(file) => Ok(BufWriter::new(Box::new(UnsyncedFile(file)))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(OpenWriteError::FileAlreadyExists(path.to_owned()))
            }
            Err(error) => Err(OpenWriteError::wrap_io_error(error, path.to_owned())),
        }
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        // No segment is read before it is finished.
        fs::write(self.root.join(path), data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

struct UnsyncedFile(File);

impl Write for UnsyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for UnsyncedFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.flush()
    }
}

#[derive(Debug)]
struct UnmappedFile {
    path: PathBuf,
    /// The content of a file that is often read.
    content: Option<OwnedBytes>,
    /// The time at which the file was opened.
    length: usize,
}

impl UnmappedFile {
    fn open(path: PathBuf) -> io::Result<Self> {
        let length = usize::try_from(fs::metadata(&path)?.len()).map_err(io::Error::other)?;
        let is_often_read = path.extension().is_some_and(|extension| extension == OFTEN_READ);
        let content = is_often_read.then(|| fs::read(&path).map(OwnedBytes::new)).transpose()?;
        Ok(Self { path, content, length })
    }
}

impl HasLen for UnmappedFile {
    fn len(&self) -> usize {
        self.length
    }
}

impl FileHandle for UnmappedFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.end > self.length || range.start > range.end {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a range lies beyond the end of the file"));
        }
        if let Some(content) = &self.content {
            return Ok(content.slice(range));
        }
        let mut bytes = vec![0; range.len()];
        if !bytes.is_empty() {
            File::open(&self.path)?.read_exact_at(&mut bytes, range.start as u64)?;
        }
        Ok(OwnedBytes::new(bytes))
    }
}
