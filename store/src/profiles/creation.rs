//! Making a database: beside the place where it is to be, so that a killed process leaves either all of it or none.

use std::fs::{self, File};
use std::path::PathBuf;

use sled::Batch;

use super::database::Database;
use super::folder::Folder;
use super::keys;
use super::record::Totals;
use crate::engine::sled_file;
use crate::{Error, Result};

/// A database that is being made. Dropped unfinished, it leaves nothing behind.
pub(super) struct Creation {
    /// Its folder.
    path: PathBuf,
    /// Itself; gone when it is finished or dropped.
    database: Option<Database>,
}

impl Creation {
    /// Makes an empty database.
    pub(super) fn begin(folder: &Folder) -> Result<Self> {
        let path = folder.new_temporary();
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        let mut creation = Self { path, database: None };
        creation.database = Some(Database::open(&creation.path, Box::new(File::sync_data))?);
        Ok(creation)
    }

    /// Returns the database.
    pub(super) fn database(&self) -> &Database {
        self.database.as_ref().expect("it is taken out by finish and drop alone")
    }

    /// Closes the database, waits until all of it is on the disk, and puts it into its place.
    pub(super) fn finish(mut self, folder: &Folder, totals: Totals) -> Result<()> {
        let mut batch = Batch::default();
        batch.insert(keys::TOTALS, totals.to_bytes());
        self.database().apply(batch)?;
        self.database().make_durable()?;
        self.database().mark(totals.commit);
        self.database = None;
        sled_file::wait_until_closed(&self.path)?;
        folder.adopt(&self.path)
    }
}

impl Drop for Creation {
    fn drop(&mut self) {
        self.database = None;
        // Gone if it was finished. What cannot be removed now is removed at the next opening.
        let _ = fs::remove_dir_all(&self.path);
    }
}
