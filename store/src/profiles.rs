//! The store of profiles: the one store that people write to.

mod attributes;
mod batch;
mod change;
mod committer;
mod copies;
mod creation;
mod database;
mod durability;
mod folder;
mod gathering;
mod import;
mod keys;
mod opening;
mod profile;
mod record;
mod room;
mod rules;
mod snapshot;
mod stall_watch;
mod store;
mod verify;

pub use attributes::Attributes;
pub use change::{AttributeChange, NewProfile, Precondition, Refusal, WriteError, WriteResult};
pub use import::{ImportProblem, ProfilesImport};
pub use profile::{Profile, ProfileSchema};
pub use snapshot::ProfileSnapshot;
pub use store::{PROFILE_BYTES_MAX, Profiles, ProfilesConfig, ProfilesState, SearchKey};

#[cfg(test)]
mod tests;
