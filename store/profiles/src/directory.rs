//! Directory generations: users, domains and their members, and locked accounts.

mod builder;
mod generation;
mod key;

use serde::{Deserialize, Serialize};
use store::{Contents, DomainReference, UserReference};

pub use builder::DirectoryBuilder;
pub use generation::DirectoryGeneration;

/// The file of a generation that holds all keys.
const KEYS: &str = "keys.fst";

/// The contents of a directory generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectoryContents {
    /// The number of users.
    pub num_users: u64,
    /// The number of locked users.
    pub num_locked: u64,
    /// The number of domains.
    pub num_domains: u64,
    /// The number of pairs of a domain and a user who belongs to it.
    pub num_memberships: u64,
}

impl Contents for DirectoryContents {
    const KIND: &'static str = "directory";
    const COMMAND: &'static str = "mgdex directory load";
    const FORMAT: u32 = 1;
}

/// The role of a user in a domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Membership {
    /// The user is a member.
    pub is_member: bool,
    /// The user is a manager. A manager may also be a member.
    pub is_manager: bool,
}

/// An entry of a directory. Entries must be added in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DirectoryEntry {
    /// A user, and a flag that the account is locked.
    User(UserReference, bool),
    /// A domain.
    Domain(DomainReference),
    /// A user who belongs to a domain: as a member, as a manager, or both.
    Membership(DomainReference, UserReference, bool, bool),
}

#[cfg(test)]
mod tests;
