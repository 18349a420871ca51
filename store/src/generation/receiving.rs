//! A generation that is being copied from elsewhere.

use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use super::kind::GenerationKind;
use super::{GenerationName, Generations, draft, retention, seal, sealed_copy};
use crate::{Error, Result, durable};

/// The file with the name of the last received generation, and its number in the order of
/// publications.
const FOLLOWED: &str = "FOLLOWED";
const FOLLOWED_NEXT: &str = "FOLLOWED.next";

/// A file in the folder of the generation that is being received.
const GENERATION: &str = "generation";
const JOURNAL: &str = "fetched";

/// A generation that is being copied from elsewhere. When it is dropped, the received bytes stay,
/// and the next attempt to receive the same generation finds them.
#[derive(Debug)]
pub struct Receiving {
    generations: Generations,
    kind: GenerationKind,
    name: GenerationName,
    folder: PathBuf,
    /// Locked while this lives.
    _lock: File,
}

impl Generations {
    /// Begins or continues to receive a generation, after removing the leftovers of killed builds
    /// and of attempts to receive other generations. An existing generation of this name is
    /// replaced.
    ///
    /// # Errors
    ///
    /// * Another process is building or receiving a generation.
    pub fn receive(&self, kind: &GenerationKind, name: GenerationName) -> Result<Receiving> {
        let lock = draft::lock(self)?;
        retention::remove_leftovers(self, Some(name))?;
        let folder = self.root.join(retention::receiving_name(name));
        let receiving = Receiving { generations: self.clone(), kind: kind.clone(), name, folder, _lock: lock };
        self.create_folder(&receiving.path())?;
        Ok(receiving)
    }

    /// Returns the last received generation and its number in the order of publications, unless
    /// the current generation is missing.
    pub fn followed(&self) -> Result<Option<(u64, GenerationName)>> {
        if self.current()?.is_none() {
            return Ok(None);
        }
        let Some(text) = self.read_text(FOLLOWED)? else { return Ok(None) };
        // A text that cannot be read is ignored.
        Ok(text.split_once(' ').and_then(|(sequence, name)| Some((sequence.parse().ok()?, name.parse().ok()?))))
    }

    /// Returns the file that records the last received generation.
    pub fn followed_path(&self) -> PathBuf {
        self.root.join(FOLLOWED)
    }

    /// Records the last received generation.
    pub fn set_followed(&self, sequence: u64, name: GenerationName) -> Result<()> {
        let next = self.root.join(FOLLOWED_NEXT);
        durable::write(&next, format!("{sequence} {name}\n").as_bytes(), self.file_mode)?;
        durable::rename(&self.root, &next, &self.root.join(FOLLOWED))
    }
}

impl Receiving {
    /// Returns the folder of the generation.
    pub fn path(&self) -> PathBuf {
        self.folder.join(GENERATION)
    }

    /// Returns the path of a file that is not part of the generation, for notes on the received
    /// bytes.
    pub fn journal_path(&self) -> PathBuf {
        self.folder.join(JOURNAL)
    }

    /// Opens a file of the generation for writing, and sets its full length. Its existing bytes
    /// stay.
    ///
    /// # Errors
    ///
    /// * The path is outside of the generation.
    pub fn open(&self, path: &str, size_bytes: u64) -> Result<File> {
        let full = self.create_parent(path)?;
        let file =
            File::options().write(true).create(true).truncate(false).mode(self.generations.file_mode).open(&full);
        let file = file.map_err(Error::io("cannot create", &full))?;
        file.set_len(size_bytes).map_err(Error::io("cannot write", &full))?;
        Ok(file)
    }

    /// Shares a file of a published generation. It then belongs to both. The bytes received before
    /// are removed.
    ///
    /// # Errors
    ///
    /// * The path is outside of the generation.
    /// * The file system has no hard links.
    pub fn share(&self, path: &str, from: &Path) -> Result<()> {
        let full = self.create_parent(path)?;
        durable::unless_missing(fs::remove_file(&full)).map_err(Error::io("cannot remove", &full))?;
        fs::hard_link(from, &full).map_err(Error::io("cannot share", from))
    }

    /// Returns the place of a file, after making its folder.
    fn create_parent(&self, path: &str) -> Result<PathBuf> {
        let full = self.path().join(path);
        let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || path.is_empty() {
            return Err(Error::altered(full, "the path is outside of the generation"));
        }
        if let Some(folder) = full.parent() {
            self.generations.create_folder(folder)?;
        }
        Ok(full)
    }

    /// Makes the generation current, like [`crate::Draft::publish`]. Folders that the engine
    /// rewrites are made from their sealed copies, and all bytes are compared with the checksums of
    /// the manifest.
    ///
    /// # Errors
    ///
    /// * The generation is incomplete, or of a kind or format that this program cannot read. The
    ///   previous generation stays current.
    /// * A file differs from the published one, or the disk is full. Then all received bytes are
    ///   removed.
    pub fn publish(self) -> Result<GenerationName> {
        let path = self.path();
        if let Err(error) = self.check(&path) {
            if matches!(error, Error::Altered { .. }) || error.is_no_room() {
                self.discard()?;
            }
            return Err(error);
        }
        let target = self.generations.path(self.name);
        if target.is_dir() {
            retention::remove(&self.generations, &target)?;
        }
        draft::make_current(&self.generations, &path, self.name)?;
        // If it cannot be removed now, the next attempt to receive a generation removes it.
        let _ = retention::remove(&self.generations, &self.folder);
        Ok(self.name)
    }

    /// Removes all received bytes.
    pub fn discard(self) -> Result<()> {
        retention::remove(&self.generations, &self.folder)
    }

    /// Compares all files with the manifest, and syncs them.
    fn check(&self, path: &Path) -> Result<()> {
        let (_, files) = self.kind.read_manifest(path)?;
        for folder in self.kind.rewritten {
            sealed_copy::restore(path, folder, &files)?;
            if !path.join(folder).is_dir() {
                return Err(self.kind.torn(path, format!("it has no sealed copy of {folder}")));
            }
        }
        let permissions = seal::published_permissions(&self.generations.root)?;
        let found = seal::seal_all(path, &permissions, Vec::new(), self.kind.rewritten)?;
        match files.iter().find(|file| found.binary_search(file).is_err()) {
            Some(altered) => Err(Error::altered(path.join(&altered.path), "it is not the file that was published")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
