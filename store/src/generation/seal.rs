//! Sealing files: making them readable, syncing them, and recording their sizes and checksums.

use std::collections::HashMap;
use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::LOCK;
use super::uncached::{ALIGNMENT, UncachedFile};
use crate::{Error, Result, durable};

const CHECKSUM_BUFFER_BYTES: usize = 256 * 1024;

/// A file of a generation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileEntry {
    /// The path inside the generation, with `/` between folders.
    pub path: String,
    /// The length in bytes.
    pub size_bytes: u64,
    /// The CRC-32 of the bytes.
    pub crc32: u32,
}

/// Seals a folder of a draft before the draft is published: syncs its content, and returns its
/// files, sorted by path. They must not change any more; [`crate::Draft::publish`] does not read
/// them again.
pub fn seal_folder(draft: &Path, folder: &str) -> Result<Vec<FileEntry>> {
    let permissions = published_permissions(draft.parent().unwrap_or(Path::new(".")))?;
    let mut walk = Sealer { permissions: &permissions, sealed: HashMap::new(), rewritten: &[], files: Vec::new() };
    walk.seal(&draft.join(folder), &format!("{folder}/"))?;
    // The name of the folder itself.
    durable::sync(draft)?;
    walk.files.sort_unstable();
    Ok(walk.files)
}

/// Lists the files of a folder of a draft, sorted by path, without waiting until they are on the
/// disk. Use it for files that can be made again, and check them with [`verify_file`] before use.
pub fn list_folder(draft: &Path, folder: &str) -> Result<Vec<FileEntry>> {
    let path = draft.join(folder);
    let mut files = Vec::new();
    for entry in durable::entries(&path)? {
        let path = entry.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let size_bytes = fs::metadata(&path).map_err(Error::io("cannot read", &path))?.len();
        files.push(FileEntry { path: format!("{folder}/{name}"), size_bytes, crc32: file_checksum(&path)? });
    }
    files.sort_unstable();
    Ok(files)
}

/// Checks that a file of a draft or generation still matches its entry.
pub fn verify_file(folder: &Path, file: &FileEntry) -> Result<()> {
    let path = folder.join(&file.path);
    compare(&path, file, file_checksum(&path)?)
}

pub(super) fn compare(path: &Path, file: &FileEntry, found: u32) -> Result<()> {
    if found == file.crc32 { Ok(()) } else { Err(Error::altered(path, "the checksum of the file is wrong")) }
}

/// Returns the permissions of published files: those of the lock, which has the usual ones of a new
/// file. The engine makes some files readable only for their owner, but the user who serves may
/// differ from the user who indexes.
pub(super) fn published_permissions(root: &Path) -> Result<Permissions> {
    let lock = root.join(LOCK);
    fs::metadata(&lock).map(|metadata| metadata.permissions()).map_err(Error::io("cannot read", &lock))
}

/// Seals the files of a draft that are not sealed yet, and returns all files, sorted by path. Files
/// of the `rewritten` folders are synced and not listed.
pub(super) fn seal_all(
    draft: &Path,
    permissions: &Permissions,
    sealed: Vec<FileEntry>,
    rewritten: &[&str],
) -> Result<Vec<FileEntry>> {
    let sealed = sealed.into_iter().map(|file| (file.path.clone(), file)).collect();
    let mut walk = Sealer { permissions, sealed, rewritten, files: Vec::new() };
    walk.seal(draft, "")?;
    if let Some(path) = walk.sealed.into_keys().next() {
        return Err(Error::altered(draft.join(path), "the file was sealed and is missing now"));
    }
    walk.files.sort_unstable();
    Ok(walk.files)
}

struct Sealer<'a> {
    permissions: &'a Permissions,
    /// The files that were sealed before and are not found yet, by path.
    sealed: HashMap<String, FileEntry>,
    rewritten: &'a [&'a str],
    files: Vec<FileEntry>,
}

impl Sealer<'_> {
    fn seal(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        for entry in durable::entries(folder)? {
            let path = entry.path();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let metadata = entry.metadata().map_err(Error::io("cannot read", &path))?;
            if metadata.is_dir() {
                self.seal(&path, &format!("{name}/"))?;
            } else if let Some(file) = self.sealed.remove(&name) {
                let (found, expected) = (metadata.len(), file.size_bytes);
                if found != expected {
                    return Err(Error::altered(path, format!("it has {found} bytes, and had {expected} when sealed")));
                }
                self.files.push(file);
            } else {
                fs::set_permissions(&path, self.permissions.clone()).map_err(Error::io("cannot chmod", &path))?;
                durable::sync(&path)?;
                if !self.rewritten.iter().any(|folder| Path::new(&name).starts_with(folder)) {
                    let crc32 = file_checksum(&path)?;
                    self.files.push(FileEntry { path: name, size_bytes: metadata.len(), crc32 });
                }
            }
        }
        durable::sync(folder)
    }
}

fn file_checksum(path: &Path) -> Result<u32> {
    let file = File::open(path).map_err(Error::io("cannot open", path))?;
    Ok(checksum(path, file, &mut |_| true)?.unwrap_or_default())
}

/// Returns the checksum of a file as it is on the disk, or `None` once `may_continue` returns
/// `false`. It gets the number of bytes of each read.
pub(super) fn uncached_checksum(path: &Path, may_continue: &mut dyn FnMut(usize) -> bool) -> Result<Option<u32>> {
    let file = UncachedFile::open(path).map_err(Error::io("cannot open", path))?;
    checksum(path, file, may_continue)
}

fn checksum(path: &Path, mut file: impl Read, may_continue: &mut dyn FnMut(usize) -> bool) -> Result<Option<u32>> {
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; CHECKSUM_BUFFER_BYTES + ALIGNMENT];
    let start = buffer.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
    let buffer = &mut buffer[start..][..CHECKSUM_BUFFER_BYTES];
    loop {
        match file.read(buffer) {
            Ok(0) => return Ok(Some(hasher.finalize())),
            Ok(length) => {
                hasher.update(&buffer[..length]);
                if !may_continue(length) {
                    return Ok(None);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io("cannot read", path)(error)),
        }
    }
}
