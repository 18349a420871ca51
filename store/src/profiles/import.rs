//! Making a store of the lines of an export.

use std::collections::HashSet;
use std::path::Path;

use sled::Batch;

use super::creation::Creation;
use super::database::Database;
use super::folder::Folder;
use super::opening::OpenedStore;
use super::record::{self, Record, Totals};
use super::{PROFILE_BYTES_MAX, Profile, keys, room};
use crate::{Error, Owner, ProfileReference, Result, available_bytes};

/// The commit that all imported profiles are of.
const COMMIT: u64 = 1;

/// How many profiles are written at a time.
const BATCH_PROFILES: u64 = 1000;

/// So many bytes of profiles are written at a time at most.
const BATCH_BYTES: usize = 2 << 20;

/// Why a profile is not imported. Others can be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportProblem {
    /// There is a profile with this reference already.
    #[error("the profile {0} is there already")]
    Reference(ProfileReference),
    /// The owner has a profile already.
    #[error("{0} has a profile already")]
    Owner(Owner),
    /// It takes more bytes than this.
    #[error("it has more than {0} bytes")]
    TooLarge(usize),
    /// Its version is 0, or so large that it could not be counted on.
    #[error("the version {0} is impossible")]
    Version(u64),
}

/// A store that is being made of profiles from elsewhere. It takes its place when it is finished; dropped before, it leaves nothing.
pub struct ProfilesImport {
    /// The database.
    creation: Creation,
    /// The locked folder that it will be in.
    folder: Folder,
    /// What is written next.
    batch: Batch,
    /// How many profiles that has.
    num_batch: u64,
    /// How many bytes of profiles that has.
    batch_bytes: usize,
    /// The keys of profiles and owners in it.
    batch_keys: HashSet<Vec<u8>>,
    /// How many profiles were added.
    num_profiles: u64,
}

impl ProfilesImport {
    /// Begins. An empty store that is there already is replaced in the end.
    ///
    /// # Errors
    ///
    /// * The folder holds profiles already, or something else.
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

    /// Adds a profile, or says why not.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    pub fn add(&mut self, profile: &Profile) -> Result<std::result::Result<(), ImportProblem>> {
        let line = record::line(profile);
        if line.len() > PROFILE_BYTES_MAX {
            return Ok(Err(ImportProblem::TooLarge(PROFILE_BYTES_MAX)));
        }
        if profile.version == 0 || i64::try_from(profile.version).is_err() {
            return Ok(Err(ImportProblem::Version(profile.version)));
        }
        let (key, owner_key) = (keys::profile(profile.reference), keys::owner(&profile.owner));
        if self.has(&key)? {
            return Ok(Err(ImportProblem::Reference(profile.reference)));
        }
        if self.has(&owner_key)? {
            return Ok(Err(ImportProblem::Owner(profile.owner.clone())));
        }
        for search in keys::searches(profile) {
            self.batch.insert(search, b"");
        }
        self.batch.insert(&*owner_key, profile.reference.as_bytes());
        self.batch.insert(&*key, Record { commit: COMMIT, line: &line }.to_bytes());
        self.batch_keys.extend([key, owner_key]);
        self.num_batch += 1;
        self.batch_bytes += line.len();
        if self.num_batch >= BATCH_PROFILES || self.batch_bytes >= BATCH_BYTES {
            self.write()?;
        }
        Ok(Ok(()))
    }

    /// Waits until all is on the disk, puts it into its place, and returns how many profiles there are.
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

    /// Tells whether there is a key.
    fn has(&self, key: &[u8]) -> Result<bool> {
        Ok(self.batch_keys.contains(key) || self.database().get(key)?.is_some())
    }

    /// Writes what was added.
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

    /// Returns the database.
    fn database(&self) -> &Database {
        self.creation.database()
    }
}
