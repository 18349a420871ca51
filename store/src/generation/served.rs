//! Generations that a server keeps open.

use std::io;
use std::path::Path;

use super::{Contents, GenerationName, Generations, Manifest, Watch};
use crate::Result;

/// A generation that can be opened and served. One that is held in memory has no files to look after.
pub trait Served: Sized + Send + Sync + 'static {
    /// The contents in its manifest.
    type Contents: Contents;

    /// What it holds, for the log.
    const WHAT: &'static str;

    /// Whether an earlier generation is served where the current one is damaged.
    const FALLS_BACK: bool = true;

    /// Opens a generation.
    ///
    /// # Errors
    ///
    /// * It is torn, of an unknown format or cannot be read.
    fn open(generations: &Generations, name: GenerationName) -> Result<Self>;

    /// Returns its name.
    fn name(&self) -> GenerationName;

    /// Returns its manifest and its folder. `None` if no file of it is read any more.
    fn files(&self) -> Option<(&Manifest<Self::Contents>, &Path)> {
        None
    }

    /// Checks that no file was cut or has grown since the generation was opened.
    ///
    /// # Errors
    ///
    /// * A file has another length than when it was published. A process that reads a mapped file behind its end is ended by the system.
    fn check_lengths(&self) -> Result<()> {
        self.files().map_or(Ok(()), |(manifest, folder)| manifest.check_lengths(folder))
    }

    /// Watches its files, so that it is noticed at once when somebody writes to them. `None` if it has none.
    ///
    /// # Errors
    ///
    /// * The system gives no more notices.
    fn watch(&self) -> io::Result<Option<Watch>> {
        self.files().map(|(manifest, folder)| manifest.watch(folder)).transpose()
    }

    /// Compares its files with their checksums, for as long as `goes_on` says so of the number of bytes that were read last. Returns whether
    /// all were compared.
    ///
    /// # Errors
    ///
    /// * Something is damaged or cannot be read.
    fn scrub(&self, goes_on: &mut dyn FnMut(usize) -> bool) -> Result<bool> {
        self.files().map_or(Ok(true), |(manifest, folder)| manifest.scrub(folder, goes_on))
    }
}
