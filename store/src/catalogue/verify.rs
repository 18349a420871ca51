//! The full check of a generation.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

use super::contents::RESOURCES;
use super::index::CatalogueIndex;
use super::resources::Resources;
use super::{CatalogueContents, CatalogueVerification};
use crate::engine::unless_it_panics;
use crate::{Error, Manifest, Result};

/// Checks a generation in its folder. The files come first, since the engine may stumble over damaged ones.
pub(super) fn verify_folder(path: &Path) -> Result<CatalogueVerification> {
    let manifest = Manifest::<CatalogueContents>::read(path)?;
    manifest.verify_files(path)?;
    let contents = &manifest.contents;
    unless_it_panics(path, || {
        verify_index(path, contents)?;
        match Resources::open(path, contents) {
            Ok(resources) => verify_resources(&resources, contents)?,
            Err(Error::Locked { .. }) => verify_copy(path, contents)?,
            Err(error) => return Err(error),
        }
        Ok(CatalogueVerification { num_resources: contents.num_resources.into(), num_types: contents.types.len() })
    })
}

/// Checks the index: what the engine knows of its files, and that its documents are all resources in order.
fn verify_index(path: &Path, contents: &CatalogueContents) -> Result<()> {
    let index = CatalogueIndex::open(path, contents.num_resources)?;
    let damaged = index.index.validate_checksum().map_err(Error::index(&index.path))?;
    match damaged.into_iter().min() {
        None => Ok(()),
        Some(file) => Err(Error::Altered {
            path: index.path.join(file),
            problem: "the engine's checksum of the file is wrong".to_owned(),
        }),
    }
}

/// Reads all resources, and compares them with what was published.
fn verify_resources(resources: &Resources, contents: &CatalogueContents) -> Result<()> {
    let scan = resources.scan()?;
    if (scan.num_resources, scan.crc32) == (contents.num_resources, contents.resources_crc32) {
        return Ok(());
    }
    let expected = contents.num_resources;
    Err(resources.altered(format!(
        "its {} resources are not the {expected} that were published, or are found otherwise",
        scan.num_resources
    )))
}

/// Checks a copy of the resources, since a server has them open.
fn verify_copy(path: &Path, contents: &CatalogueContents) -> Result<()> {
    let copy = TempDir::with_prefix("mgdex-verify-").map_err(Error::io("cannot create", &std::env::temp_dir()))?;
    copy_folder(&path.join(RESOURCES), copy.path())?;
    let resources = Resources::open_at(path, copy.path(), contents)?;
    verify_resources(&resources, contents)
}

/// Copies a folder with all that is in it. What vanishes meanwhile is left out: a server that has just opened the database replaces
/// the snapshots beside it.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).map_err(Error::io("cannot read", from))? {
        let entry = entry.map_err(Error::io("cannot read", from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().map_err(Error::io("cannot read", &source))?.is_dir() {
            fs::create_dir(&target).map_err(Error::io("cannot create", &target))?;
            copy_folder(&source, &target)?;
            continue;
        }
        match fs::copy(&source, &target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io("cannot copy", &source)(error));
            }
            _ => {}
        }
    }
    Ok(())
}
