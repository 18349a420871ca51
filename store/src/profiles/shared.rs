//! What the committer and readers share.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use sled::IVec;

use super::database::Database;
use super::durability::Durability;
use super::folder::Folder;
use super::record::{Damaged, Record};
use super::{Profile, ProfilesState, keys};
use crate::{Owner, ProfileReference, Result};

/// What the committer and readers share. The database is closed before the folder is unlocked.
pub(super) struct Shared {
    pub(super) database: Database,
    pub(super) durability: Durability,
    /// Counts only: whether the store has failed is known to `durability`.
    pub(super) done: Mutex<ProfilesState>,
    /// Commits that erased profiles, counted before they are acknowledged. Snapshots look again at what they have read ahead.
    pub(super) num_erasing_commits: AtomicU64,
    pub(super) folder: Folder,
}

/// A profile in the database, which may not be on the disk yet.
pub(super) struct Stored {
    pub(super) record: IVec,
    pub(super) commit: u64,
    pub(super) profile: Profile,
}

impl Shared {
    pub(super) fn load(&self, reference: ProfileReference) -> Result<Option<Stored>> {
        let Some(record) = self.database.get(&keys::profile(reference))? else { return Ok(None) };
        let read = || {
            let Record { commit, line } = Record::read(&record)?;
            Ok((commit, Record { commit, line }.profile()?))
        };
        let (commit, profile) =
            read().map_err(|Damaged| self.folder.damaged(format!("the profile {reference} is damaged")))?;
        Ok(Some(Stored { record, commit, profile }))
    }

    pub(super) fn reference_of(&self, owner: &Owner) -> Result<Option<ProfileReference>> {
        let Some(uuid) = self.database.get(&keys::owner(owner))? else { return Ok(None) };
        let reference = keys::reference(&uuid);
        let damaged = || self.folder.damaged(format!("the entry of {owner} holds no reference"));
        reference.ok_or_else(damaged).map(Some)
    }
}
