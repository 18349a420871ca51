//! Opening what is in the folder of a store.

use std::path::Path;

use super::creation::Creation;
use super::database::{Database, SyncFile};
use super::folder::{self, Folder};
use super::keys;
use super::record::{Damaged, Totals};
use crate::engine::sled_file;
use crate::{Error, Result};

/// A store of which nothing is served yet. All that is in it is on the disk.
pub(super) struct OpenedStore {
    /// The database. It is closed before the folder is unlocked.
    pub(super) database: Database,
    /// What is known of it as a whole.
    pub(super) totals: Totals,
    /// The locked folder.
    pub(super) folder: Folder,
}

impl OpenedStore {
    /// Opens the store in a folder, which is made if there is none.
    pub(super) fn open_or_create(root: &Path, sync: SyncFile) -> Result<Self> {
        let folder = Folder::lock(root)?;
        if !folder.has_database()? {
            Creation::begin(&folder)?.finish(&folder, Totals::default())?;
        }
        Self::open(folder, sync)
    }

    /// Opens the store in a folder, if there is one. Nothing is made.
    pub(super) fn open_if_present(root: &Path, sync: SyncFile) -> Result<Option<Self>> {
        if !root.try_exists().map_err(Error::io("cannot read", root))? || !folder::holds_database(root)? {
            return Ok(None);
        }
        Self::open(Folder::lock(root)?, sync).map(Some)
    }

    /// Opens the store in a folder that has one.
    pub(super) fn open(folder: Folder, sync: SyncFile) -> Result<Self> {
        // The engine's own words, or its panic, over a database of which nothing is known yet.
        let unreadable = |error| match error {
            Error::Altered { problem, .. } => folder.damaged(problem),
            error => error,
        };
        let database = Database::open(&folder.database(), sync).map_err(unreadable)?;
        let totals = database.get(keys::TOTALS).map_err(unreadable)?;
        let totals = totals.ok_or_else(|| folder.damaged("it is torn: it is empty".into()))?;
        let totals = Totals::read(&totals).map_err(|Damaged| folder.damaged("its totals are damaged".into()))?;
        let (commit, expected) = (totals.commit, database.marked());
        if commit < expected {
            return Err(folder.damaged(format!("it is torn: its last commit is {commit}, and it had {expected}")));
        }
        database.mark(commit);
        Ok(Self { database, totals, folder })
    }

    /// Closes the store, and gives its folder back, still locked.
    pub(super) fn close(self) -> Result<Folder> {
        let Self { database, folder, .. } = self;
        drop(database);
        sled_file::wait_until_closed(&folder.database())?;
        Ok(folder)
    }
}
