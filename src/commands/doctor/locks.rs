//! The processes that have locked the stores of a data folder.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The table of the system, with a line for each lock: `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0
/// EOF`.
const LOCKS: &str = "/proc/locks";

/// The most folders above a locked file: those of its kind, its generation and its database.
const DEPTH_MAX: usize = 4;

/// Names the processes that have locked files of a folder.
pub(super) fn lock_holders(folder: &Path) -> io::Result<String> {
    let locks = fs::read_to_string(LOCKS)?;
    let holders: Vec<(u64, u32)> = locks.lines().filter_map(holder).collect();
    let mut files = Vec::new();
    collect_files(folder, DEPTH_MAX, &mut files);
    let mut held = BTreeSet::new();
    for file in files {
        // The device is not compared: some file systems report another number than the table has.
        let Ok(inode) = file.metadata().map(|metadata| metadata.ino()) else { continue };
        for (_, process) in holders.iter().filter(|(locked, _)| *locked == inode) {
            let store = file.strip_prefix(folder).unwrap_or(&file).components().next();
            let store = store.map(|store| store.as_os_str().to_string_lossy().into_owned()).unwrap_or_default();
            let name =
                fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_else(|_| "of unknown name".to_owned());
            held.insert(format!("{store} by process {process} ({})", name.trim_end()));
        }
    }
    if held.is_empty() {
        return Ok("none: no server and no run has them open".to_owned());
    }
    Ok(Vec::from_iter(held).join(", "))
}

/// Returns the inode and the process in a line.
fn holder(line: &str) -> Option<(u64, u32)> {
    let mut words = line.split_whitespace().skip(4);
    let (process, place) = (words.next()?, words.next()?);
    Some((place.rsplit(':').next()?.parse().ok()?, process.parse().ok()?))
}

fn collect_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 => collect_files(&entry.path(), depth - 1, files),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_that_hold_locks_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(lock_holders(folder.path()).expect("readable").starts_with("none"));
        fs::create_dir(folder.path().join("profiles")).expect("writable");
        let file = fs::File::create(folder.path().join("profiles/lock")).expect("writable");
        file.lock().expect("free");
        let held = lock_holders(folder.path()).expect("readable");
        assert!(held.starts_with(&format!("profiles by process {}", std::process::id())), "{held}");
    }
}
