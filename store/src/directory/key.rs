//! The keys of a directory, and the flags that stand behind them.
//!
//! | key | flags |
//! |---|---|
//! | 0, the 16 bytes of the user's uuid | 1: locked |
//! | 1, the domain's reference | |
//! | 2, the domain's reference, 0, the 16 bytes of the user's uuid | 1: member, 2: manager |
//!
//! The bytes ascend as [`DirectoryEntry`] does: no letter of a reference is as small as the 0 behind it.

use super::{DirectoryContents, DirectoryEntry, Membership};
use crate::{DomainReference, UserReference};

/// The first byte of the key of a user.
const USER: u8 = 0;

/// The first byte of the key of a domain.
const DOMAIN: u8 = 1;

/// The first byte of the key of a membership.
const MEMBERSHIP: u8 = 2;

/// The flag of a locked user.
const IS_LOCKED: u64 = 1;

/// The flag of a member.
const IS_MEMBER: u64 = 1;

/// The flag of a manager.
const IS_MANAGER: u64 = 2;

/// Returns the key of a user.
pub(super) fn user_key(user: UserReference) -> [u8; 17] {
    let mut key = [USER; 17];
    key[1..].copy_from_slice(user.as_bytes());
    key
}

/// Returns the key of a domain.
pub(super) fn domain_key(domain: &DomainReference) -> Vec<u8> {
    [&[DOMAIN], domain.as_str().as_bytes()].concat()
}

/// Returns the key of what a user is to a domain.
pub(super) fn membership_key(domain: &DomainReference, user: UserReference) -> Vec<u8> {
    [&[MEMBERSHIP], domain.as_str().as_bytes(), &[0], user.as_bytes()].concat()
}

/// Tells whether the flags of a user say that the account is locked.
pub(super) fn is_locked(flags: u64) -> bool {
    flags & IS_LOCKED != 0
}

/// Returns what the flags of a membership say.
pub(super) fn membership_of(flags: u64) -> Membership {
    Membership { is_member: flags & IS_MEMBER != 0, is_manager: flags & IS_MANAGER != 0 }
}

/// Returns the key and the flags of an entry.
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
    /// Counts an entry by its key and flags, and returns `None` if it is none.
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
