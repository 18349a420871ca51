//! Directory generations: which users and domains there are, who belongs to which, and who is locked.

mod builder;
mod generation;
mod key;

use serde::{Deserialize, Serialize};

pub use builder::DirectoryBuilder;
pub use generation::DirectoryGeneration;

use crate::{Contents, DomainReference, UserReference};

/// The file of a generation that holds all keys.
const KEYS: &str = "keys.fst";

/// The contents of a directory generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectoryContents {
    /// How many users there are.
    pub num_users: u64,
    /// How many of them are locked.
    pub num_locked: u64,
    /// How many domains there are.
    pub num_domains: u64,
    /// How many users belong to how many domains, all together.
    pub num_memberships: u64,
}

impl Contents for DirectoryContents {
    const KIND: &'static str = "directory";
    const COMMAND: &'static str = "mgdex directory load";
    const FORMAT: u32 = 1;
    const OLDEST_FORMAT: u32 = 1;
}

/// What a user is to a domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Membership {
    /// They are among its users.
    pub is_member: bool,
    /// They are among its managers, who need not be members.
    pub is_manager: bool,
}

/// A fact of a directory. The order is that in which they must be added.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DirectoryEntry {
    /// There is a user; whether the account is locked.
    User(UserReference, bool),
    /// There is a domain.
    Domain(DomainReference),
    /// A user belongs to a domain: as a member, as a manager, or both.
    Membership(DomainReference, UserReference, bool, bool),
}

#[cfg(test)]
mod tests;
