//! The interface of a store to those who serve it.

use async_trait::async_trait;
use futures_core::stream::BoxStream;

use super::{
    AttributeChange, NewProfile, Permission, Precondition, Profile, ProfilesState, Refusal, SearchKey, WriteError,
};
use crate::{Error, Owner, ProfileReference, SchemaError, SchemaLimits, UserReference};

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ProfileFault {
    /// The store refused a write. Nothing was changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store is busy.
    #[error("the store is busy")]
    Overloaded,
    /// The store failed, or has no room to write safely.
    #[error(transparent)]
    Failed(#[from] Error),
    /// The store cannot be reached, or cannot write at the moment. Nothing was changed.
    #[error("the store of profiles is unavailable: {0}")]
    Unavailable(String),
    /// The store was lost while a write was committed: it may have been written.
    #[error("it is unknown whether the write was committed: {0}")]
    Unknown(String),
}

impl From<WriteError> for ProfileFault {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(refusal) => Self::Refused(refusal),
            WriteError::Failed(error) => error.into(),
        }
    }
}

/// A store of profiles, embedded or behind a network. What a call returns is durable.
#[async_trait]
pub trait ProfileSource: Send + Sync + 'static {
    /// Returns a profile.
    async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault>;

    /// Returns the profile of an owner.
    async fn find(&self, owner: Owner) -> Result<Option<Profile>, ProfileFault>;

    /// Returns the users whose own profile has an attribute with this value, ascending, at most `limit`.
    async fn search(&self, key: SearchKey, value: String, limit: usize) -> Result<Vec<UserReference>, ProfileFault>;

    /// Checks a schema for a caller. Each caller has one schema checked at a time, and waits a few seconds for its turn at most.
    async fn read_schema(
        &self,
        caller: UserReference,
        text: String,
        limits: SchemaLimits,
    ) -> Result<Result<(), SchemaError>, ProfileFault>;

    /// Creates a profile if it conforms to its schema, for an owner who has none as far as the caller knows. The write goes on even if the caller
    /// no longer waits. `permission` is asked right before the commit.
    async fn create(&self, profile: NewProfile, permission: Permission) -> Result<Profile, ProfileFault>;

    /// Changes the attributes of a profile, under the same conditions. `seen` is the profile as the caller has just read it. It need not be the
    /// newest, but a store that begins with it has one question less to ask.
    async fn change(
        &self,
        seen: Profile,
        change: AttributeChange,
        precondition: Precondition,
        permission: Permission,
    ) -> Result<Profile, ProfileFault>;

    /// Erases a profile with all that is found by it, under the same conditions, and returns it as it was. An export that is under way leaves it
    /// out from then on.
    async fn erase(
        &self,
        seen: Profile,
        precondition: Precondition,
        permission: Permission,
    ) -> Result<Profile, ProfileFault>;

    /// Returns all profiles as of one moment, in pieces of JSON lines.
    async fn export(&self) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault>;

    /// Returns what the store has done, and whether it still works.
    fn state(&self) -> ProfilesState;
}
