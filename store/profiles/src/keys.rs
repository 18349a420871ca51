//! The keys of the database. The first byte is the kind.
//!
//! Copies for snapshots are last: they are removed in ascending order, so that the engine merges
//! their emptied pages with pages of small entries, never with pages of large profiles.

use store::{Owner, ProfileReference, UserReference};

use super::{Profile, SearchKey};

/// Begins the key of a profile; the bytes of its uuid follow. The value is a record, see
/// [`super::record`].
pub(super) const PROFILE: &[u8] = &[1];

/// Begins the key of a user with a profile; the bytes of the user's uuid follow. The value is the
/// uuid of the profile.
pub(super) const USER: &[u8] = &[2];

/// Begins the key of a domain with a profile; its reference follows. The value is the uuid of the
/// profile.
pub(super) const DOMAIN: &[u8] = &[3];

/// Begins the key of an attribute by which users are found; see [`search_prefix`]. The uuid of the
/// user follows, the value is empty.
pub(super) const SEARCH: &[u8] = &[4];

/// The key of the totals; see [`super::record::Totals`].
pub(super) const TOTALS: &[u8] = &[5];

/// Begins the key of the copy of a record; the number of the snapshot and the uuid of the profile
/// follow.
pub(super) const COPY: &[u8] = &[6];

pub(super) fn profile(reference: ProfileReference) -> Vec<u8> {
    [PROFILE, reference.as_bytes()].concat()
}

pub(super) fn profile_of(key: &[u8]) -> Option<ProfileReference> {
    reference(key.strip_prefix(PROFILE)?)
}

pub(super) fn reference(uuid: &[u8]) -> Option<ProfileReference> {
    uuid.try_into().ok().map(ProfileReference::from_bytes)
}

pub(super) fn owner(owner: &Owner) -> Vec<u8> {
    match owner {
        Owner::User(user) => [USER, user.as_bytes()].concat(),
        Owner::Domain(domain) => [DOMAIN, domain.as_str().as_bytes()].concat(),
    }
}

/// Returns the prefix of the search entries for a value: the attribute, and the digest of the
/// value.
pub(super) fn search_prefix(key: SearchKey, value: &str) -> Vec<u8> {
    let number = match key {
        SearchKey::Email => 1,
        SearchKey::Name => 2,
    };
    [SEARCH, &[number], &key.digest(value)].concat()
}

/// Returns the search entries of a profile. The list is empty if its owner is a domain.
pub(super) fn searches(profile: &Profile) -> Vec<Vec<u8>> {
    let Owner::User(user) = &profile.owner else { return Vec::new() };
    let found = SearchKey::ALL.into_iter().filter_map(|key| Some((key, profile.searched_by(key)?)));
    found.map(|(key, value)| [&search_prefix(key, value)[..], user.as_bytes()].concat()).collect()
}

pub(super) fn user_of(key: &[u8]) -> Option<UserReference> {
    key.last_chunk().copied().map(UserReference::from_bytes)
}

pub(super) fn copies(snapshot: u64) -> Vec<u8> {
    [COPY, &snapshot.to_be_bytes()].concat()
}

pub(super) fn snapshot_of(key: &[u8]) -> Option<u64> {
    key.strip_prefix(COPY)?.first_chunk().copied().map(u64::from_be_bytes)
}

pub(super) fn copy(snapshot: u64, reference: ProfileReference) -> Vec<u8> {
    [&copies(snapshot)[..], reference.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Attributes;

    #[test]
    fn users_are_found_by_email_and_name_and_domains_are_not() {
        let attributes: Attributes = [("name", "Ada"), ("email", "Ada@X.org"), ("zip", "1")].into_iter().collect();
        let user = UserReference::from_bytes([7; 16]);
        let mut profile = Profile {
            reference: ProfileReference::random(),
            owner: Owner::User(user),
            version: 1,
            schema: None,
            attributes,
        };
        let keys = searches(&profile);
        assert_eq!(keys.len(), 2);
        assert!(keys[0].starts_with(&search_prefix(SearchKey::Email, "aDA@x.ORG")));
        assert!(keys[1].starts_with(&search_prefix(SearchKey::Name, "Ada")));
        assert!(!keys[1].starts_with(&search_prefix(SearchKey::Name, "ada")));
        assert!(keys.iter().all(|key| user_of(key) == Some(user)));
        profile.owner = Owner::Domain("dom-x".parse().expect("a reference"));
        assert!(searches(&profile).is_empty());
    }
}
