//! Writing: checks against schemas in the threads of the callers, commits in a thread of the store.
//!
//! Checking attributes against a schema may take tenths of a second, during which the committing thread would hold up all other writes. So it
//! hands the outcome of a write back to the caller's thread, which checks it, and accepts exactly this outcome; if another write came in
//! between, it hands back the new outcome.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use super::write::Write;
use crate::profiles::commits::batch::{Answered, Outcome};
use crate::profiles::commits::committer::{Message, Submission};
use crate::profiles::{AttributeChange, NewProfile, Permission, Precondition, Profile, Profiles, Refusal, WriteResult};
use crate::{Owner, ProfileReference, SchemaError, SchemaLimits, UserReference};

/// Whose checks take turns.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    Profile(ProfileReference),
    NewProfileOf(Owner),
}

impl Profiles {
    /// Creates a profile, and returns it when it is on the disk.
    ///
    /// # Errors
    ///
    /// * The write is refused, in this order: it is not permitted, the owner has a profile, a limit, the schema.
    /// * The store failed or has no room.
    pub fn create(&self, profile: NewProfile, permission: &Permission) -> WriteResult {
        self.write(&Write::Create(profile.into_profile()), permission)
    }

    /// Changes the attributes of a profile, and returns it when that is on the disk. Changes of one profile are applied one after the other,
    /// each to what the previous one left.
    ///
    /// # Errors
    ///
    /// * The write is refused, in this order: it is not permitted, there is no such profile, the precondition, there is no such attribute, a
    ///   limit, the schema.
    /// * The store failed or has no room.
    pub fn change(
        &self,
        reference: ProfileReference,
        change: AttributeChange,
        precondition: Precondition,
        permission: &Permission,
    ) -> WriteResult {
        self.write(&Write::Change(reference, change, precondition), permission)
    }

    /// Erases a profile with its search entries and the copies that snapshots have of it, and returns it as it was. Snapshots leave it out from then
    /// on.
    ///
    /// # Errors
    ///
    /// * The write is refused, in this order: it is not permitted, there is no such profile, the precondition.
    /// * The store failed or has no room.
    pub fn erase(
        &self,
        reference: ProfileReference,
        precondition: Precondition,
        permission: &Permission,
    ) -> WriteResult {
        self.write(&Write::Erase(reference, precondition), permission)
    }

    /// Reads a schema, and keeps it ready for the profile that is about to be created. Returns `None` if other schemas keep the store busy
    /// for too long.
    pub fn read_schema(
        &self,
        caller: UserReference,
        text: &str,
        limits: SchemaLimits,
    ) -> Option<Result<(), SchemaError>> {
        self.checks.read(caller, text, limits)
    }

    /// Submits a write, checked against the schema of its profile if it has one.
    fn write(&self, write: &Write, permission: &Permission) -> WriteResult {
        let mut checked = None;
        let mut turn = None;
        loop {
            let outcome = match self.submit(write.clone(), checked.take(), permission)? {
                Outcome::Written(profile) => return Ok(profile),
                Outcome::Unchecked(outcome) => outcome,
            };
            if turn.is_some() {
                self.check(&outcome)?;
                checked = Some(outcome);
            } else {
                let subject = match write {
                    Write::Create(profile) => Subject::NewProfileOf(profile.owner.clone()),
                    Write::Change(reference, ..) | Write::Erase(reference, _) => Subject::Profile(*reference),
                };
                // The outcome may be another one when it is this caller's turn.
                turn = self.subjects.wait(subject, Duration::MAX);
            }
        }
    }

    pub(crate) fn submit(&self, write: Write, checked: Option<Profile>, permission: &Permission) -> Answered {
        let (answer, answered) = mpsc::sync_channel(1);
        let submission = Submission { write, checked, permission: Arc::clone(permission), answer };
        self.committer.send(Message::Write(Box::new(submission))).map_err(|_| self.ended())?;
        answered.recv().unwrap_or_else(|_| Err(self.ended().into()))
    }

    pub(crate) fn check(&self, outcome: &Profile) -> Result<(), Refusal> {
        self.checks.check(outcome)
    }
}
