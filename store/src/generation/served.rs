//! Generations that a server keeps open.

use std::io;
use std::path::Path;

use super::{Contents, GenerationName, Generations, Manifest, Watch};
use crate::Result;

/// A generation that can be opened and served. A generation in memory has no files to check.
pub trait Served: Sized + Send + Sync + 'static {
    /// The contents in its manifest.
    type Contents: Contents;

    /// A description of its content, for the log.
    const WHAT: &'static str;

    /// If set, an earlier generation is served when the current one is damaged.
    const FALLS_BACK: bool = true;

    /// Opens a generation.
    ///
    /// # Errors
    ///
    /// * The generation is torn, of an unknown format or cannot be read.
    fn open(generations: &Generations, name: GenerationName) -> Result<Self>;

    /// Returns its name.
    fn name(&self) -> GenerationName;

    /// Returns its manifest and its folder. `None` if its files are no longer read.
    fn files(&self) -> Option<(&Manifest<Self::Contents>, &Path)> {
        None
    }

    /// Checks that no file was truncated or has grown since the generation was opened.
    ///
    /// # Errors
    ///
    /// * A file differs in length from the published one. The system ends a process that reads a
    ///   mapped file after its end.
    fn check_lengths(&self) -> Result<()> {
        self.files().map_or(Ok(()), |(manifest, folder)| manifest.check_lengths(folder))
    }

    /// Watches its files, so that writes to them are noticed at once. `None` if it has no files.
    ///
    /// # Errors
    ///
    /// * The system provides no more notices.
    fn watch(&self) -> io::Result<Option<Watch>> {
        self.files().map(|(manifest, folder)| Watch::of(folder, manifest.served_files())).transpose()
    }

    /// Compares its files with their checksums, as long as `may_continue` returns true. It gets the
    /// number of bytes of each read. Returns whether all were compared.
    ///
    /// # Errors
    ///
    /// * A file is damaged or cannot be read.
    fn scrub(&self, may_continue: &mut dyn FnMut(usize) -> bool) -> Result<bool> {
        self.files().map_or(Ok(true), |(manifest, folder)| manifest.scrub(folder, may_continue))
    }
}
