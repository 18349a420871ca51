//! Replicas over an object store, profiles in PostgreSQL, and traces. A build without the feature
//! `distributed` knows their options, but refuses them.

mod arguments;
#[cfg(not(feature = "distributed"))]
mod disabled;
#[cfg(feature = "distributed")]
mod enabled;
mod refused_options;

pub(crate) use arguments::{DatabaseArguments, FollowArguments, PublishArguments};
#[cfg(not(feature = "distributed"))]
pub(crate) use disabled::{DatabaseAddress, Followers, ReachedDatabase, Traces, open_database, publish, published};
#[cfg(feature = "distributed")]
pub(crate) use enabled::{DatabaseAddress, Followers, ReachedDatabase, Traces, open_database, publish, published};
pub(crate) use refused_options::{marked, permit_setting, permit_table, refusal};
