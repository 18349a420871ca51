//! Replicas over an object store, profiles in PostgreSQL, and traces. A build without the feature
//! `distributed` knows their options, but refuses them.

#[cfg(not(feature = "distributed"))]
mod absent;
mod arguments;
mod lacking;
#[cfg(feature = "distributed")]
mod present;

#[cfg(not(feature = "distributed"))]
pub(crate) use absent::{DatabaseAddress, Followers, ReachedDatabase, Traces, open_database, publish, published};
pub(crate) use arguments::{DatabaseArguments, FollowArguments, PublishArguments};
pub(crate) use lacking::{marked, permit_setting, permit_table, refusal};
#[cfg(feature = "distributed")]
pub(crate) use present::{DatabaseAddress, Followers, ReachedDatabase, Traces, open_database, publish, published};
