//! Checking whether the present user may write what a server writes.

use std::fs::{DirEntry, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The folder of a generation of the catalogue whose files a server rewrites. A server creates it
/// if it is missing.
const DATABASE: &str = "resources";

/// Tries to write all that a server writes in a generation of the catalogue. Leaves nothing behind.
///
/// # Errors
///
/// * A place cannot be written by the present user.
pub(super) fn try_generation(generation: &Path) -> Result<(), String> {
    let database = generation.join(DATABASE);
    if database.is_dir() { try_all(&database) } else { try_folder(generation) }
}

/// Tries to write in a folder and its subfolders, and to each file. Leaves nothing behind.
///
/// # Errors
///
/// * A place cannot be written by the present user.
pub(super) fn try_all(folder: &Path) -> Result<(), String> {
    try_folder(folder)?;
    let entries: Vec<_> = folder.read_dir().and_then(Iterator::collect).map_err(|error| refusal(folder, &error))?;
    entries.iter().map(DirEntry::path).try_for_each(|path| if path.is_dir() { try_all(&path) } else { try_file(&path) })
}

fn try_folder(folder: &Path) -> Result<(), String> {
    // The file never has a name, if the system supports that.
    tempfile::tempfile_in(folder).map(drop).map_err(|error| refusal(folder, &error))
}

fn try_file(file: &Path) -> Result<(), String> {
    match File::options().append(true).open(file) {
        // A server removes files that it has replaced.
        Err(error) if error.kind() != ErrorKind::NotFound => Err(refusal(file, &error)),
        _ => Ok(()),
    }
}

fn refusal(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written by this user, but a server must be able to: {error}", path.display())
}
