//! Profiles in the embedded store.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use store::{
    AttributeChange, NewProfile, Owner, Permission, Precondition, Profile, ProfileReference, ProfileSnapshot, Profiles,
    ProfilesState, SchemaError, SchemaLimits, SearchKey, UserReference, WriteError, WriteResult,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tracing::{Instrument, Span};

use super::source::{ProfileFault, ProfileSource, WriteFault};
use super::turns::Turns;
use crate::blocking::blocking;

/// How many exports may be under way: each makes the store keep what is changed meanwhile.
const EXPORTS_MAX: usize = 4;

/// How many bytes a piece of an export has at least, unless it is the last one. It has one profile more at most.
const PIECE_BYTES: usize = 256 * 1024;

/// How long a caller waits until a schema has been read.
const READING_WAIT_MAX: Duration = Duration::from_secs(5);

/// The profiles of a folder.
pub struct LocalProfiles {
    /// The store, or why it could not be opened.
    profiles: Result<Arc<Profiles>, String>,
    /// A permit for each export that may be under way.
    exports: Arc<Semaphore>,
    /// A permit for each schema that may be read or held against attributes at a time: half of the cores are for all the rest.
    checks: Arc<Semaphore>,
    /// Whose schema is read next, by the caller.
    readings: Turns<UserReference>,
    /// Who may change a profile with a schema next.
    changes: Turns<ProfileReference>,
    /// Who may make a profile with a schema next, by its owner.
    creations: Turns<Owner>,
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
        Self::of(Ok(profiles))
    }

    /// Answers every request by saying that the store failed: it could not be opened, for the reason given.
    pub fn unopened(problem: String) -> Self {
        Self::of(Err(problem))
    }

    /// Starts with nothing under way.
    fn of(profiles: Result<Arc<Profiles>, String>) -> Self {
        let num_cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            profiles,
            exports: Arc::new(Semaphore::new(EXPORTS_MAX)),
            checks: Arc::new(Semaphore::new((num_cores / 2).max(1))),
            readings: Turns::new(),
            changes: Turns::new(),
            creations: Turns::new(),
        }
    }

    /// Returns the store.
    fn store(&self) -> Result<&Arc<Profiles>, ProfileFault> {
        self.profiles.as_ref().map_err(|problem| ProfileFault::Failed(problem.clone()))
    }

    /// Reads where it may wait for the disk.
    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Profiles) -> store::Result<T> + Send + 'static,
    ) -> Result<T, ProfileFault> {
        let profiles = Arc::clone(self.store()?);
        Ok(blocking(move || read(&profiles)).await?)
    }

    /// Does something with a schema, which may take a while, where that holds up nothing else.
    async fn check<T: Send + 'static>(
        &self,
        check: impl FnOnce(&Profiles) -> T + Send + 'static,
    ) -> Result<T, ProfileFault> {
        let profiles = Arc::clone(self.store()?);
        // Nobody closes the semaphore.
        let permit = Arc::clone(&self.checks).acquire_owned().await.ok();
        let check = move || {
            let _held = permit;
            check(&profiles)
        };
        Ok(blocking(check).await)
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
            WriteError::Unchecked => Self::Fault(ProfileFault::Fault(Box::from(error))),
        }
    }
}

/// Hands a write to the store, and waits for what it comes to. No thread waits meanwhile.
async fn written(write: impl FnOnce(Box<dyn FnOnce(WriteResult) + Send>)) -> Result<WriteResult, ProfileFault> {
    let (answer, answered) = oneshot::channel();
    write(Box::new(move |result| {
        // Whoever does not wait any more has no use for it.
        let _ = answer.send(result);
    }));
    answered.await.map_err(|_| ProfileFault::Fault("the store never answered a write".into()))
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

    async fn read_schema(
        &self,
        caller: UserReference,
        text: String,
        limits: SchemaLimits,
    ) -> Result<Result<(), SchemaError>, ProfileFault> {
        let read = self.check(move |profiles| profiles.read_schema(&text, limits));
        let read = tokio::time::timeout(READING_WAIT_MAX, self.readings.take(caller, read));
        read.await.map_err(|_| ProfileFault::Overloaded)?
    }

    async fn create(&self, profile: NewProfile, permission: Permission) -> Result<Profile, WriteFault> {
        let store = self.store()?;
        if profile.schema.is_none() {
            return Ok(written(|answer| store.create(profile, None, permission, answer)).await??);
        }
        let owner = profile.owner.clone();
        let checked_and_written = async {
            let new = profile.clone();
            let checked = self.check(move |profiles| profiles.check_new(&new)).await??;
            Ok(written(|answer| store.create(profile, Some(checked), permission, answer)).await??)
        };
        self.creations.take(owner, checked_and_written).await
    }

    async fn change(
        &self,
        reference: ProfileReference,
        change: AttributeChange,
        precondition: Precondition,
        permission: Permission,
    ) -> Result<Profile, WriteFault> {
        let store = self.store()?;
        let order = Arc::new((change, precondition));
        let submit = |checked| {
            let (change, precondition) = (*order).clone();
            let permission = Arc::clone(&permission);
            written(move |answer| store.change(reference, change, precondition, checked, permission, answer))
        };
        match submit(None).await? {
            Err(WriteError::Unchecked) => {}
            result => return Ok(result?),
        }
        // It has a schema. In turn, so that nobody comes between a check and its submission.
        let checked_and_written = async {
            loop {
                let order = Arc::clone(&order);
                let check = move |profiles: &Profiles| profiles.check(reference, &order.0, &order.1);
                let checked = self.check(check).await??;
                match submit(Some(checked)).await? {
                    Err(WriteError::Unchecked) => {}
                    result => return Ok(result?),
                }
            }
        };
        self.changes.take(reference, checked_and_written).await
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
        let unopened = |problem: &String| ProfilesState { failure: Some(problem.clone()), ..ProfilesState::default() };
        self.profiles.as_ref().map_or_else(unopened, |profiles| profiles.state())
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

#[cfg(test)]
mod tests {
    use futures_util::future;
    use store::{ProfileSchema, ProfilesConfig, Refusal};

    use super::*;

    fn open(folder: &tempfile::TempDir) -> LocalProfiles {
        let config = ProfilesConfig { attributes_max: 200 };
        LocalProfiles::new(Arc::new(Profiles::open(folder.path(), config).expect("a store")))
    }

    fn anybody() -> Permission {
        Arc::new(|| true)
    }

    fn with_schema(schema: &str) -> NewProfile {
        NewProfile {
            owner: Owner::Domain("dom-x".parse().expect("a reference")),
            schema: Some(ProfileSchema { given: schema.to_owned(), fetched: None }),
            attributes: [("a", "1")].into_iter().collect(),
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_changes_at_once_all_that_conform_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let profiles = open(&folder);
        let made = profiles.create(with_schema(r#"{"maxProperties":11}"#), anybody()).await.expect("it conforms");
        let add = |number: usize| {
            let attributes = [(format!("k{number}"), "1")].into_iter().collect();
            profiles.change(made.reference, AttributeChange::Merge(attributes), Precondition::None, anybody())
        };
        let results = future::join_all((0..30).map(add)).await;
        let (written, refused): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        assert_eq!((written.len(), refused.len()), (10, 20));
        for refused in refused {
            assert!(matches!(refused, Err(WriteFault::Refused(Refusal::Invalid(_)))), "{refused:?}");
        }
        let stored = profiles.get(made.reference).await.expect("read").expect("there");
        assert_eq!((stored.version, stored.attributes.len()), (11, 11));
    }

    #[tokio::test]
    async fn of_profiles_made_at_once_one_is_written_if_it_conforms() {
        let folder = tempfile::tempdir().expect("a folder");
        let profiles = open(&folder);
        let refused = profiles.create(with_schema(r#"{"required":["b"]}"#), anybody()).await;
        assert!(matches!(refused, Err(WriteFault::Refused(Refusal::Invalid(_)))), "{refused:?}");
        let results = future::join_all((0..8).map(|_| profiles.create(with_schema("{}"), anybody()))).await;
        let (made, refused): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        let [Ok(made)] = &made[..] else { panic!("one is made: {made:?}") };
        for refused in refused {
            let Err(WriteFault::Refused(Refusal::Exists(there))) = refused else { panic!("{refused:?}") };
            assert_eq!(there, made.reference);
        }
    }
}
