//! Sealed copies of files that the engine rewrites whenever it opens them.
//!
//! The copy of a folder `resources` is `sealed/resources`. It is never written to again, so that
//! the manifest lists its files, and the folder itself can be made again from it at any time.

use std::fs;
use std::path::{Path, PathBuf};

use super::seal::{self, FileEntry};
use crate::{Error, Result, durable};

const SEALED: &str = "sealed";

/// An unfinished copy of a sealed copy.
const RESTORING_PREFIX: &str = "restoring-";

/// Returns the prefix of the paths of the sealed copy of a folder.
pub(super) fn sealed_prefix(folder: &str) -> String {
    format!("{SEALED}/{folder}/")
}

/// Returns whether a file of a generation belongs to a sealed copy.
pub(super) fn is_sealed_copy(path: &str) -> bool {
    Path::new(path).starts_with(SEALED)
}

/// Returns the sealed copy of a folder of a generation.
pub fn sealed_folder(generation: &Path, folder: &str) -> PathBuf {
    generation.join(SEALED).join(folder)
}

/// Makes a folder that the engine rewrites from its sealed copy, unless the folder exists or the
/// copy is missing. All bytes are compared with the checksums of the manifest. The folder appears
/// with all of its files.
///
/// # Errors
///
/// * The sealed copy is damaged.
pub fn restore(generation: &Path, folder: &str, files: &[FileEntry]) -> Result<()> {
    let target = generation.join(folder);
    if target.is_dir() {
        return Ok(());
    }
    let sealed = sealed_prefix(folder);
    let files: Vec<_> = files.iter().filter(|file| file.path.starts_with(&sealed)).collect();
    if files.is_empty() {
        return Ok(());
    }
    let copy = generation.join(format!("{RESTORING_PREFIX}{folder}"));
    durable::remove_folder(&copy)?;
    fs::create_dir(&copy).map_err(Error::io("cannot create", &copy))?;
    copy_folder(&sealed_folder(generation, folder), &copy)?;
    for file in files {
        let within = FileEntry { path: file.path[sealed.len()..].to_owned(), ..file.clone() };
        seal::verify_file(&copy, &within).map_err(|error| match error {
            Error::Altered { problem, .. } => Error::altered(generation.join(&file.path), problem),
            error => error,
        })?;
    }
    durable::sync_all(&copy)?;
    match fs::rename(&copy, &target) {
        Err(error) if !target.is_dir() => Err(Error::io("cannot rename", &copy)(error)),
        _ => durable::sync(generation),
    }
}

/// Copies a folder and all of its content. Files that vanish meanwhile are skipped: a server that
/// opens the database replaces the snapshots of the engine.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in durable::entries(from)? {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().map_err(Error::io("cannot read", &source))?.is_dir() {
            fs::create_dir(&target).map_err(Error::io("cannot create", &target))?;
            copy_folder(&source, &target)?;
            continue;
        }
        durable::unless_missing(fs::copy(&source, &target)).map_err(Error::io("cannot copy", &source))?;
    }
    Ok(())
}
