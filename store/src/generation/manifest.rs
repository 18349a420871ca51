//! The manifest of a generation.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::contents::Contents;
use super::damage;
use super::kind::{GenerationKind, MANIFEST, MANIFEST_CHECKSUM, checksum_text};
use super::seal::{self, FileEntry};
use super::sealed_copy::is_sealed_copy;
use crate::{Error, Result, durable};

/// The total size of the files that are compared with their checksums whenever a generation is
/// opened.
const SMALL_FILES_BYTES: u64 = 64 << 20;

/// The origin, contents and files of a generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest<C> {
    /// The kind of data.
    pub kind: String,
    /// The version of the format.
    pub format: u32,
    /// The uuid of the run that built the generation.
    pub run: Uuid,
    /// The origin of the generation.
    pub origin: Origin,
    /// The contents of the generation.
    pub contents: C,
    /// All files, sorted by path, except the manifest, its checksum and the files in
    /// [`Contents::REWRITTEN`].
    pub files: Vec<FileEntry>,
}

/// The origin of a generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The program and version that wrote it.
    pub written_by: String,
    /// The end of the run, in seconds since 1970-01-01 UTC.
    pub finished_unix_s: u64,
    /// The files it was built from.
    pub inputs: Vec<InputEntry>,
    /// The report of the run, as JSON.
    pub report: serde_json::Value,
}

/// An input file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// The path as it was given.
    pub name: String,
    /// The size on disk. For a stream of rows, the number of bytes read; for a table from a stream,
    /// 0.
    pub size_bytes: u64,
    /// The time of the last change of the file, in seconds since 1970-01-01 UTC. `None` for a
    /// stream, and in manifests of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_unix_s: Option<u64>,
    /// The MD5 sum that the release lists for the file, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub md5: Option<String>,
}

impl InputEntry {
    /// Describes a file whose path was given.
    pub fn of_file(path: &Path, size_bytes: u64) -> Self {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        let modified = metadata.and_then(|metadata| metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        let modified_unix_s = modified.map(|modified| modified.as_secs());
        Self { modified_unix_s, ..Self::of_stream(path.display().to_string(), size_bytes) }
    }

    /// Describes an input that is not a file.
    pub fn of_stream(name: String, size_bytes: u64) -> Self {
        Self { name, size_bytes, modified_unix_s: None, md5: None }
    }
}

impl<C: Contents> Manifest<C> {
    /// Reads the manifest of a generation, and checks that every file exists in its full length.
    ///
    /// # Errors
    ///
    /// * The manifest is missing, cannot be read or was changed.
    /// * The generation is of another kind or format.
    /// * A file is missing or has another length.
    pub fn read(generation: &Path) -> Result<Self> {
        let kind = GenerationKind::of::<C>();
        let (bytes, _) = kind.read_manifest(generation)?;
        serde_json::from_slice(&bytes).map_err(|error| kind.torn(generation, format!("{MANIFEST}: {error}")))
    }

    /// Reads all files and compares them with their checksums. The error names the first file that
    /// differs.
    pub fn verify_files(&self, generation: &Path) -> Result<()> {
        self.files.iter().try_for_each(|file| seal::verify_file(generation, file))
    }

    /// Compares the smallest files with their checksums, up to 64 MiB of them altogether. It takes
    /// a fraction of a second, whatever the size of the generation.
    pub fn verify_small_files(&self, generation: &Path) -> Result<()> {
        let mut files: Vec<&FileEntry> = self.served_files().collect();
        files.sort_unstable_by_key(|file| file.size_bytes);
        let mut num_bytes = 0;
        let small = files.into_iter().take_while(|file| {
            num_bytes += file.size_bytes;
            num_bytes <= SMALL_FILES_BYTES
        });
        small.into_iter().try_for_each(|file| seal::verify_file(generation, file))
    }

    /// Compares the served files with their checksums, as long as `may_continue` returns true. It
    /// gets the number of bytes of each read. They are read from the disk, so the kernel's cache
    /// keeps what requests need. A file is read a second time before it counts as damaged. Returns
    /// whether all were compared.
    pub fn scrub(&self, generation: &Path, may_continue: &mut dyn FnMut(usize) -> bool) -> Result<bool> {
        for file in self.served_files() {
            let path = generation.join(&file.path);
            let Some(mut found) = seal::uncached_checksum(&path, may_continue)? else { return Ok(false) };
            if found != file.crc32 {
                let Some(again) = seal::uncached_checksum(&path, may_continue)? else { return Ok(false) };
                found = again;
            }
            seal::compare(&path, file, found)?;
        }
        Ok(true)
    }

    /// Checks that no served file was truncated or has grown. Removed files stay readable for
    /// processes that have them open.
    pub(crate) fn check_lengths(&self, generation: &Path) -> Result<()> {
        let check = |file: &FileEntry| match damage::check_length(generation, file) {
            Err(problem) if generation.join(&file.path).try_exists().unwrap_or(true) => {
                Err(Error::altered(generation, problem))
            }
            _ => Ok(()),
        };
        self.served_files().try_for_each(check)
    }

    /// Returns the files from which answers are read. Sealed copies are compared when they are
    /// used.
    pub(super) fn served_files(&self) -> impl Iterator<Item = &FileEntry> {
        self.files.iter().filter(|file| !is_sealed_copy(&file.path))
    }

    /// Seals the files of a draft and writes their manifest. Files in `sealed` are not read again.
    pub(super) fn seal(
        draft: &Path,
        run: Uuid,
        origin: Origin,
        contents: C,
        permissions: &Permissions,
        sealed: Vec<FileEntry>,
    ) -> Result<()> {
        let path = draft.join(MANIFEST);
        let checksum_path = draft.join(MANIFEST_CHECKSUM);
        // A run that was killed while it published can leave a manifest in a resumable draft.
        for stale in [&path, &checksum_path] {
            durable::unless_missing(fs::remove_file(stale)).map_err(Error::io("cannot remove", stale))?;
        }
        let files = seal::seal_all(draft, permissions, sealed, C::REWRITTEN)?;
        let manifest = Self { kind: C::KIND.to_owned(), format: C::FORMAT, run, origin, contents, files };
        let bytes =
            serde_json::to_vec_pretty(&manifest).map_err(|error| Error::io("cannot write", &path)(error.into()))?;
        durable::write(&path, &bytes, permissions.mode())?;
        durable::write(&checksum_path, checksum_text(&bytes).as_bytes(), permissions.mode())?;
        durable::sync(draft)
    }
}
