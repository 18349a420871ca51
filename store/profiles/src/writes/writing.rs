//! Writing in the embedded store: its own thread commits, the threads of the callers check against
//! schemas.

use std::future::ready;
use std::sync::{Arc, mpsc};

use store::{ProfileReference, UserReference};

use super::engine::{Attempt, ProfileBackend, WriteOutcome, WriteTurns};
use super::waiting::wait_for;
use super::write::{ProfileWrite, WriteResult};
use crate::commits::committer::{Message, Submission};
use crate::{AttributeChange, NewProfile, Permission, Precondition, Profile, ProfileFault, Profiles};
use crate::{SchemaError, SchemaLimits};

impl Profiles {
    /// Creates a profile, and returns it when it is on the disk.
    ///
    /// # Errors
    ///
    /// * The write is rejected, in this order: it is not permitted, the owner has a profile, a
    ///   limit, the schema.
    /// * The store failed or has no space.
    pub fn create(&self, profile: NewProfile, permission: &Permission) -> WriteResult {
        self.apply(&ProfileWrite::Create(profile.into_profile()), permission)
    }

    /// Changes the attributes of a profile, and returns it when that is on the disk. Changes of one
    /// profile are applied one after the other, each to the result of the previous one.
    ///
    /// # Errors
    ///
    /// * The write is rejected, in this order: it is not permitted, the profile does not exist, the
    ///   precondition, the attribute does not exist, a limit, the schema.
    /// * The store failed or has no space.
    pub fn change(
        &self,
        reference: ProfileReference,
        change: AttributeChange,
        precondition: Precondition,
        permission: &Permission,
    ) -> WriteResult {
        self.apply(&ProfileWrite::Change(reference, change, precondition), permission)
    }

    /// Erases a profile with its search entries and the copies that snapshots have of it, and
    /// returns its last state. Snapshots omit it from then on.
    ///
    /// # Errors
    ///
    /// * The write is rejected, in this order: it is not permitted, the profile does not exist, the
    ///   precondition.
    /// * The store failed or has no space.
    pub fn erase(
        &self,
        reference: ProfileReference,
        precondition: Precondition,
        permission: &Permission,
    ) -> WriteResult {
        self.apply(&ProfileWrite::Erase(reference, precondition), permission)
    }

    /// Writes a profile, and returns it when that is on the disk; see [`Profiles::create`],
    /// [`Profiles::change`] and [`Profiles::erase`].
    ///
    /// # Errors
    ///
    /// * The write is rejected, or the store failed or has no space.
    pub fn apply(&self, write: &ProfileWrite, permission: &Permission) -> WriteResult {
        wait_for(self.write(write, None, permission))
    }

    /// Reads a schema. Returns `None` if other schemas keep the store busy for too long.
    pub fn read_schema(
        &self,
        caller: UserReference,
        text: &str,
        limits: SchemaLimits,
    ) -> Option<Result<(), SchemaError>> {
        self.checks.read(caller, text, limits)
    }

    pub(crate) fn submit(
        &self,
        write: ProfileWrite,
        checked: Option<Profile>,
        permission: &Permission,
    ) -> Result<WriteOutcome, ProfileFault> {
        let (answer, answered) = mpsc::sync_channel(1);
        let submission = Submission { write, checked, permission: Arc::clone(permission), answer };
        self.committer.send(Message::Write(Box::new(submission))).map_err(|_| self.ended())?;
        answered.recv().unwrap_or_else(|_| Err(self.ended().into()))
    }
}

/// Its futures block, and are ready when they return.
impl ProfileBackend for Profiles {
    fn turns(&self) -> &WriteTurns {
        &self.turns
    }

    /// The committing thread evaluates writes one after the other, each on the result of the
    /// previous ones, so no write is overtaken.
    fn attempt(&self, attempt: Attempt<'_>) -> impl Future<Output = Result<WriteOutcome, ProfileFault>> {
        ready(self.submit(attempt.write.clone(), attempt.checked, attempt.permission))
    }

    fn check(&self, profile: Profile) -> impl Future<Output = WriteResult> {
        ready(self.checks.check(&profile).map(|()| profile).map_err(ProfileFault::from))
    }
}
