//! The contents of the folder of a release.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use indexer::{Error, Result, input};

use super::file_name::{self, COMPANIONS, Compression, FileName, Stem};
use super::{Format, ReleaseFile};

const PARQUET_ENDING: &str = "parquet";

/// A file of a release, or a folder with the parts of one.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) stem: &'static Stem,
    pub(super) part: Option<u64>,
    /// See [`FileName::month`].
    pub(super) month: Option<u32>,
    pub(super) compression: Compression,
    /// The file, or those in the folder.
    pub(super) files: Vec<ReleaseFile>,
}

#[derive(Debug)]
pub(super) struct Contents {
    pub(super) entries: Vec<Entry>,
    pub(super) unknown: Vec<String>,
}

/// Lists the folder of a release. A folder with the name of a file, but without Parquet files, is
/// an error.
pub(super) fn list(folder: &Path) -> Result<Contents> {
    let mut contents = Contents { entries: Vec::new(), unknown: Vec::new() };
    for (name, path, metadata) in visible(folder)? {
        let entry = if metadata.is_dir() {
            let parts = parts_of(&name, &path)?;
            if parts.is_none() && file_name::parse(&name).is_some() {
                let problem = "it is a folder without Parquet files, and has the name of a file of a release";
                return Err(Error::folder(&path, problem));
            }
            parts
        } else {
            file_name::parse(&name).map(|FileName { stem, part, month, compression }| Entry {
                name: name.clone(),
                stem,
                part,
                month,
                compression,
                files: vec![ReleaseFile::new(path, metadata.len())],
            })
        };
        match entry {
            Some(entry) => contents.entries.push(entry),
            None if COMPANIONS.contains(&&*name.to_ascii_lowercase()) || file_name::is_sum(&name) => {}
            None => contents.unknown.push(name),
        }
    }
    Ok(contents)
}

/// Lists a folder with the name of a Parquet table, as written by programs that make many files of
/// a table.
fn parts_of(name: &str, folder: &Path) -> Result<Option<Entry>> {
    let stem = match name.rsplit_once('.') {
        Some((stem, ending)) if ending.eq_ignore_ascii_case(PARQUET_ENDING) => stem,
        _ => name,
    };
    let Some((stem, part)) = file_name::numbered_stem(stem, Format::Parquet) else { return Ok(None) };
    let mut files = Vec::new();
    add_parquet_files(folder, &mut files)?;
    let entry = Entry { name: name.to_owned(), stem, part, month: None, compression: Compression::None, files };
    Ok((!entry.files.is_empty()).then_some(entry))
}

/// Adds the Parquet files of a folder, and of the folders of its partitions, such as `bucket=0`.
fn add_parquet_files(folder: &Path, files: &mut Vec<ReleaseFile>) -> Result<()> {
    let is_parquet = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(PARQUET_ENDING));
    for (name, path, metadata) in visible(folder)? {
        if metadata.is_dir() && name.contains('=') {
            add_parquet_files(&path, files)?;
        } else if metadata.is_file() && is_parquet(&path) {
            files.push(ReleaseFile::new(path, metadata.len()));
        }
    }
    Ok(())
}

/// Lists a folder in natural order, without hidden files.
fn visible(folder: &Path) -> Result<Vec<(String, PathBuf, Metadata)>> {
    let entries = input::visible(folder, "cannot list")?.into_iter().map(|(name, path)| {
        let metadata = fs::metadata(&path).map_err(Error::io("cannot look at", &path))?;
        Ok((name, path, metadata))
    });
    entries.collect()
}
