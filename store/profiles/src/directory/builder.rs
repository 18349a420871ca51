//! Writing a directory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fst::MapBuilder;
use store::{Draft, Error, FileEntry, Result, verify_file};

use super::key::key_and_flags;
use super::{DirectoryContents, DirectoryEntry, KEYS};

/// Writes a directory into a draft, in a few megabytes of memory.
pub struct DirectoryBuilder {
    draft: PathBuf,
    keys: MapBuilder<SummedFile>,
    previous: Vec<u8>,
    contents: DirectoryContents,
}

impl DirectoryBuilder {
    /// Starts in the folder of a draft.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    pub fn create(draft: &Draft) -> Result<Self> {
        let draft = draft.path().to_owned();
        let path = draft.join(KEYS);
        let file = File::create_new(&path).map_err(Error::io("cannot create", &path))?;
        let file = SummedFile { file: BufWriter::new(file), num_bytes: 0, hasher: crc32fast::Hasher::new() };
        let keys = MapBuilder::new(file).map_err(|error| cannot_write(&draft, error))?;
        Ok(Self { draft, keys, previous: Vec::new(), contents: DirectoryContents::default() })
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// * It does not follow the previous one, or is a membership of a user who is neither member
    ///   nor manager.
    /// * The disk is full or fails.
    pub fn add(&mut self, entry: &DirectoryEntry) -> Result<()> {
        let (key, flags) = key_and_flags(entry);
        if key <= self.previous {
            return Err(Error::Directory("entries must be added in ascending order, each once".to_owned()));
        }
        if self.contents.count(&key, flags).is_none() {
            return Err(Error::Directory("a membership must be that of a member or a manager".to_owned()));
        }
        self.keys.insert(&key, flags).map_err(|error| cannot_write(&self.draft, error))?;
        self.previous = key;
        Ok(())
    }

    /// Finishes the directory, and reads it back.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    pub fn finish(self) -> Result<DirectoryContents> {
        let Self { draft, keys, contents, .. } = self;
        let SummedFile { mut file, num_bytes, hasher } =
            keys.into_inner().map_err(|error| cannot_write(&draft, error))?;
        file.flush().map_err(Error::io("cannot write", &draft.join(KEYS)))?;
        verify_file(&draft, &FileEntry { path: KEYS.to_owned(), size_bytes: num_bytes, crc32: hasher.finalize() })?;
        Ok(contents)
    }
}

fn cannot_write(draft: &Path, error: fst::Error) -> Error {
    let path = draft.join(KEYS);
    match error {
        fst::Error::Io(error) => Error::io("cannot write", &path)(error),
        error @ fst::Error::Fst(_) => Error::index(&path)(error),
    }
}

/// A file with the size and the CRC-32 of the written bytes.
struct SummedFile {
    file: BufWriter<File>,
    num_bytes: u64,
    hasher: crc32fast::Hasher,
}

impl Write for SummedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file.write(bytes)?;
        self.hasher.update(&bytes[..length]);
        self.num_bytes += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
