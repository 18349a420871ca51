//! The opened store.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use store::{Error, ErrorSummary, Owner, ProfileReference, Result, UserReference, lock};

use super::commits::committer::{self, Committer, Message};
use super::commits::durability::Durability;
use super::commits::shared::{Shared, Stored};
use super::copies::Copies;
use super::database::SyncFile;
use super::files::opening::OpenedStore;
use super::files::verify;
use super::watch::Watch;
use super::writes::engine::WriteTurns;
use super::{Profile, ProfileSnapshot, SchemaChecks, SearchKey, keys};

/// Counts since the store was opened, and the failure that ended it.
#[derive(Clone, Debug, Default)]
pub struct ProfilesState {
    /// The number of profiles.
    pub num_profiles: u64,
    /// The number of acknowledged writes.
    pub num_writes: u64,
    /// The number of commits. Each has one or more writes, and is synced once.
    pub num_commits: u64,
    /// The reason why the store no longer works.
    pub failure: Option<ErrorSummary>,
    /// The reason why writes are rejected for now, except for lack of space. Reads are answered.
    pub unwritable: Option<ErrorSummary>,
}

/// Settings of the store.
#[derive(Clone, Copy, Debug)]
pub struct ProfilesConfig {
    /// The most attributes of a profile. Lowering the limit locks no profile: one with too many
    /// attributes can still be changed, unless the change adds attributes.
    pub attributes_max: usize,
}

/// The profiles of users and domains, in a database that one process at a time can open.
///
/// A write returns when it is on the disk: all waiting writes are committed together. All data that
/// are read are on the disk too. Calls block, writes as long as the disk takes.
///
/// ```
/// use std::sync::Arc;
/// use store::Owner;
/// use store_profiles::{AttributeChange, NewProfile, Permission, Precondition, Profiles, ProfilesConfig};
///
/// let folder = tempfile::tempdir()?;
/// let profiles = Profiles::open(folder.path(), ProfilesConfig { attributes_max: 200 })?;
/// let owner = Owner::User("usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4".parse()?);
/// let attributes = [("name", "Ada")].into_iter().collect();
/// let always: Permission = Arc::new(|| true);
/// let created = profiles.create(NewProfile { owner, schema: None, attributes }, &always)?;
///
/// let change = AttributeChange::Merge([("zip", "12345")].into_iter().collect());
/// let only_this_version = Precondition::IsOneOf(vec![created.version]);
/// let changed = profiles.change(created.reference, change, only_this_version, &always)?;
/// assert_eq!(profiles.get(created.reference)?, Some(changed));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Profiles {
    pub(super) shared: Arc<Shared>,
    pub(super) checks: SchemaChecks,
    pub(super) turns: WriteTurns,
    pub(super) committer: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    stall_watch: Option<Watch>,
}

impl Profiles {
    /// Opens the store in a folder, which is created if it is missing or empty.
    ///
    /// # Errors
    ///
    /// * Another process has it open.
    /// * The folder has other content, or a torn store.
    pub fn open(folder: &Path, config: ProfilesConfig) -> Result<Self> {
        Self::open_with(folder, config, Box::new(File::sync_data))
    }

    /// Opens the store in a folder, or returns `None` if it does not exist. Nothing is created.
    pub fn open_existing(folder: &Path, config: ProfilesConfig) -> Result<Option<Self>> {
        let store = OpenedStore::open_if_present(folder, Box::new(File::sync_data))?;
        store.map(|store| Self::start(store, config)).transpose()
    }

    pub(super) fn open_with(folder: &Path, config: ProfilesConfig, sync: SyncFile) -> Result<Self> {
        Self::start(OpenedStore::open_or_create(folder, sync)?, config)
    }

    fn start(store: OpenedStore, config: ProfilesConfig) -> Result<Self> {
        let OpenedStore { database, totals, folder } = store;
        let copies = Copies::open(&database)?;
        let shared = Arc::new(Shared {
            database,
            durability: Durability::new(totals.commit),
            num_erasing_commits: AtomicU64::new(0),
            done: Mutex::new(ProfilesState { num_profiles: totals.num_profiles, ..ProfilesState::default() }),
            folder,
        });
        let stall_watch = committer::watch_for_stalls(Arc::clone(&shared))?;
        let (sender, messages) = mpsc::channel();
        let committer = Committer::new(Arc::clone(&shared), messages, config, totals, copies);
        let thread = thread::Builder::new().name("profiles-commit".into()).spawn(move || committer.run());
        let thread = thread.map_err(Error::io("cannot start a thread for", shared.folder.root()))?;
        let (checks, turns) = (SchemaChecks::new(), WriteTurns::default());
        Ok(Self { shared, checks, turns, committer: sender, thread: Some(thread), stall_watch: Some(stall_watch) })
    }

    /// Reads the whole store in a folder, compares all checksums, owners and search entries, and
    /// returns the number of profiles: 0 if the store does not exist.
    ///
    /// # Errors
    ///
    /// * Another process has it open.
    /// * Its data are damaged or contradict each other.
    pub fn verify(folder: &Path) -> Result<u64> {
        match OpenedStore::open_if_present(folder, Box::new(File::sync_data))? {
            Some(store) => verify::verify(&store),
            None => Ok(0),
        }
    }

    /// Returns a profile.
    ///
    /// # Errors
    ///
    /// * The store failed, or the profile is damaged.
    pub fn get(&self, reference: ProfileReference) -> Result<Option<Profile>> {
        self.shared.durability.check()?;
        let Some(Stored { commit, profile, .. }) = self.shared.load(reference)? else { return Ok(None) };
        self.shared.durability.wait_for(commit)?;
        Ok(Some(profile))
    }

    /// Returns the profile of an owner.
    pub fn find(&self, owner: &Owner) -> Result<Option<Profile>> {
        self.shared.durability.check()?;
        let Some(reference) = self.shared.reference_of(owner)? else { return Ok(None) };
        match self.get(reference)? {
            Some(profile) => Ok(Some(profile)),
            None => Err(self.shared.folder.damaged(format!("the profile {reference} of {owner} is missing"))),
        }
    }

    /// Returns the users whose own profile has an attribute with this value, ascending, at most
    /// `limit`.
    pub fn search(&self, key: SearchKey, value: &str, limit: usize) -> Result<Vec<UserReference>> {
        let Shared { database, durability, folder, .. } = &*self.shared;
        durability.check()?;
        let found = database.keys(&keys::search_prefix(key, value), limit)?;
        let users: Option<Vec<UserReference>> = found.iter().map(|key| keys::user_of(key)).collect();
        durability.wait_for_readable()?;
        users.ok_or_else(|| folder.damaged("a search entry is damaged".into()))
    }

    /// Returns all profiles of this moment, without delaying writes.
    ///
    /// # Errors
    ///
    /// * The store failed.
    pub fn snapshot(&self) -> Result<ProfileSnapshot> {
        let (reply, handle) = mpsc::sync_channel(1);
        self.committer.send(Message::BeginSnapshot(reply)).map_err(|_| self.ended())?;
        let handle = handle.recv().map_err(|_| self.ended())??;
        Ok(ProfileSnapshot::new(Arc::clone(&self.shared), self.committer.clone(), handle))
    }

    /// Returns the counts and the state of the store.
    pub fn state(&self) -> ProfilesState {
        let done = lock(&self.shared.done).clone();
        let failure = self.shared.durability.failure();
        let failure = failure.map(|problem| ErrorSummary::from(&Error::ProfilesFailed(problem.to_owned())));
        ProfilesState { failure, ..done }
    }

    pub(super) fn ended(&self) -> Error {
        let problem = self.shared.durability.failure().unwrap_or("the committing thread ended");
        Error::ProfilesFailed(problem.to_owned())
    }
}

impl Drop for Profiles {
    fn drop(&mut self) {
        let _ = self.committer.send(Message::Close);
        if let Some(thread) = self.thread.take() {
            // A panic of the engine has become a failure.
            let _ = thread.join();
        }
        self.stall_watch = None;
        // The mark was written with the last commit. If it cannot be synced, a torn file may go
        // unnoticed later.
        let _ = self.shared.database.mark.sync();
    }
}
