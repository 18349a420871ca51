//! The implementation in a build with the feature.

mod database;
mod following;
mod publishing;

pub(crate) use api_traces::Traces;
pub(crate) use database::{ReachedDatabase, open_database};
pub(crate) use following::Followers;
pub(crate) use publishing::{publish, published};
pub(crate) use store_postgres::DatabaseAddress;
