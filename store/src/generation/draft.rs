//! A generation that is being built.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::manifest::{Contents, FileEntry, Manifest, Origin};
use super::{CURRENT, GenerationName, Generations, LOCK, durable, retention, seal};
use crate::{Error, Result};

/// A generation that is being built.
///
/// Dropped unpublished, one of [`Generations::begin`] leaves nothing behind, and one of [`Generations::resume_or_begin`] stays to be
/// continued.
#[derive(Debug)]
pub struct Draft {
    /// Where it will be published.
    generations: Generations,
    /// The uuid of the run.
    run: Uuid,
    /// The folder to write into.
    path: PathBuf,
    /// The folder for what the run writes for itself, of a draft that outlives the process.
    work: PathBuf,
    /// Whether it outlives the process.
    is_resumable: bool,
    /// Whether an earlier process began it.
    is_resumed: bool,
    /// Locked as long as the draft lives.
    _lock: File,
}

impl Draft {
    /// Takes the lock, removes what earlier builds left behind and makes an empty folder.
    pub(super) fn begin(generations: &Generations) -> Result<Self> {
        let lock = lock(generations)?;
        retention::clean(generations)?;
        Self::create(generations, lock, false)
    }

    /// Does the same, but continues the youngest unfinished draft if there is one; others are removed.
    pub(super) fn resume_or_begin(generations: &Generations) -> Result<Self> {
        let lock = lock(generations)?;
        retention::clean(generations)?;
        let mut unfinished = retention::unfinished(generations)?;
        let Some(run) = unfinished.pop() else { return Self::create(generations, lock, true) };
        for other in unfinished {
            retention::remove(generations, &generations.root().join(retention::unfinished_name(other)))?;
        }
        let path = generations.root().join(retention::unfinished_name(run));
        let work = generations.root().join(retention::work_name(run));
        durable::create_folders(&work)?;
        Ok(Self {
            generations: generations.clone(),
            run,
            path,
            work,
            is_resumable: true,
            is_resumed: true,
            _lock: lock,
        })
    }

    /// Makes an empty folder.
    fn create(generations: &Generations, lock: File, is_resumable: bool) -> Result<Self> {
        let run = Uuid::new_v4();
        let name =
            if is_resumable { retention::unfinished_name(run) } else { format!("{}{run}", retention::DRAFT_PREFIX) };
        let path = generations.root().join(name);
        DirBuilder::new().mode(generations.folder_mode()).create(&path).map_err(Error::io("cannot create", &path))?;
        let work = generations.root().join(retention::work_name(run));
        if is_resumable {
            durable::create_folders(&work)?;
        }
        Ok(Self { generations: generations.clone(), run, path, work, is_resumable, is_resumed: false, _lock: lock })
    }

    /// Returns the folder to write into.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder for what the run writes for itself and does not publish. Only a draft that outlives the process has one; it
    /// lives as long as the draft.
    pub fn work_path(&self) -> &Path {
        &self.work
    }

    /// Tells whether an earlier run began the draft, so that there may be something in it already.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Removes the draft with all that is in it, also one that could be continued.
    ///
    /// # Errors
    ///
    /// * A file cannot be removed.
    pub fn discard(self) -> Result<()> {
        retention::remove(&self.generations, &self.path)?;
        if self.is_resumable { retention::remove(&self.generations, &self.work) } else { Ok(()) }
    }

    /// Makes the generation current: whoever opens the current generation gets either the one before or this one, whole, also
    /// after a power cut at any moment. The one before is kept; older ones are removed.
    ///
    /// Files in `sealed` are as [`crate::seal_folder`] returned them, and are not read again. All others are sealed now.
    ///
    /// # Errors
    ///
    /// * A sealed file is missing or has another length.
    /// * A file cannot be written or synced. The generation before stays current.
    pub fn publish<C: Contents>(self, origin: Origin, contents: C, sealed: Vec<FileEntry>) -> Result<GenerationName> {
        let root = self.generations.root();
        let previous = self.generations.current();
        let permissions = seal::published_permissions(root)?;
        Manifest::seal(&self.path, (self.run, origin, contents), &permissions, sealed)?;
        let name = GenerationName(self.run);
        // All that may not fit on the disk is written before anything gets its final name.
        let next = self.generations.write_next(name)?;
        durable::rename(root, &self.path, &self.generations.path(name))?;
        durable::rename(root, &next, &root.join(CURRENT))?;
        // Where nobody knows which generation came before, all are kept: somebody has to look.
        if let Ok(Some(previous)) = previous {
            // The new one is published; what cannot be removed now is removed by the next build.
            let _ = retention::keep_only(&self.generations, |old| old == name || old == previous);
        }
        if self.is_resumable {
            let _ = retention::remove(&self.generations, &self.work);
        }
        Ok(name)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_resumable {
            // Gone if it was published; rubbish that cannot be removed now is removed by the next build.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Takes the lock of the folder of generations, which is made if need be.
pub(super) fn lock(generations: &Generations) -> Result<File> {
    let root = generations.root();
    if generations.is_private {
        durable::create_private_folder(root)?;
    } else {
        durable::create_folders(root)?;
    }
    let lock_path = root.join(LOCK);
    // Published files get the permissions that this one has.
    let lock = durable::create(&lock_path, generations.file_mode())?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(Error::Busy { path: root.to_owned() }),
        Err(TryLockError::Error(error)) => return Err(Error::io("cannot lock", &lock_path)(error)),
    }
    Ok(lock)
}

#[cfg(test)]
pub(super) mod tests;
