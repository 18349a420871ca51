//! The opened store.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, SendError, Sender};
use std::thread::{self, JoinHandle};

use super::batch::Order;
use super::change::{Permission, WriteError, WriteResult};
use super::checking::Checker;
use super::committer::{Answer, Committer, Message, Shared, tell};
use super::copies::Copies;
use super::database::SyncFile;
use super::durability::Durability;
use super::limits::Limits;
use super::opening::OpenedStore;
use super::record::{Damaged, Record};
use super::schemas::Schemas;
use super::stall_watch;
use super::watch::Watch;
use super::{AttributeChange, Checked, NewProfile, Precondition, Profile, ProfileSnapshot, Refusal, keys, verify};
use crate::{Error, Owner, ProfileReference, Result, SchemaError, SchemaLimits, UserReference};

/// The largest profile: bytes of its line in an export.
pub const PROFILE_BYTES_MAX: usize = 224 << 10;

/// Settings of the store.
#[derive(Clone, Copy, Debug)]
pub struct ProfilesConfig {
    /// The most attributes that a profile may have.
    pub attributes_max: usize,
}

/// An attribute by which users can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKey {
    /// `email`, whatever the case of ASCII letters.
    Email,
    /// `name`, exactly.
    Name,
}

/// What the store has done since it was opened, and whether it still does.
#[derive(Clone, Debug, Default)]
pub struct ProfilesState {
    /// How many profiles there are. The number is stored with every commit.
    pub num_profiles: u64,
    /// Writes that were acknowledged.
    pub num_writes: u64,
    /// Commits, each of one or more writes, each synced once.
    pub num_commits: u64,
    /// Why it does not work any more.
    pub failure: Option<String>,
}

/// The profiles of users and domains, in a database that one process at a time can open.
///
/// A write is acknowledged when it is on the disk: all writes that wait are committed together. What is read is on the disk too.
///
/// Dropped, it answers the writes that wait, and closes the database.
pub struct Profiles {
    /// What the committer and those who read have in common.
    shared: Arc<Shared>,
    /// Checks writes to profiles with schemas.
    checker: Checker,
    /// The way to the committer.
    committer: Sender<Message>,
    /// The thread of the committer.
    thread: Option<JoinHandle<()>>,
    /// Tells clients of a commit that takes too long.
    watch: Option<Watch>,
}

impl Profiles {
    /// Opens the store in a folder, which is made if it is missing or empty.
    ///
    /// # Errors
    ///
    /// * Another process has it open.
    /// * The folder holds something else, or a torn store.
    pub fn open(folder: &Path, config: ProfilesConfig) -> Result<Self> {
        Self::open_with(folder, config, Box::new(File::sync_data))
    }

    /// Opens the store in a folder, or returns `None` if there is none. Nothing is made.
    ///
    /// # Errors
    ///
    /// * See [`Profiles::open`].
    pub fn open_existing(folder: &Path, config: ProfilesConfig) -> Result<Option<Self>> {
        let store = OpenedStore::open_if_present(folder, Box::new(File::sync_data))?;
        store.map(|store| Self::serve(store, config)).transpose()
    }

    /// Opens the store with a way of syncing its file.
    pub(super) fn open_with(folder: &Path, config: ProfilesConfig, sync: SyncFile) -> Result<Self> {
        Self::serve(OpenedStore::open_or_create(folder, sync)?, config)
    }

    /// Starts what serves an opened store.
    fn serve(store: OpenedStore, config: ProfilesConfig) -> Result<Self> {
        let OpenedStore { database, totals, folder } = store;
        let copies = Copies::of(&database)?;
        let shared = Arc::new(Shared {
            database,
            durability: Durability::new(totals.commit),
            num_profiles: AtomicU64::new(totals.num_profiles),
            num_writes: AtomicU64::new(0),
            num_commits: AtomicU64::new(0),
            folder,
        });
        let watch = stall_watch::start(Arc::clone(&shared))?;
        let (sender, messages) = mpsc::channel();
        let limits = Limits { attributes_max: config.attributes_max };
        let committer = Committer::new(Arc::clone(&shared), messages, limits, totals, copies);
        let thread = thread::Builder::new().name("profiles-commit".into()).spawn(move || committer.run());
        let thread = thread.map_err(Error::io("cannot start a thread for", shared.folder.root()))?;
        let checker = Checker { limits, schemas: Schemas::new() };
        Ok(Self { shared, checker, committer: sender, thread: Some(thread), watch: Some(watch) })
    }

    /// Reads the whole store in a folder, compares all checksums, owners and search entries, and returns how many profiles there are: none, if
    /// there is no store.
    ///
    /// # Errors
    ///
    /// * Another process has it open.
    /// * Something is damaged, or contradicts something else.
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
        let Shared { database, durability, folder, .. } = &*self.shared;
        durability.check()?;
        let Some(record) = database.get(&keys::profile(reference))? else { return Ok(None) };
        let damaged = |Damaged| folder.damaged(format!("the profile {reference} is damaged"));
        let record = Record::read(&record).map_err(damaged)?;
        let profile = record.profile().map_err(damaged)?;
        durability.wait_for(record.commit)?;
        Ok(Some(profile))
    }

    /// Returns the profile of an owner.
    ///
    /// # Errors
    ///
    /// * See [`Profiles::get`].
    pub fn find(&self, owner: &Owner) -> Result<Option<Profile>> {
        let Shared { database, durability, folder, .. } = &*self.shared;
        durability.check()?;
        let Some(uuid) = database.get(&keys::owner(owner))? else { return Ok(None) };
        let reference = keys::reference(&uuid)
            .ok_or_else(|| folder.damaged(format!("what is stored for {owner} is no reference")))?;
        match self.get(reference)? {
            Some(profile) => Ok(Some(profile)),
            None => Err(folder.damaged(format!("the profile {reference} of {owner} is missing"))),
        }
    }

    /// Returns the users whose own profile has an attribute with a value, ascending, `limit` at most.
    ///
    /// # Errors
    ///
    /// * See [`Profiles::get`].
    pub fn search(&self, key: SearchKey, value: &str, limit: usize) -> Result<Vec<UserReference>> {
        let Shared { database, durability, folder, .. } = &*self.shared;
        durability.check()?;
        let found = database.keys(&keys::search_prefix(key, value), limit)?;
        let users: Option<Vec<UserReference>> = found.iter().map(|key| keys::user_of(key)).collect();
        durability.wait_for_begun()?;
        users.ok_or_else(|| folder.damaged("a search entry is damaged".into()))
    }

    /// Reads a schema, and keeps it ready for the profile that is about to be made. It may take a while, in the thread of the caller: it compiles
    /// patterns, and holds the schema against that of all schemas.
    ///
    /// # Errors
    ///
    /// * It is no schema, or larger than the limits.
    pub fn read_schema(&self, text: &str, limits: SchemaLimits) -> std::result::Result<(), SchemaError> {
        self.checker.schemas.read(text, limits)
    }

    /// Checks a new profile as [`Profiles::create`] does, and against its schema. It may take a while, in the thread of the caller.
    ///
    /// # Errors
    ///
    /// * The profile is refused: its owner has one already, limits, schema.
    /// * The store failed.
    pub fn check_new(&self, profile: &NewProfile) -> std::result::Result<Checked, WriteError> {
        if let Some(there) = self.find(&profile.owner)? {
            return Err(Refusal::Exists(there.reference).into());
        }
        Ok(self.checker.new_profile(profile.clone())?)
    }

    /// Checks a change of a profile, as it is now, as [`Profiles::change`] does, and against its schema. It may take a while, in the thread of
    /// the caller. What it returns holds until the profile is changed.
    ///
    /// # Errors
    ///
    /// * The change is refused: no profile, precondition, no attribute, limits, schema.
    /// * The store failed.
    pub fn check(
        &self,
        reference: ProfileReference,
        change: &AttributeChange,
        precondition: &Precondition,
    ) -> std::result::Result<Checked, WriteError> {
        let profile = self.get(reference)?.ok_or(Refusal::NoProfile)?;
        Ok(self.checker.change(profile, change.clone(), precondition)?)
    }

    /// Makes a profile; `answer` is called when it is on the disk, or refused. That the owner has one already is looked at first, then limits.
    /// One with a schema must have been checked by [`Profiles::check_new`]: else it is [`WriteError::Unchecked`]. `answer` runs in the thread that
    /// writes: it must be quick, and ask for no snapshot.
    pub fn create(
        &self,
        profile: NewProfile,
        checked: Option<Checked>,
        permission: Permission,
        answer: impl FnOnce(WriteResult) + Send + 'static,
    ) {
        self.write(Order::Create(profile, checked), permission, Box::new(answer));
    }

    /// Changes the attributes of a profile; `answer` is called when the change is on the disk, or refused. Changes of a profile are applied one
    /// after the other, each to what the one before has left. The precondition is looked at first, then limits. The change of a profile with a
    /// schema must have been checked by [`Profiles::check`], and no other have come between: else it is [`WriteError::Unchecked`]. For
    /// `answer` see [`Profiles::create`].
    pub fn change(
        &self,
        reference: ProfileReference,
        change: AttributeChange,
        precondition: Precondition,
        checked: Option<Checked>,
        permission: Permission,
        answer: impl FnOnce(WriteResult) + Send + 'static,
    ) {
        self.write(Order::Change(reference, change, precondition, checked), permission, Box::new(answer));
    }

    /// Hands a write to the committer.
    fn write(&self, order: Order, permission: Permission, answer: Answer) {
        let message = Message::Write(order, permission, answer);
        if let Err(SendError(Message::Write(.., answer))) = self.committer.send(message) {
            tell(answer, Err(self.ended().into()));
        }
    }

    /// Returns all profiles as they are now, without holding up writes.
    ///
    /// # Errors
    ///
    /// * The store failed.
    pub fn snapshot(&self) -> Result<ProfileSnapshot> {
        let (reply, begun) = mpsc::sync_channel(1);
        self.committer.send(Message::BeginSnapshot(reply)).map_err(|_| self.ended())?;
        let begun = begun.recv().map_err(|_| self.ended())??;
        Ok(ProfileSnapshot::new(Arc::clone(&self.shared), self.committer.clone(), begun))
    }

    /// Returns what the store has done.
    pub fn state(&self) -> ProfilesState {
        let Shared { durability, num_profiles, num_writes, num_commits, .. } = &*self.shared;
        ProfilesState {
            num_profiles: num_profiles.load(Ordering::Relaxed),
            num_writes: num_writes.load(Ordering::Relaxed),
            num_commits: num_commits.load(Ordering::Relaxed),
            failure: durability.failure().map(str::to_owned),
        }
    }

    /// Returns the error for a committer that is gone.
    fn ended(&self) -> Error {
        let problem = self.shared.durability.failure().unwrap_or("the committing thread ended");
        Error::ProfilesFailed { problem: problem.to_owned() }
    }
}

#[cfg(test)]
impl Profiles {
    /// Returns what the tests look at or damage.
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }
}

impl Drop for Profiles {
    fn drop(&mut self) {
        let _ = self.committer.send(Message::Close);
        if let Some(thread) = self.thread.take() {
            // Its panics have become a failure.
            let _ = thread.join();
        }
        self.watch = None;
        // It was written with the last commit. Where it cannot be synced, only less is known of a file that is torn later.
        let _ = self.shared.database.sync_mark();
    }
}
