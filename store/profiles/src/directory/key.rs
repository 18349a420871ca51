//! The keys of a directory, and their flags.
//!
//! | key | flags |
//! |---|---|
//! | 0, the 16 bytes of the user's uuid | 1: locked |
//! | 1, the domain's reference | |
//! | 2, the domain's reference, 0, the 16 bytes of the user's uuid | 1: member, 2: manager |
//!
//! Keys are ordered like [`DirectoryEntry`]: all letters of a reference are greater than the 0
//! after it.

use store::{DomainReference, UserReference};

use super::{DirectoryContents, DirectoryEntry, Membership};

const USER: u8 = 0;

const DOMAIN: u8 = 1;

const MEMBERSHIP: u8 = 2;

const IS_LOCKED: u64 = 1;

const IS_MEMBER: u64 = 1;

const IS_MANAGER: u64 = 2;

pub(super) fn user_key(user: UserReference) -> [u8; 17] {
    let mut key = [USER; 17];
    key[1..].copy_from_slice(user.as_bytes());
    key
}

pub(super) fn domain_key(domain: &DomainReference) -> Vec<u8> {
    [&[DOMAIN], domain.as_str().as_bytes()].concat()
}

pub(super) fn membership_key(domain: &DomainReference, user: UserReference) -> Vec<u8> {
    [&[MEMBERSHIP], domain.as_str().as_bytes(), &[0], user.as_bytes()].concat()
}

pub(super) fn is_locked(flags: u64) -> bool {
    flags & IS_LOCKED != 0
}

pub(super) fn membership_of(flags: u64) -> Membership {
    Membership { is_member: flags & IS_MEMBER != 0, is_manager: flags & IS_MANAGER != 0 }
}

pub(super) fn key_and_flags(entry: &DirectoryEntry) -> (Vec<u8>, u64) {
    match entry {
        DirectoryEntry::User(user, is_locked) => (user_key(*user).into(), u64::from(*is_locked) * IS_LOCKED),
        DirectoryEntry::Domain(domain) => (domain_key(domain), 0),
        DirectoryEntry::Membership(domain, user, is_member, is_manager) => {
            (membership_key(domain, *user), u64::from(*is_member) * IS_MEMBER + u64::from(*is_manager) * IS_MANAGER)
        }
    }
}

impl DirectoryContents {
    /// Counts an entry, or returns `None` if its key or flags are invalid.
    pub(super) fn count(&mut self, key: &[u8], flags: u64) -> Option<()> {
        match *key.first()? {
            USER => {
                self.num_users += 1;
                self.num_locked += u64::from(is_locked(flags));
            }
            DOMAIN => self.num_domains += 1,
            MEMBERSHIP if membership_of(flags) != Membership::default() => self.num_memberships += 1,
            _ => return None,
        }
        Some(())
    }
}
