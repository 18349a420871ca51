//! The store of profiles: the one store that people write to.

mod attributes;
mod batch;
mod change;
mod checking;
mod commit_mark;
mod committer;
mod copies;
mod creation;
mod database;
mod durability;
mod folder;
mod gathering;
mod import;
mod keys;
mod limits;
mod opening;
mod profile;
mod record;
mod room;
mod schemas;
mod snapshot;
mod stall_watch;
mod store;
mod verify;
mod watch;

pub use attributes::Attributes;
pub use change::{AttributeChange, NewProfile, Permission, Precondition, Refusal, WriteError, WriteResult};
pub use checking::Checked;
pub use import::{ImportProblem, ProfilesImport};
pub use profile::{Profile, ProfileSchema};
pub use room::FREE_BYTES_MIN as PROFILES_FREE_BYTES_MIN;
pub use snapshot::ProfileSnapshot;
pub use store::{PROFILE_BYTES_MAX, Profiles, ProfilesConfig, ProfilesState, SearchKey};

#[cfg(test)]
mod tests;
