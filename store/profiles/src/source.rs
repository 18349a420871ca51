//! The interface of a store for the servers.

use async_trait::async_trait;
use futures_core::stream::BoxStream;
use store::{Error, Owner, ProfileReference, UserReference};

use super::{Permission, Profile, ProfileWrite, ProfilesState, Refusal, SearchKey, WriteResult};
use crate::{SchemaError, SchemaLimits};

/// The reason why a store did not execute a request.
#[derive(Debug, thiserror::Error)]
pub enum ProfileFault {
    /// The store rejected a write. Nothing was changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store is busy.
    #[error("the store is busy")]
    Overloaded,
    /// The store failed, or has no space to write safely.
    #[error(transparent)]
    Failed(#[from] Error),
    /// The store cannot be reached, or cannot write at the moment. Nothing was changed.
    #[error("the store of profiles is unavailable: {0}")]
    Unavailable(String),
    /// The connection to the store was lost while a write was committed: it may have been written.
    #[error("it is unknown whether the write was committed: {0}")]
    Unknown(String),
}

/// A store of profiles, embedded or on a network. All returned data are durable.
#[async_trait]
pub trait ProfileSource: Send + Sync + 'static {
    /// Returns a profile.
    async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault>;

    /// Returns the profile of an owner.
    async fn find(&self, owner: Owner) -> Result<Option<Profile>, ProfileFault>;

    /// Returns the users whose own profile has an attribute with this value, ascending, at most
    /// `limit`.
    async fn search(&self, key: SearchKey, value: String, limit: usize) -> Result<Vec<UserReference>, ProfileFault>;

    /// Checks a schema for a caller. Only one schema of each caller is checked at a time. The
    /// caller waits at most a few seconds for its turn.
    async fn read_schema(
        &self,
        caller: UserReference,
        text: String,
        limits: SchemaLimits,
    ) -> Result<Result<(), SchemaError>, ProfileFault>;

    /// Writes a profile if it conforms to its schema. The write continues even if the caller no
    /// longer waits. `seen` is the stored profile that the caller has just read, and `permission`
    /// is checked right before the commit.
    async fn write(&self, write: ProfileWrite, seen: Option<Profile>, permission: Permission) -> WriteResult;

    /// Returns all profiles as of one moment, in pieces of JSON lines.
    async fn export(&self) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault>;

    /// Returns the counts of the store, and whether it still works.
    fn state(&self) -> ProfilesState;
}
