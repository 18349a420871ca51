//! The tests of services that say most about a database.

pub(crate) mod backend;
#[allow(dead_code, reason = "the shared files have more than these tests use")]
pub(crate) mod profiles;
