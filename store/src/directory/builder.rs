//! Writing a directory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fst::MapBuilder;

use super::key::key_and_flags;
use super::{DirectoryContents, DirectoryEntry, KEYS};
use crate::{Draft, Error, FileEntry, Result, verify_file};

/// Writes a directory into a draft. It takes a few megabytes of memory, however many entries there are.
pub struct DirectoryBuilder {
    /// The folder of the draft.
    draft: PathBuf,
    /// Writes the keys.
    keys: MapBuilder<SummedFile>,
    /// The key before.
    previous: Vec<u8>,
    /// What was added.
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
    /// * It does not come after the one before, or is a membership of somebody who is neither member nor manager.
    /// * The disk is full or fails.
    pub fn add(&mut self, entry: &DirectoryEntry) -> Result<()> {
        let (key, flags) = key_and_flags(entry);
        if key <= self.previous {
            return Err(Error::Directory { problem: "entries must be added in ascending order, each once".to_owned() });
        }
        if self.contents.count(&key, flags).is_none() {
            return Err(Error::Directory { problem: "who belongs to a domain is a member or a manager".to_owned() });
        }
        self.keys.insert(&key, flags).map_err(|error| cannot_write(&self.draft, error))?;
        self.previous = key;
        Ok(())
    }

    /// Ends the directory, and reads back what was written.
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

/// Returns the error of keys that cannot be written.
fn cannot_write(draft: &Path, error: fst::Error) -> Error {
    let path = draft.join(KEYS);
    match error {
        fst::Error::Io(error) => Error::io("cannot write", &path)(error),
        error @ fst::Error::Fst(_) => Error::index(&path)(error),
    }
}

/// A file whose checksum is taken as it is written.
struct SummedFile {
    /// The file.
    file: BufWriter<File>,
    /// How many bytes were written.
    num_bytes: u64,
    /// Takes their CRC-32.
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
