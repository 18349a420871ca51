//! The store of profiles: the one store that people write to.

mod attributes;
mod commits;
mod copies;
mod database;
mod files;
mod import;
mod keys;
mod profile;
mod record;
mod search;
mod snapshot;
mod source;
mod store;
mod watch;
mod writes;

pub use attributes::Attributes;
pub use commits::room::FREE_BYTES_MIN as PROFILES_FREE_BYTES_MIN;
pub use import::{ExportLine, Imported, ProfilesImport, export_lines};
pub use profile::{Profile, ProfileSchema};
pub use record::PROFILE_BYTES_MAX;
pub use search::SearchKey;
pub use snapshot::ProfileSnapshot;
pub use source::{ProfileFault, ProfileSource};
pub use store::{Profiles, ProfilesConfig, ProfilesState};
pub use writes::engine::{Attempt, ProfileBackend, WriteOutcome, WriteTurns};
pub use writes::rules::Evaluated;
pub use writes::schema_checks::SchemaChecks;
pub use writes::write::{
    AttributeChange, Authority, NewProfile, Permission, Precondition, ProfileWrite, Refusal, WriteResult, is_permitted,
};

#[cfg(test)]
mod tests;
