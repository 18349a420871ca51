//! A store that is read, but not written to.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use store::{
    AttributeChange, NewProfile, Owner, Permission, Precondition, Profile, ProfileFault, ProfileReference,
    ProfileSource, ProfilesState, SchemaError, SchemaLimits, SearchKey, UserReference,
};

/// Profiles of another store that cannot be written to, while they are moved.
pub struct ReadOnlyProfiles(Arc<dyn ProfileSource>);

impl ReadOnlyProfiles {
    /// Shows the profiles of a store.
    pub fn new(profiles: Arc<dyn ProfileSource>) -> Self {
        Self(profiles)
    }
}

fn refused() -> ProfileFault {
    ProfileFault::Unavailable("profiles are read-only while they are moved".to_owned())
}

#[async_trait]
impl ProfileSource for ReadOnlyProfiles {
    async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault> {
        self.0.get(reference).await
    }

    async fn find(&self, owner: Owner) -> Result<Option<Profile>, ProfileFault> {
        self.0.find(owner).await
    }

    async fn search(&self, key: SearchKey, value: String, limit: usize) -> Result<Vec<UserReference>, ProfileFault> {
        self.0.search(key, value, limit).await
    }

    async fn read_schema(
        &self,
        _: UserReference,
        _: String,
        _: SchemaLimits,
    ) -> Result<Result<(), SchemaError>, ProfileFault> {
        Err(refused())
    }

    async fn create(&self, _: NewProfile, _: Permission) -> Result<Profile, ProfileFault> {
        Err(refused())
    }

    async fn change(
        &self,
        _: Profile,
        _: AttributeChange,
        _: Precondition,
        _: Permission,
    ) -> Result<Profile, ProfileFault> {
        Err(refused())
    }

    async fn erase(&self, _: Profile, _: Precondition, _: Permission) -> Result<Profile, ProfileFault> {
        Err(refused())
    }

    async fn export(&self) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault> {
        self.0.export().await
    }

    fn state(&self) -> ProfilesState {
        self.0.state()
    }
}
