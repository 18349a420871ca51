//! Profiles in PostgreSQL: the same promises as in the embedded store, and what only a database has.

mod database;
mod profiles;

/// Whether the profiles of these tests are in PostgreSQL.
pub(crate) const IN_POSTGRES: bool = true;
