//! The manifest of a generation.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{durable, seal};
use crate::{Error, Result};

/// The manifest's file name.
const MANIFEST: &str = "manifest.json";

/// The file that holds the checksum of the manifest, in hexadecimal digits.
const MANIFEST_CHECKSUM: &str = "manifest.json.crc32";

/// What a kind of generation says of itself in its manifest.
pub trait Contents: Serialize + DeserializeOwned {
    /// The name of the kind.
    const KIND: &'static str;
    /// The command that builds generations of this kind.
    const COMMAND: &'static str;
    /// The version of the format that this program writes.
    const FORMAT: u32;
    /// The first version that it reads.
    const OLDEST_FORMAT: u32;
    /// The folders whose files the engine rewrites when it opens them. They are synced like all others, but the manifest does not
    /// list what is in them: the contents must say how to tell whether they are whole.
    const REWRITTEN: &'static [&'static str] = &[];
}

/// What a generation was built from, what is in it, and how to tell whether it is whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest<C> {
    /// The kind of data.
    pub kind: String,
    /// The version of the format.
    pub format: u32,
    /// The uuid of the run that built the generation.
    pub run: Uuid,
    /// Where the generation comes from.
    pub origin: Origin,
    /// What is in it.
    pub contents: C,
    /// Every file but the manifest, its checksum and what is in [`Contents::REWRITTEN`], by path.
    pub files: Vec<FileEntry>,
}

/// Where a generation comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The program and version that wrote it.
    pub written_by: String,
    /// When the run ended, in seconds since 1970-01-01 UTC.
    pub finished_unix_s: u64,
    /// The files it was built from.
    pub inputs: Vec<InputEntry>,
    /// The report of the run.
    pub report: serde_json::Value,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// The path as it was given.
    pub name: String,
    /// Its size on disk; of a stream of rows, how many bytes were read; 0 for a table that is a stream.
    pub size_bytes: u64,
}

/// A file of the generation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileEntry {
    /// The path inside the generation, with `/` between folders.
    pub path: String,
    /// The length in bytes.
    pub size_bytes: u64,
    /// The CRC-32 of the bytes.
    pub crc32: u32,
}

/// The first fields of every manifest, in every format.
#[derive(Deserialize)]
struct Head {
    /// The kind of data.
    kind: String,
    /// The version of the format.
    format: u32,
}

impl<C: Contents> Manifest<C> {
    /// Reads the manifest of a generation, and checks that every file is there in its full length.
    ///
    /// # Errors
    ///
    /// * The manifest is missing, cannot be read or is not the one that was written.
    /// * The generation is of another kind or format.
    /// * A file is missing or has another length.
    pub fn read(generation: &Path) -> Result<Self> {
        let torn = |problem: String| Error::Torn { path: generation.to_owned(), problem, command: C::COMMAND };
        let bytes = fs::read(generation.join(MANIFEST)).map_err(|error| torn(format!("{MANIFEST}: {error}")))?;
        let expected = fs::read_to_string(generation.join(MANIFEST_CHECKSUM))
            .map_err(|error| torn(format!("{MANIFEST_CHECKSUM}: {error}")))?;
        if expected.trim() != checksum_text(&bytes) {
            return Err(torn(format!("{MANIFEST} is not the one that was published")));
        }
        let head: Head = serde_json::from_slice(&bytes).map_err(|error| torn(format!("{MANIFEST}: {error}")))?;
        if head.kind != C::KIND {
            return Err(torn(format!("it holds {}, not {}", head.kind, C::KIND)));
        }
        if !(C::OLDEST_FORMAT..=C::FORMAT).contains(&head.format) {
            return Err(Error::UnknownFormat {
                path: generation.to_owned(),
                found: head.format,
                known: C::FORMAT,
                command: C::COMMAND,
            });
        }
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| torn(format!("{MANIFEST}: {error}")))?;
        for file in &manifest.files {
            match fs::metadata(generation.join(&file.path)) {
                Ok(metadata) if metadata.len() == file.size_bytes => {}
                Ok(metadata) => {
                    return Err(torn(format!("{} has {} of {} bytes", file.path, metadata.len(), file.size_bytes)));
                }
                Err(error) => return Err(torn(format!("{}: {error}", file.path))),
            }
        }
        Ok(manifest)
    }

    /// Reads every file whole and compares it with its checksum.
    ///
    /// # Errors
    ///
    /// * A file cannot be read or differs from what was published; the first such file is named.
    pub fn verify_files(&self, generation: &Path) -> Result<()> {
        for file in &self.files {
            let path = generation.join(&file.path);
            if seal::file_checksum(&path)? != file.crc32 {
                return Err(Error::Altered { path, problem: "the checksum of the file is wrong".to_owned() });
            }
        }
        Ok(())
    }

    /// Lists the files of a folder and writes their manifest, all synced to the disk. Files that are `sealed` already are not
    /// read again.
    pub(super) fn seal(
        folder: &Path,
        (run, origin, contents): (Uuid, Origin, C),
        permissions: &Permissions,
        sealed: Vec<FileEntry>,
    ) -> Result<()> {
        let path = folder.join(MANIFEST);
        let checksum_path = folder.join(MANIFEST_CHECKSUM);
        // A run that was killed while it published leaves a manifest in a draft that can be continued.
        for stale in [&path, &checksum_path] {
            match fs::remove_file(stale) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::io("cannot remove", stale)(error));
                }
                _ => {}
            }
        }
        let files = seal::seal_all(folder, permissions, sealed, C::REWRITTEN)?;
        let manifest = Self { kind: C::KIND.to_owned(), format: C::FORMAT, run, origin, contents, files };
        let bytes =
            serde_json::to_vec_pretty(&manifest).map_err(|error| Error::io("cannot write", &path)(error.into()))?;
        durable::write(&path, &bytes, permissions.mode())?;
        durable::write(&checksum_path, checksum_text(&bytes).as_bytes(), permissions.mode())?;
        durable::sync(folder)
    }
}

/// Returns the checksum of the manifest's bytes as it is written.
fn checksum_text(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}
