//! A kind of generation without the type of its contents: enough to check, copy and receive one.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::contents::Contents;
use super::damage;
use super::seal::FileEntry;
use super::sealed_copy::sealed_prefix;
use super::{GenerationName, Generations};
use crate::{Error, Result};

pub(super) const MANIFEST: &str = "manifest.json";

/// The file with the CRC-32 of the manifest in hexadecimal digits.
pub(super) const MANIFEST_CHECKSUM: &str = "manifest.json.crc32";

/// A kind of generation.
#[derive(Clone, Debug)]
pub struct GenerationKind {
    name: &'static str,
    command: &'static str,
    format: u32,
    pub(super) rewritten: &'static [&'static str],
}

/// The first fields of every manifest, in every format.
#[derive(Deserialize)]
struct Head {
    kind: String,
    format: u32,
}

#[derive(Deserialize)]
struct Listed {
    files: Vec<FileEntry>,
}

impl GenerationKind {
    /// Returns the kind of the generations with these contents.
    pub const fn of<C: Contents>() -> Self {
        Self { name: C::KIND, command: C::COMMAND, format: C::FORMAT, rewritten: C::REWRITTEN }
    }

    /// Returns the name of the kind, as in manifests.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of bytes that are added to the files of a generation when it is received:
    /// copies of the files that the engine rewrites.
    pub fn copied_bytes<'a>(&self, files: impl IntoIterator<Item = (&'a str, u64)>) -> u64 {
        let is_copied = |path: &str| self.rewritten.iter().any(|folder| path.starts_with(&sealed_prefix(folder)));
        files.into_iter().filter(|(path, _)| is_copied(path)).map(|(_, size_bytes)| size_bytes).sum()
    }

    /// Reads the manifest of a generation, and checks that it is complete: every file exists in its
    /// full length.
    pub(super) fn read_manifest(&self, generation: &Path) -> Result<(Vec<u8>, Vec<FileEntry>)> {
        let torn = |problem: String| self.torn(generation, problem);
        let unread = |name: &'static str| move |error| torn(format!("{name}: {error}"));
        let bytes = fs::read(generation.join(MANIFEST)).map_err(unread(MANIFEST))?;
        let expected = fs::read_to_string(generation.join(MANIFEST_CHECKSUM)).map_err(unread(MANIFEST_CHECKSUM))?;
        if expected.trim() != checksum_text(&bytes) {
            return Err(torn(format!("{MANIFEST} is not the one that was published")));
        }
        let head: Head = serde_json::from_slice(&bytes).map_err(|error| torn(format!("{MANIFEST}: {error}")))?;
        if head.kind != self.name {
            return Err(torn(format!("it holds {}, not {}", head.kind, self.name)));
        }
        if head.format != self.format {
            let (path, known, command) = (generation.to_owned(), self.format, self.command);
            return Err(Error::UnknownFormat { path, found: head.format, known, command });
        }
        let Listed { files } = serde_json::from_slice(&bytes).map_err(|error| torn(format!("{MANIFEST}: {error}")))?;
        damage::unless_marked(generation).map_err(torn)?;
        for file in &files {
            damage::check_length(generation, file).map_err(torn)?;
        }
        Ok((bytes, files))
    }

    pub(super) fn torn(&self, generation: &Path, problem: String) -> Error {
        Error::Torn { path: generation.to_owned(), problem, command: self.command }
    }
}

impl Generations {
    /// Returns all files that a copy of a published generation needs, the manifest and its checksum
    /// last.
    ///
    /// # Errors
    ///
    /// * The generation is torn, or of another kind or format.
    /// * The engine rewrites some of its files, and it has no sealed copy of them.
    pub fn published_files(&self, kind: &GenerationKind, name: GenerationName) -> Result<Vec<FileEntry>> {
        let path = self.path(name);
        let (manifest, mut files) = kind.read_manifest(&path)?;
        for folder in kind.rewritten {
            let sealed = sealed_prefix(folder);
            if !files.iter().any(|file| file.path.starts_with(&sealed)) {
                return Err(Error::NotSealed { path, command: kind.command });
            }
        }
        for (path, bytes) in [(MANIFEST_CHECKSUM, checksum_text(&manifest).as_bytes()), (MANIFEST, &manifest)] {
            let (size_bytes, crc32) = (bytes.len() as u64, crc32fast::hash(bytes));
            files.push(FileEntry { path: path.to_owned(), size_bytes, crc32 });
        }
        Ok(files)
    }
}

pub(super) fn checksum_text(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}
