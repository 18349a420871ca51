//! Profiles in the embedded store.

use std::path::Path;
use std::sync::Arc;

use api_http::blocking::blocking;
use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use store::{Owner, ProfileReference, UserReference};
use store_profiles::{
    Permission, Profile, ProfileFault, ProfileSnapshot, ProfileSource, ProfileWrite, Profiles, ProfilesConfig,
    ProfilesState, SchemaError, SchemaLimits, SearchKey, WriteResult,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::{Instrument, Span};

use super::opening::Opening;

/// The most exports under way: during each one, the store copies the data that change.
const EXPORTS_MAX: usize = 4;

/// The least bytes of a piece of an export, except the last one. A piece is longer by one profile
/// at most.
const PIECE_BYTES: usize = 256 * 1024;

/// The profiles of a folder.
pub struct LocalProfiles {
    opening: Arc<Opening>,
    exports: Arc<Semaphore>,
}

struct Export {
    snapshot: ProfileSnapshot,
    _permit: OwnedSemaphorePermit,
}

impl LocalProfiles {
    /// Serves an opened store.
    pub fn new(profiles: Arc<Profiles>) -> Self {
        Self::from(Opening::done(profiles))
    }

    /// Opens the store in a folder. If that fails, every request is answered with a failure. If the
    /// disk was full, the store is opened once there is room.
    ///
    /// # Errors
    ///
    /// * Another process has the store open.
    pub fn open(folder: &Path, config: ProfilesConfig) -> store::Result<Self> {
        Opening::begin(folder, config).map(Self::from)
    }

    async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Profiles) -> T + Send + 'static,
    ) -> Result<T, ProfileFault> {
        let profiles = self.opening.get()?;
        Ok(blocking(move || ask(&profiles)).await)
    }
}

impl From<Arc<Opening>> for LocalProfiles {
    fn from(opening: Arc<Opening>) -> Self {
        Self { opening, exports: Arc::new(Semaphore::new(EXPORTS_MAX)) }
    }
}

#[async_trait]
impl ProfileSource for LocalProfiles {
    async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault> {
        Ok(self.ask(move |profiles| profiles.get(reference)).await??)
    }

    async fn find(&self, owner: Owner) -> Result<Option<Profile>, ProfileFault> {
        Ok(self.ask(move |profiles| profiles.find(&owner)).await??)
    }

    async fn search(&self, key: SearchKey, value: String, limit: usize) -> Result<Vec<UserReference>, ProfileFault> {
        Ok(self.ask(move |profiles| profiles.search(key, &value, limit)).await??)
    }

    async fn read_schema(
        &self,
        caller: UserReference,
        text: String,
        limits: SchemaLimits,
    ) -> Result<Result<(), SchemaError>, ProfileFault> {
        let read = self.ask(move |profiles| profiles.read_schema(caller, &text, limits)).await?;
        read.ok_or(ProfileFault::Overloaded)
    }

    async fn write(&self, write: ProfileWrite, _: Option<Profile>, permission: Permission) -> WriteResult {
        self.ask(move |profiles| profiles.apply(&write, &permission)).await?
    }

    async fn export(&self) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault> {
        let permit = Arc::clone(&self.exports).try_acquire_owned().map_err(|_| ProfileFault::Overloaded)?;
        let snapshot = self.ask(Profiles::snapshot).await??;
        let (export, span) = (Export { snapshot, _permit: permit }, Span::current());
        let pieces = stream::try_unfold(export, move |mut export| {
            let next = async {
                let read = move || export.next_piece().map(|piece| piece.map(|piece| (piece, export)));
                Ok(blocking(read).await?)
            };
            next.instrument(span.clone())
        });
        Ok(pieces.boxed())
    }

    fn state(&self) -> ProfilesState {
        self.opening.state()
    }
}

impl Export {
    fn next_piece(&mut self) -> store::Result<Option<Vec<u8>>> {
        let mut piece = Vec::new();
        while piece.len() < PIECE_BYTES {
            let Some(line) = self.snapshot.next() else { break };
            piece.extend_from_slice(&line?);
            piece.push(b'\n');
        }
        Ok((!piece.is_empty()).then_some(piece))
    }
}
