//! Sealing files: syncing them, opening them up to readers, and taking their checksums.

use std::collections::HashMap;
use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::path::Path;

use super::manifest::FileEntry;
use super::{LOCK, durable};
use crate::{Error, Result};

/// How much of a file is read at once to compute its checksum.
const CHECKSUM_BUFFER_BYTES: usize = 256 * 1024;

/// Seals a folder of a draft before the draft is published: syncs it with all that is in it, and returns its files with their
/// sizes and checksums, by path. They must not change any more; [`super::Draft::publish`] does not read them again.
///
/// # Errors
///
/// * A file cannot be read or synced.
pub fn seal_folder(draft: &Path, folder: &str) -> Result<Vec<FileEntry>> {
    let permissions = published_permissions(draft.parent().unwrap_or(Path::new(".")))?;
    let mut walk = Sealer { permissions: &permissions, known: HashMap::new(), rewritten: &[], files: Vec::new() };
    walk.seal(&draft.join(folder), &format!("{folder}/"))?;
    // The name of the folder itself.
    durable::sync(draft)?;
    walk.files.sort_unstable();
    Ok(walk.files)
}

/// Lists the files of a folder of a draft with their sizes and checksums, by path, without waiting until they are on the disk. It is
/// for what can be made again; whoever needs the files later checks them with [`verify_file`].
///
/// # Errors
///
/// * A file cannot be read.
pub fn list_folder(draft: &Path, folder: &str) -> Result<Vec<FileEntry>> {
    let path = draft.join(folder);
    let mut files = Vec::new();
    for entry in fs::read_dir(&path).map_err(Error::io("cannot read", &path))? {
        let path = entry.map_err(Error::io("cannot read", &path))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let size_bytes = fs::metadata(&path).map_err(Error::io("cannot read", &path))?.len();
        files.push(FileEntry { path: format!("{folder}/{name}"), size_bytes, crc32: file_checksum(&path)? });
    }
    files.sort_unstable();
    Ok(files)
}

/// Checks that a file of a draft is still as it was listed.
///
/// # Errors
///
/// * The file is missing, cannot be read or has changed.
pub fn verify_file(draft: &Path, file: &FileEntry) -> Result<()> {
    let path = draft.join(&file.path);
    if file_checksum(&path)? == file.crc32 {
        Ok(())
    } else {
        Err(Error::Altered { path, problem: "the checksum of the file is wrong".to_owned() })
    }
}

/// Returns the permissions of published files: those of any new file, as the lock is. The engine makes some files that only their
/// owner may read, but whoever indexes need not be who serves.
pub(super) fn published_permissions(root: &Path) -> Result<Permissions> {
    let lock = root.join(LOCK);
    fs::metadata(&lock).map(|metadata| metadata.permissions()).map_err(Error::io("cannot read", &lock))
}

/// Seals all of a draft but what is sealed already, and returns all files by path, without those of the folders that are rewritten
/// when they are opened.
pub(super) fn seal_all(
    draft: &Path,
    permissions: &Permissions,
    sealed: Vec<FileEntry>,
    rewritten: &[&str],
) -> Result<Vec<FileEntry>> {
    let known = sealed.into_iter().map(|file| (file.path.clone(), file)).collect();
    let mut walk = Sealer { permissions, known, rewritten, files: Vec::new() };
    walk.seal(draft, "")?;
    if let Some(path) = walk.known.into_keys().next() {
        return Err(Error::Altered { path: draft.join(path), problem: "it was sealed, and is missing".to_owned() });
    }
    walk.files.sort_unstable();
    Ok(walk.files)
}

/// Walks through the folders of a draft.
struct Sealer<'a> {
    /// What all files get.
    permissions: &'a Permissions,
    /// The files that were sealed before and not found yet, by path.
    known: HashMap<String, FileEntry>,
    /// The folders whose files are synced and not listed.
    rewritten: &'a [&'a str],
    /// The files that are sealed.
    files: Vec<FileEntry>,
}

impl Sealer<'_> {
    /// Syncs a folder with all that is in it, and lists its files.
    fn seal(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        for entry in fs::read_dir(folder).map_err(Error::io("cannot read", folder))? {
            let entry = entry.map_err(Error::io("cannot read", folder))?;
            let path = entry.path();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let metadata = entry.metadata().map_err(Error::io("cannot read", &path))?;
            if metadata.is_dir() {
                self.seal(&path, &format!("{name}/"))?;
            } else if let Some(file) = self.known.remove(&name) {
                if metadata.len() != file.size_bytes {
                    let problem = format!("it has {} bytes, and had {} when sealed", metadata.len(), file.size_bytes);
                    return Err(Error::Altered { path, problem });
                }
                self.files.push(file);
            } else {
                fs::set_permissions(&path, self.permissions.clone()).map_err(Error::io("cannot open up", &path))?;
                durable::sync(&path)?;
                if self.rewritten.iter().any(|folder| Path::new(&name).starts_with(folder)) {
                    continue;
                }
                let crc32 = file_checksum(&path)?;
                self.files.push(FileEntry { path: name, size_bytes: metadata.len(), crc32 });
            }
        }
        durable::sync(folder)
    }
}

/// Returns the CRC-32 of a file.
pub(super) fn file_checksum(path: &Path) -> Result<u32> {
    let mut file = File::open(path).map_err(Error::io("cannot open", path))?;
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; CHECKSUM_BUFFER_BYTES];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finalize()),
            Ok(length) => hasher.update(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io("cannot read", path)(error)),
        }
    }
}
