//! Profiles in the embedded store.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use store::{
    AttributeChange, NewProfile, Owner, Precondition, Profile, ProfileReference, ProfileSnapshot, Profiles,
    ProfilesState, SearchKey, UserReference, WriteError, WriteResult,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tracing::{Instrument, Span};

use super::source::{ProfileFault, ProfileSource, WriteFault};
use crate::blocking::blocking;

/// How many exports may be under way: each makes the store keep what is changed meanwhile.
const EXPORTS_MAX: usize = 4;

/// How many bytes a piece of an export has at least, unless it is the last one. It has one profile more at most.
const PIECE_BYTES: usize = 256 * 1024;

/// The profiles of a folder.
pub struct LocalProfiles {
    /// The store.
    profiles: Arc<Profiles>,
    /// A permit for each export that may be under way.
    exports: Arc<Semaphore>,
}

/// All profiles on their way out.
struct Export {
    /// Those that are still to be read.
    left: ProfileSnapshot,
    /// The place among the exports that are under way.
    _permit: OwnedSemaphorePermit,
}

impl LocalProfiles {
    /// Serves an opened store.
    pub fn new(profiles: Arc<Profiles>) -> Self {
        Self { profiles, exports: Arc::new(Semaphore::new(EXPORTS_MAX)) }
    }

    /// Reads where it may wait for the disk.
    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Profiles) -> store::Result<T> + Send + 'static,
    ) -> Result<T, ProfileFault> {
        let profiles = Arc::clone(&self.profiles);
        Ok(blocking(move || read(&profiles)).await?)
    }
}

impl From<store::Error> for ProfileFault {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::NoRoom { .. } => Self::NoRoom(error.to_string()),
            store::Error::ProfilesFailed { .. } => Self::Failed(error.to_string()),
            other => Self::Fault(Box::from(other)),
        }
    }
}

impl From<WriteError> for WriteFault {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(refusal) => Self::Refused(refusal),
            WriteError::Failed(error) => Self::Fault(error.into()),
        }
    }
}

/// Hands a write to the store, and waits for what it comes to. No thread waits meanwhile.
async fn written(write: impl FnOnce(Box<dyn FnOnce(WriteResult) + Send>)) -> Result<Profile, WriteFault> {
    let (answer, answered) = oneshot::channel();
    write(Box::new(move |result| {
        // Whoever does not wait any more has no use for it.
        let _ = answer.send(result);
    }));
    match answered.await {
        Ok(result) => Ok(result?),
        Err(_) => Err(ProfileFault::Fault("the store never answered a write".into()).into()),
    }
}

#[async_trait]
impl ProfileSource for LocalProfiles {
    async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault> {
        self.read(move |profiles| profiles.get(reference)).await
    }

    async fn find(&self, owner: Owner) -> Result<Option<Profile>, ProfileFault> {
        self.read(move |profiles| profiles.find(&owner)).await
    }

    async fn search(&self, key: SearchKey, value: String, limit: usize) -> Result<Vec<UserReference>, ProfileFault> {
        self.read(move |profiles| profiles.search(key, &value, limit)).await
    }

    async fn create(&self, profile: NewProfile) -> Result<Profile, WriteFault> {
        written(|answer| self.profiles.create(profile, answer)).await
    }

    async fn change(
        &self,
        reference: ProfileReference,
        change: AttributeChange,
        precondition: Precondition,
    ) -> Result<Profile, WriteFault> {
        written(|answer| self.profiles.change(reference, change, precondition, answer)).await
    }

    async fn export(&self) -> Result<BoxStream<'static, Result<Vec<u8>, ProfileFault>>, ProfileFault> {
        let permit = Arc::clone(&self.exports).try_acquire_owned().map_err(|_| ProfileFault::Overloaded)?;
        let left = self.read(Profiles::snapshot).await?;
        let (export, span) = (Export { left, _permit: permit }, Span::current());
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
        self.profiles.state()
    }
}

impl Export {
    /// Reads lines until the piece is long enough; `None` at the end.
    fn next_piece(&mut self) -> store::Result<Option<Vec<u8>>> {
        let mut piece = Vec::new();
        while piece.len() < PIECE_BYTES {
            let Some(line) = self.left.next() else { break };
            piece.extend_from_slice(&line?);
            piece.push(b'\n');
        }
        Ok((!piece.is_empty()).then_some(piece))
    }
}
