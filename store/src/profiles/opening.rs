//! Opening what is in the folder of a store.

use std::path::Path;

use sled::Batch;

use super::creation::Creation;
use super::database::{Database, SyncFile};
use super::folder::{self, Folder};
use super::keys;
use super::record::{Damaged, Totals};
use crate::engine::sled_file;
use crate::{Error, Result};

/// How many copies for a snapshot are removed at a time.
pub(super) const REMOVED_MAX: usize = 256;

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
        let database = Database::open(&folder.database(), sync)?;
        let totals = database.get(keys::TOTALS)?.ok_or_else(|| folder.damaged("it is torn: it is empty".into()))?;
        let totals = Totals::read(&totals).map_err(|Damaged| folder.damaged("its totals are damaged".into()))?;
        folder.check_commit(totals.commit)?;
        // Left by snapshots of a process that was killed.
        while remove_copies(&database, keys::COPY)? {}
        database.make_durable()?;
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

/// Removes some copies whose keys begin with a prefix, and tells whether there may be more.
pub(super) fn remove_copies(database: &Database, prefix: &[u8]) -> Result<bool> {
    let keys = database.keys(prefix, REMOVED_MAX)?;
    let is_full = keys.len() == REMOVED_MAX;
    let mut batch = Batch::default();
    for key in keys {
        batch.remove(key);
    }
    database.apply(batch)?;
    Ok(is_full)
}
