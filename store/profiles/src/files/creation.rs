//! Creating a database in a temporary folder, so that a killed process leaves either the whole
//! database or nothing.

use std::fs::{self, File};
use std::path::PathBuf;

use sled::Batch;
use store::engine::sled_file;
use store::{Error, Result};

use super::folder::Folder;
use crate::database::Database;
use crate::keys;
use crate::record::Totals;

/// A database that is being created. If it is dropped unfinished, nothing is left.
pub(crate) struct Creation {
    path: PathBuf,
    /// `None` once it is finished or dropped.
    database: Option<Database>,
}

impl Creation {
    pub(crate) fn begin(folder: &Folder) -> Result<Self> {
        let path = folder.new_temporary();
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        let mut creation = Self { path, database: None };
        creation.database = Some(Database::open(&creation.path, Box::new(File::sync_data))?);
        Ok(creation)
    }

    pub(crate) fn database(&self) -> &Database {
        self.database.as_ref().expect("it is taken out by finish and drop alone")
    }

    /// Closes the database, waits until it is completely on the disk, and moves it into the store.
    pub(crate) fn finish(mut self, folder: &Folder, totals: Totals) -> Result<()> {
        let mut batch = Batch::default();
        batch.insert(keys::TOTALS, totals.to_bytes());
        self.database().apply(batch)?;
        self.database().make_durable()?;
        self.database().mark.write(totals.commit);
        self.database = None;
        sled_file::wait_until_closed(&self.path)?;
        folder.adopt(&self.path)
    }
}

impl Drop for Creation {
    fn drop(&mut self) {
        self.database = None;
        // The folder is gone if it was finished. If it cannot be removed now, it is removed at the
        // next opening.
        let _ = fs::remove_dir_all(&self.path);
    }
}
