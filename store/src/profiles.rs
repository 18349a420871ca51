//! The store of profiles: the one store that people write to.

mod attributes;
mod batch;
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
mod opening;
mod profile;
mod record;
mod room;
mod rules;
mod schema_checks;
mod schemas;
mod search;
mod shared;
mod snapshot;
mod source;
mod store;
mod turns;
mod verify;
mod watch;
mod write;
mod writing;

pub use attributes::Attributes;
pub use import::{ExportLine, ProfilesImport, export_lines};
pub use profile::{Profile, ProfileSchema};
pub use record::PROFILE_BYTES_MAX;
pub use room::FREE_BYTES_MIN as PROFILES_FREE_BYTES_MIN;
pub use rules::Evaluated;
pub use schema_checks::SchemaChecks;
pub use search::SearchKey;
pub use snapshot::ProfileSnapshot;
pub use source::{ProfileFault, ProfileSource};
pub use store::{Profiles, ProfilesConfig, ProfilesState};
pub use write::{
    AttributeChange, Authority, NewProfile, Permission, Precondition, Refusal, WriteError, WriteResult, is_permitted,
};

#[cfg(test)]
mod tests;
