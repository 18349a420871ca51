//! A generation that is being built.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::contents::Contents;
use super::kind::GenerationKind;
use super::manifest::{Manifest, Origin};
use super::seal::{self, FileEntry};
use super::sealed_copy::{copy_folder, sealed_folder};
use super::{CURRENT, GenerationName, Generations, LOCK, retention};
use crate::{Error, Result, durable};

/// A generation that is being built.
///
/// If it is dropped unpublished, the draft of [`Generations::begin`] is removed, and that of
/// [`Generations::resume_or_begin`] stays to be resumed.
#[derive(Debug)]
pub struct Draft {
    generations: Generations,
    run: Uuid,
    path: PathBuf,
    /// Exists only if the draft is resumable.
    work: PathBuf,
    is_resumable: bool,
    is_resumed: bool,
    /// Locked while the draft lives.
    _lock: File,
}

impl Draft {
    pub(super) fn begin(generations: &Generations, is_resumable: bool) -> Result<Self> {
        let lock = lock(generations)?;
        retention::remove_leftovers(generations, None)?;
        let mut unfinished = if is_resumable { retention::unfinished(generations)? } else { Vec::new() };
        let resumed = unfinished.pop();
        for older in unfinished {
            retention::remove(generations, &generations.root.join(retention::unfinished_name(older)))?;
        }
        let run = resumed.unwrap_or_else(Uuid::new_v4);
        let name =
            if is_resumable { retention::unfinished_name(run) } else { format!("{}{run}", retention::DRAFT_PREFIX) };
        let path = generations.root.join(name);
        let work = generations.root.join(retention::work_name(run));
        if resumed.is_none() {
            generations.create_folder(&path)?;
        }
        if is_resumable {
            durable::create_folders(&work, durable::FOLDER)?;
        }
        let (generations, is_resumed) = (generations.clone(), resumed.is_some());
        Ok(Self { generations, run, path, work, is_resumable, is_resumed, _lock: lock })
    }

    /// Returns the folder to write into.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder for files of the run that are not published. Only a resumable draft has
    /// one. It is removed with the draft.
    pub fn work_path(&self) -> &Path {
        &self.work
    }

    /// Returns the generations to which the draft belongs.
    pub fn generations(&self) -> &Generations {
        &self.generations
    }

    /// Shares files of a published generation. They then belong to both and must not be written to.
    /// Nothing is copied.
    ///
    /// # Errors
    ///
    /// * A file exists in the draft already, or the file system has no hard links.
    pub fn share<'a>(&self, from: &Path, files: impl IntoIterator<Item = &'a FileEntry>) -> Result<()> {
        for file in files {
            let (source, target) = (from.join(&file.path), self.path.join(&file.path));
            if let Some(folder) = target.parent() {
                self.generations.create_folder(folder)?;
            }
            fs::hard_link(&source, &target).map_err(Error::io("cannot share", &source))?;
        }
        Ok(())
    }

    /// Returns whether an earlier run began the draft and may have written into it.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Removes the draft and all of its content, even if it could be resumed.
    pub fn discard(self) -> Result<()> {
        retention::remove(&self.generations, &self.path)?;
        if self.is_resumable { retention::remove(&self.generations, &self.work) } else { Ok(()) }
    }

    /// Keeps a sealed copy of the files that the engine rewrites, which must be closed. Without a
    /// sealed copy, a generation with such files cannot be published to other machines.
    pub fn keep_sealed(&self, kind: &GenerationKind) -> Result<()> {
        for folder in kind.rewritten {
            let copy = sealed_folder(self.path(), folder);
            durable::create_folders(&copy, durable::FOLDER)?;
            copy_folder(&self.path().join(folder), &copy)?;
        }
        Ok(())
    }

    /// Makes the generation current. A reader of the current generation gets either the previous
    /// one or this one, complete, even after a power cut. The previous generation is kept; older
    /// ones are removed.
    ///
    /// The files in `sealed` are entries that [`crate::seal_folder`] returned; they are not read
    /// again. All others are sealed now.
    ///
    /// # Errors
    ///
    /// * A sealed file is missing or has another length.
    /// * A file cannot be written or synced. The previous generation stays current.
    pub fn publish<C: Contents>(self, origin: Origin, contents: C, sealed: Vec<FileEntry>) -> Result<GenerationName> {
        let permissions = seal::published_permissions(self.generations.root())?;
        Manifest::seal(&self.path, self.run, origin, contents, &permissions, sealed)?;
        let name = GenerationName(self.run);
        make_current(&self.generations, &self.path, name)?;
        if self.is_resumable {
            let _ = retention::remove(&self.generations, &self.work);
        }
        Ok(name)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_resumable {
            // The draft is gone if it was published. If it cannot be removed now, the next build
            // removes it.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Renames a synced folder to its final name, and makes it current. The previous generation is
/// kept; older ones are removed.
pub(super) fn make_current(generations: &Generations, sealed: &Path, name: GenerationName) -> Result<()> {
    let root = generations.root();
    let previous = generations.current();
    // All writes that a full disk could prevent happen before the first rename.
    let next = generations.write_next(name)?;
    durable::rename(root, sealed, &generations.path(name))?;
    durable::rename(root, &next, &root.join(CURRENT))?;
    // If the previous generation is unknown, all are kept for inspection.
    if let Ok(Some(previous)) = previous {
        // This generation is published already. If older ones cannot be removed now, the next build
        // removes them.
        let _ = retention::keep_only(generations, |old| old == name || old == previous);
    }
    Ok(())
}

/// Acquires the lock of a folder of generations, which is created if it is missing.
pub(super) fn lock(generations: &Generations) -> Result<File> {
    let root = generations.root();
    durable::create_folders(root, generations.folder_mode)?;
    let lock_path = root.join(LOCK);
    let lock = durable::create(&lock_path, generations.file_mode)?;
    durable::try_lock(lock, &lock_path)?.ok_or_else(|| Error::Busy { path: root.to_owned() })
}

#[cfg(test)]
pub(super) mod tests;
