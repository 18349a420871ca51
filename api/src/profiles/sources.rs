//! Where profiles, rights and schemas come from.

pub(super) mod directory;
pub(super) mod local;
pub(super) mod opening;
pub(super) mod schema_source;
