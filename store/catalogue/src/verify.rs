//! The full check of a published generation.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use store::engine::catch_panics;
use store::{Error, Manifest, Result, copy_folder, durable, sealed_folder};
use tempfile::TempDir;

use super::contents::RESOURCES;
use super::index::reader::CatalogueIndex;
use super::missing::count_missing;
use super::resources::Resources;
use super::{CatalogueContents, CatalogueVerification, CheckedDatabases};

/// The most copies of a database that changes while it is copied.
const COPIES_MAX: usize = 3;

/// The files are checked first, since the engine may panic on damaged ones.
pub(super) fn verify_folder(path: &Path) -> Result<CatalogueVerification> {
    let manifest = Manifest::<CatalogueContents>::read(path)?;
    manifest.verify_files(path)?;
    let contents = &manifest.contents;
    catch_panics(path, || {
        let index = verified_index(path, contents)?;
        let (original, databases) = database_of(path);
        let folder =
            TempDir::with_prefix("mgdex-verify-").map_err(Error::io("cannot create", &std::env::temp_dir()))?;
        let resources = open_copy(path, &original, contents, &folder.path().join(RESOURCES))?;
        let missing = count_missing(&index, &resources)?;
        let (num_resources, num_types) = (contents.num_resources.into(), contents.types.len());
        Ok(CatalogueVerification { num_resources, num_types, missing, databases })
    })
}

/// Checks the checksums of the engine, and that the documents are all resources in order.
fn verified_index(path: &Path, contents: &CatalogueContents) -> Result<CatalogueIndex> {
    let index = CatalogueIndex::open(path, contents.num_resources)?;
    let damaged = index.index.validate_checksum().map_err(Error::index(&index.path))?;
    match damaged.into_iter().min() {
        None => Ok(index),
        Some(file) => Err(Error::altered(index.path.join(file), "the engine's checksum of the file is wrong")),
    }
}

/// Returns the database of a generation: the served one, or its sealed copy.
pub(super) fn database_of(path: &Path) -> (PathBuf, CheckedDatabases) {
    let (served, sealed) = (path.join(RESOURCES), sealed_folder(path, RESOURCES));
    match (served.is_dir(), sealed.is_dir()) {
        (true, true) => (served, CheckedDatabases::ServedAndSealed),
        // The files of the sealed copy are in the manifest.
        (false, true) => (sealed, CheckedDatabases::Sealed),
        _ => (served, CheckedDatabases::Served),
    }
}

/// Copies a database into a new folder, checks the whole copy, and opens it: only one process can
/// have a database open, and a server must be able to open it at any time. A copy that is made
/// while a server opens the database can be inconsistent, so that another copy is made if it looks
/// damaged.
pub(super) fn open_copy(path: &Path, original: &Path, contents: &CatalogueContents, copy: &Path) -> Result<Resources> {
    for _ in 1..COPIES_MAX {
        let before = last_change(original)?;
        let checked = open_one_copy(path, original, contents, copy);
        if checked.is_ok() || last_change(original)? == before {
            return checked;
        }
        durable::remove_folder(copy)?;
    }
    open_one_copy(path, original, contents, copy)
}

fn open_one_copy(path: &Path, original: &Path, contents: &CatalogueContents, copy: &Path) -> Result<Resources> {
    fs::create_dir(copy).map_err(Error::io("cannot create", copy))?;
    copy_folder(original, copy)?;
    let resources = Resources::open(path, copy, contents)?;
    resources.scan()?.compare(&resources, contents)?;
    Ok(resources)
}

/// Returns the time at which an entry of a folder was last written, added or removed.
fn last_change(folder: &Path) -> Result<Option<SystemTime>> {
    let cannot_read = |source| Error::io("cannot read", folder)(source);
    let mut last = fs::metadata(folder).and_then(|folder| folder.modified()).map(Some).map_err(cannot_read)?;
    for entry in fs::read_dir(folder).map_err(cannot_read)? {
        match entry.and_then(|entry| entry.metadata()).and_then(|file| file.modified()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot_read(error)),
            changed => last = last.max(changed.ok()),
        }
    }
    Ok(last)
}
