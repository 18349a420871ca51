//! Generations that were found damaged after their publication.

use std::fs;
use std::path::Path;

use super::seal::FileEntry;
use super::{GenerationName, Generations};
use crate::{Error, Result, durable};

/// The file with the reason in a generation that was found damaged. The generation is not opened
/// until it is received again or the file is removed.
const DAMAGED: &str = "DAMAGED";

/// The longest reason that is read.
const REASON_BYTES_MAX: usize = 4096;

impl Generations {
    /// Marks a generation as damaged, so that it is not opened again.
    ///
    /// # Errors
    ///
    /// * The note cannot be written.
    pub fn mark_damaged(&self, name: GenerationName, reason: &str) -> Result<()> {
        let folder = self.path(name);
        durable::write(&folder.join(DAMAGED), reason.as_bytes(), self.file_mode)?;
        durable::sync(&folder)
    }

    /// Returns whether a generation was found damaged.
    pub fn is_marked_damaged(&self, name: GenerationName) -> Result<bool> {
        let note = self.path(name).join(DAMAGED);
        note.try_exists().map_err(Error::io("cannot read", &note))
    }
}

/// Returns the reason if a generation was found damaged.
pub(super) fn unless_marked(generation: &Path) -> std::result::Result<(), String> {
    match durable::unless_missing(fs::read(generation.join(DAMAGED))) {
        Ok(None) => Ok(()),
        Err(error) => Err(format!("{DAMAGED}: {error}")),
        Ok(Some(mut reason)) => {
            reason.truncate(REASON_BYTES_MAX);
            let reason = String::from_utf8_lossy(&reason);
            Err(format!("it was found damaged: {reason}; once it is repaired, remove its file {DAMAGED}"))
        }
    }
}

pub(super) fn check_length(generation: &Path, file: &FileEntry) -> std::result::Result<(), String> {
    match fs::metadata(generation.join(&file.path)) {
        Ok(metadata) if metadata.len() == file.size_bytes => Ok(()),
        Ok(metadata) => Err(format!("{} has {} of {} bytes", file.path, metadata.len(), file.size_bytes)),
        Err(error) => Err(format!("{}: {error}", file.path)),
    }
}
