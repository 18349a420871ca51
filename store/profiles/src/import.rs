//! Creating a store from an export.

mod line;
mod lines;

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use sled::Batch;
use store::{Error, Result, available_bytes};

pub use self::lines::{ExportLine, export_lines};
use super::commits::room;
use super::database::Database;
use super::files::creation::Creation;
use super::files::folder::Folder;
use super::files::opening::OpenedStore;
use super::record::{Record, Totals};
use super::{Profile, keys};

/// The commit that all imported profiles belong to.
const COMMIT: u64 = 1;

const BATCH_PROFILES: u64 = 1000;

/// A batch of this size accepts no further profiles.
const BATCH_BYTES: usize = 2 << 20;

/// The outcome of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// The number of profiles. All were imported.
    All(u64),
    /// The number of rejected lines. Nothing was imported.
    Refused(u64),
}

/// A store that is being created from profiles of another store. It takes effect when it is
/// finished; if it is dropped before, nothing is left.
///
/// ```
/// use store_profiles::ProfilesImport;
///
/// let folder = tempfile::tempdir()?;
/// let line = r#"{"reference":"prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90","domain":"dom-x","version":3,"attributes":{"a":"1"}}"#;
/// let mut import = ProfilesImport::begin(folder.path())?;
/// let num_refused = import.add_lines("an example", line.as_bytes(), |number, why| panic!("line {number}: {why}"))?;
/// assert_eq!((num_refused, import.finish()?), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProfilesImport {
    creation: Creation,
    folder: Folder,
    batch: Batch,
    num_batch: u64,
    batch_bytes: usize,
    batch_keys: HashSet<Vec<u8>>,
    num_profiles: u64,
}

impl ProfilesImport {
    /// Begins an import into a folder, where it will replace an empty store.
    ///
    /// # Errors
    ///
    /// * The folder has profiles already, or other content.
    /// * Another process has the store open.
    /// * The disk is full or fails.
    pub fn begin(folder: &Path) -> Result<Self> {
        let mut folder = Folder::lock(folder)?;
        if folder.has_database()? {
            let store = OpenedStore::open(folder, Box::new(std::fs::File::sync_data))?;
            let num_profiles = store.totals.num_profiles;
            folder = store.close()?;
            if num_profiles > 0 {
                return Err(Error::ProfilesPresent { path: folder.root().to_owned(), num_profiles });
            }
        }
        Ok(Self {
            creation: Creation::begin(&folder)?,
            folder,
            batch: Batch::default(),
            num_batch: 0,
            batch_bytes: 0,
            batch_keys: HashSet::new(),
            num_profiles: 0,
        })
    }

    /// Adds a profile for each line of an export; blank lines are skipped. Calls `refuse` for each
    /// rejected line with its number, from 1, and the reason, and returns the number of rejected
    /// lines. `name` is the name of the input in errors.
    ///
    /// # Errors
    ///
    /// * The input cannot be read.
    /// * The disk is full or fails.
    pub fn add_lines(&mut self, name: &str, input: impl Read, mut refuse: impl FnMut(u64, &str)) -> Result<u64> {
        let mut num_refused = 0;
        for line in export_lines(input) {
            let ExportLine { number, profile } = line.map_err(Error::io("cannot read", Path::new(name)))?;
            let problem = match profile {
                Ok((profile, line)) => self.add_with_line(&profile, &line)?.err(),
                Err(problem) => Some(problem),
            };
            if let Some(problem) = problem {
                num_refused += 1;
                refuse(number, &problem);
            }
        }
        Ok(num_refused)
    }

    /// Adds a profile, or returns the reason why it is rejected.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    pub fn add(&mut self, profile: &Profile) -> Result<std::result::Result<(), String>> {
        match lines::line_of(profile) {
            Ok(line) => self.add_with_line(profile, &line),
            Err(problem) => Ok(Err(problem)),
        }
    }

    fn add_with_line(&mut self, profile: &Profile, line: &[u8]) -> Result<std::result::Result<(), String>> {
        let (key, owner_key) = (keys::profile(profile.reference), keys::owner(&profile.owner));
        if self.has(&key)? {
            return Ok(Err(format!("the profile {} already exists", profile.reference)));
        }
        if self.has(&owner_key)? {
            return Ok(Err(format!("{} already has a profile", profile.owner)));
        }
        for search in keys::searches(profile) {
            self.batch.insert(search, b"");
        }
        self.batch.insert(&*owner_key, profile.reference.as_bytes());
        self.batch.insert(&*key, Record { commit: COMMIT, line }.to_bytes());
        self.batch_keys.extend([key, owner_key]);
        self.num_batch += 1;
        self.batch_bytes += line.len();
        if self.num_batch >= BATCH_PROFILES || self.batch_bytes >= BATCH_BYTES {
            self.write()?;
        }
        Ok(Ok(()))
    }

    /// Waits until all profiles are on the disk, puts the store into place, and returns the number
    /// of profiles.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    pub fn finish(mut self) -> Result<u64> {
        self.write()?;
        let Self { creation, folder, num_profiles, .. } = self;
        creation.finish(&folder, Totals { commit: COMMIT, num_profiles })?;
        Ok(num_profiles)
    }

    fn has(&self, key: &[u8]) -> Result<bool> {
        Ok(self.batch_keys.contains(key) || self.database().get(key)?.is_some())
    }

    fn write(&mut self) -> Result<()> {
        let path = self.database().path();
        let free_bytes = available_bytes(path)?;
        if room::is_short(free_bytes) {
            return Err(room::error(self.folder.root(), free_bytes));
        }
        let batch = std::mem::take(&mut self.batch);
        self.database().apply(batch)?;
        self.num_profiles += self.num_batch;
        (self.num_batch, self.batch_bytes) = (0, 0);
        self.batch_keys.clear();
        Ok(())
    }

    fn database(&self) -> &Database {
        self.creation.database()
    }
}
