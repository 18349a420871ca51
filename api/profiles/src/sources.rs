//! The sources of profiles, rights and schemas.

pub(super) mod directory;
pub(super) mod local;
pub(super) mod opening;
pub(super) mod schema_source;
