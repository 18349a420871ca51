//! What serves several machines: replicas over an object store, profiles in PostgreSQL, and traces. Only builds with the feature `distributed` have it; the
//! others know its options, and refuse them.

#[cfg(not(feature = "distributed"))]
mod absent;
mod arguments;
mod lacking;
#[cfg(feature = "distributed")]
mod present;

#[cfg(not(feature = "distributed"))]
pub(crate) use absent::{DatabaseAddress, Followers, ReachedDatabase, Traces, open_database, publish, published};
pub(crate) use arguments::{DatabaseArguments, FollowArguments, PublishArguments};
pub(crate) use lacking::{marked, permit_setting, permit_table, used};
#[cfg(feature = "distributed")]
pub(crate) use present::{DatabaseAddress, Followers, ReachedDatabase, Traces, open_database, publish, published};
