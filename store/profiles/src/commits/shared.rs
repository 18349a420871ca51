//! State shared by the committer and readers.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use sled::IVec;
use store::{Owner, ProfileReference, Result};

use super::durability::Durability;
use crate::database::Database;
use crate::files::folder::Folder;
use crate::record::{Damaged, Record};
use crate::{Profile, ProfilesState, keys};

/// State shared by the committer and readers. The database is closed before the folder is unlocked.
pub(crate) struct Shared {
    pub(crate) database: Database,
    pub(crate) durability: Durability,
    /// Only counts: `durability` knows whether the store has failed.
    pub(crate) done: Mutex<ProfilesState>,
    /// Commits that erased profiles, counted before they are acknowledged. Snapshots then check
    /// again the profiles that they have read ahead.
    pub(crate) num_erasing_commits: AtomicU64,
    pub(crate) folder: Folder,
}

/// A profile in the database, which may not be on the disk yet.
pub(crate) struct Stored {
    pub(crate) record: IVec,
    pub(crate) commit: u64,
    pub(crate) profile: Profile,
}

impl Shared {
    pub(crate) fn load(&self, reference: ProfileReference) -> Result<Option<Stored>> {
        let Some(record) = self.database.get(&keys::profile(reference))? else { return Ok(None) };
        let read = || {
            let Record { commit, line } = Record::read(&record)?;
            Ok((commit, Record { commit, line }.profile()?))
        };
        let (commit, profile) =
            read().map_err(|Damaged| self.folder.damaged(format!("the profile {reference} is damaged")))?;
        Ok(Some(Stored { record, commit, profile }))
    }

    pub(crate) fn reference_of(&self, owner: &Owner) -> Result<Option<ProfileReference>> {
        let Some(uuid) = self.database.get(&keys::owner(owner))? else { return Ok(None) };
        let reference = keys::reference(&uuid);
        let damaged = || self.folder.damaged(format!("the entry of {owner} has no reference"));
        reference.ok_or_else(damaged).map(Some)
    }
}
