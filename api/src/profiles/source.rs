//! What the handlers know of the store.

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use store::{
    AttributeChange, NewProfile, Owner, Permission, Precondition, Profile, ProfileReference, ProfilesState, Refusal,
    SchemaError, SchemaLimits, SearchKey, UserReference,
};

/// Why a store gives no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProfileFault {
    /// It has too much to do.
    #[error("the store has too much to do")]
    Overloaded,
    /// There is no room to write safely; it goes on by itself when there is.
    #[error("{0}")]
    NoRoom(String),
    /// A write or a sync has failed, so that the store must be opened again.
    #[error("{0}")]
    Failed(String),
    /// Another fault of the store.
    #[error(transparent)]
    Fault(#[from] Box<dyn std::error::Error + Send + Sync>),
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteFault {
    /// The store refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store fails.
    #[error(transparent)]
    Fault(#[from] ProfileFault),
}

/// Where profiles are kept: an embedded store, or one behind a network. What a call returns is on the disk.
#[async_trait]
pub trait ProfileSource: Send + Sync + 'static {
    /// Returns a profile.
    async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault>;

    /// Returns the profile of an owner.
    async fn find(&self, owner: Owner) -> Result<Option<Profile>, ProfileFault>;

    /// Returns the users whose own profile has an attribute with a value, ascending, `limit` at most.
    async fn search(&self, key: SearchKey, value: String, limit: usize) -> Result<Vec<UserReference>, ProfileFault>;

    /// Reads a schema for a caller. That may take a while: a caller has one read at a time, and waits for a few seconds at most.
    async fn read_schema(
        &self,
        caller: UserReference,
        text: String,
        limits: SchemaLimits,
    ) -> Result<Result<(), SchemaError>, ProfileFault>;

    /// Makes a profile, if it conforms to its schema. What was handed to the store is written even if nobody waits for the answer any more.
    /// `permission` is asked right before that.
    async fn create(&self, profile: NewProfile, permission: Permission) -> Result<Profile, WriteFault>;

    /// Changes the attributes of a profile, likewise.
    async fn change(
        &self,
        reference: ProfileReference,
        change: AttributeChange,
        precondition: Precondition,
        permission: Permission,
    ) -> Result<Profile, WriteFault>;

    /// Returns all profiles at one moment: pieces of JSON lines.
    async fn export(&self) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault>;

    /// Returns what the store has done, and whether it still does.
    fn state(&self) -> ProfilesState;
}
