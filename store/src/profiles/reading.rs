//! Reading single profiles.

use super::shared::{Shared, Stored};
use super::{Profile, Profiles, SearchKey, keys};
use crate::{Owner, ProfileReference, Result, UserReference};

impl Profiles {
    /// Returns a profile.
    ///
    /// # Errors
    ///
    /// * The store failed, or the profile is damaged.
    pub fn get(&self, reference: ProfileReference) -> Result<Option<Profile>> {
        self.shared.durability.check()?;
        let Some(Stored { commit, profile, .. }) = self.shared.load(reference)? else { return Ok(None) };
        self.shared.durability.wait_for(commit)?;
        Ok(Some(profile))
    }

    /// Returns the profile of an owner.
    pub fn find(&self, owner: &Owner) -> Result<Option<Profile>> {
        self.shared.durability.check()?;
        let Some(reference) = self.shared.reference_of(owner)? else { return Ok(None) };
        match self.get(reference)? {
            Some(profile) => Ok(Some(profile)),
            None => Err(self.shared.folder.damaged(format!("the profile {reference} of {owner} is missing"))),
        }
    }

    /// Returns the users whose own profile has an attribute with this value, ascending, at most `limit`.
    pub fn search(&self, key: SearchKey, value: &str, limit: usize) -> Result<Vec<UserReference>> {
        let Shared { database, durability, folder, .. } = &*self.shared;
        durability.check()?;
        let found = database.keys(&keys::search_prefix(key, value), limit)?;
        let users: Option<Vec<UserReference>> = found.iter().map(|key| keys::user_of(key)).collect();
        durability.wait_for_begun()?;
        users.ok_or_else(|| folder.damaged("a search entry is damaged".into()))
    }
}
