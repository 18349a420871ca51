#![doc = include_str!("../README.md")]

mod attribute_schema;
mod attributes;
mod commits;
mod copies;
mod database;
mod directory;
mod embedded;
mod files;
mod import;
mod keys;
mod profile;
mod record;
mod search;
mod snapshot;
mod source;
mod unique_json;
mod watch;
mod writes;

pub use attribute_schema::{AttributeSchema, SchemaError, SchemaLimits, Violations};
pub use attributes::Attributes;
pub use commits::room::FREE_BYTES_MIN as PROFILES_FREE_BYTES_MIN;
pub use directory::{DirectoryBuilder, DirectoryContents, DirectoryEntry, DirectoryGeneration, Membership};
pub use embedded::{Profiles, ProfilesConfig, ProfilesState};
pub use import::{ExportLine, Imported, ProfilesImport, export_lines};
pub use profile::{Profile, ProfileSchema};
pub use record::PROFILE_BYTES_MAX;
pub use search::SearchKey;
pub use snapshot::ProfileSnapshot;
pub use source::{ProfileFault, ProfileSource};
pub use unique_json::UniqueJson;
pub use writes::engine::{Attempt, ProfileBackend, WriteOutcome, WriteTurns};
pub use writes::rules::Evaluated;
pub use writes::schema_checks::SchemaChecks;
pub use writes::write::{
    AttributeChange, Authority, NewProfile, Permission, Precondition, ProfileWrite, Refusal, WriteResult, is_permitted,
};

#[cfg(test)]
mod tests;
