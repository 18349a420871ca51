//! Opening and checking the database of a store.

use std::path::Path;

use store::engine::sled_file;
use store::{Error, Result};

use super::creation::Creation;
use super::folder::{self, Folder};
use crate::database::{Database, SyncFile};
use crate::keys;
use crate::record::{Damaged, Totals};

/// A store that is not served yet. All of its content is on the disk.
pub(crate) struct OpenedStore {
    /// Closed before the folder is unlocked.
    pub(crate) database: Database,
    pub(crate) totals: Totals,
    pub(crate) folder: Folder,
}

impl OpenedStore {
    pub(crate) fn open_or_create(root: &Path, sync: SyncFile) -> Result<Self> {
        let folder = Folder::lock(root)?;
        if !folder.has_database()? {
            Creation::begin(&folder)?.finish(&folder, Totals::default())?;
        }
        Self::open(folder, sync)
    }

    /// Opens the store in a folder, if it exists. Nothing is created.
    pub(crate) fn open_if_present(root: &Path, sync: SyncFile) -> Result<Option<Self>> {
        if !root.try_exists().map_err(Error::io("cannot read", root))? || !folder::holds_database(root)? {
            return Ok(None);
        }
        Self::open(Folder::lock(root)?, sync).map(Some)
    }

    pub(crate) fn open(folder: Folder, sync: SyncFile) -> Result<Self> {
        // The engine returns an error or panics on a database that it cannot read.
        let unreadable = |error| match error {
            Error::Altered { problem, .. } => folder.damaged(problem),
            error => error,
        };
        let database = Database::open(&folder.database(), sync).map_err(unreadable)?;
        let totals = database.get(keys::TOTALS).map_err(unreadable)?;
        let totals = totals.ok_or_else(|| folder.damaged("it is torn: it is empty".into()))?;
        let totals = Totals::read(&totals).map_err(|Damaged| folder.damaged("its totals are damaged".into()))?;
        let (commit, expected) = (totals.commit, database.mark.read());
        if commit < expected {
            return Err(folder.damaged(format!("it is torn: its last commit is {commit}, and it had {expected}")));
        }
        database.mark.write(commit);
        Ok(Self { database, totals, folder })
    }

    /// Closes the store, and returns its folder, still locked.
    pub(crate) fn close(self) -> Result<Folder> {
        let Self { database, folder, .. } = self;
        drop(database);
        sled_file::wait_until_closed(&folder.database())?;
        Ok(folder)
    }
}
