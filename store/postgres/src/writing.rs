//! Writing: read, evaluate, and commit by one statement that has an effect only if nobody else came first.

use std::sync::Arc;

use store::{
    AttributeChange, Evaluated, NewProfile, Owner, Permission, Precondition, Profile, ProfileFault, ProfileReference,
    ProfilesConfig, Refusal, SchemaChecks, is_permitted,
};
use tokio::task::spawn_blocking;

use crate::changes::{Change, Changes};
use crate::connections::Connections;
use crate::lookup::Lookup;
use crate::row::{Columns, DELETE, INSERT, UPDATE};
use crate::together::Together;
use crate::turns::Turns;

/// How often a write is repeated because others came first. Writes of this server take turns, so that only those of other servers do.
const ATTEMPTS_MAX: usize = 100;

/// Whose writes take turns, once they got in the way of each other or are checked against a schema.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Subject {
    Profile(ProfileReference),
    NewProfileOf(Owner),
}

/// What is to be written. Changes and erasures have the profile as their caller has read it.
pub(crate) enum Write {
    Create(Profile),
    Change(Profile, AttributeChange, Precondition),
    Erase(Profile, Precondition),
}

enum Outcome {
    Written(Profile),
    /// Nothing was written: the profile has a schema, and exactly this outcome was not checked against it.
    Unchecked(Profile),
    /// Nothing was written: another write came first.
    Overtaken,
}

impl Write {
    pub(crate) fn creation(profile: NewProfile) -> Self {
        Self::Create(profile.into_profile())
    }

    /// Returns by how much it changes the number of profiles.
    pub(crate) fn growth(&self) -> i64 {
        match self {
            Self::Create(_) => 1,
            Self::Change(..) => 0,
            Self::Erase(..) => -1,
        }
    }

    /// Returns what is stored as far as the caller knows.
    fn seen(&self) -> Option<&Profile> {
        match self {
            Self::Create(_) => None,
            Self::Change(seen, ..) | Self::Erase(seen, _) => Some(seen),
        }
    }

    fn subject(&self) -> Subject {
        match self {
            Self::Create(profile) => Subject::NewProfileOf(profile.owner.clone()),
            Self::Change(seen, ..) | Self::Erase(seen, _) => Subject::Profile(seen.reference),
        }
    }
}

/// Writes profiles.
pub(crate) struct Writer {
    connections: Arc<Connections>,
    lookup: Arc<Lookup>,
    changes: Together<Changes>,
    turns: Turns<Subject>,
    checks: Arc<SchemaChecks>,
    config: ProfilesConfig,
}

impl Writer {
    pub(crate) fn new(
        connections: &Arc<Connections>,
        lookup: &Arc<Lookup>,
        checks: &Arc<SchemaChecks>,
        config: ProfilesConfig,
    ) -> Self {
        let changes = Together::new(Changes { connections: Arc::clone(connections) });
        let (connections, lookup, checks) = (Arc::clone(connections), Arc::clone(lookup), Arc::clone(checks));
        Self { connections, lookup, changes, turns: Turns::new(), checks, config }
    }

    /// Writes, checked against the schema of the profile if it has one.
    pub(crate) async fn write(&self, write: &Write, permission: &Permission) -> Result<Profile, ProfileFault> {
        let mut stored = write.seen().cloned();
        let mut checked = None;
        let mut turn = None;
        for _ in 0..ATTEMPTS_MAX {
            let outcome = self.attempt(write, stored, checked.take(), permission, turn.is_some()).await?;
            if let Outcome::Written(profile) = outcome {
                return Ok(profile);
            }
            if turn.is_none() {
                // The outcome may be another one when it is this task's turn.
                turn = Some(self.turns.wait(write.subject()).await);
            } else if let Outcome::Unchecked(outcome) = outcome {
                checked = Some(self.conforming(outcome).await?);
            }
            stored = self.read(write).await?;
        }
        Err(ProfileFault::Overloaded)
    }

    /// Reads what is stored now.
    async fn read(&self, write: &Write) -> Result<Option<Profile>, ProfileFault> {
        match write {
            Write::Create(profile) => self.lookup.find(&profile.owner).await,
            Write::Change(seen, ..) | Write::Erase(seen, _) => self.lookup.get(seen.reference).await,
        }
    }

    /// Writes if it is still permitted. Who has a turn waits for a row that another server is writing.
    async fn attempt(
        &self,
        write: &Write,
        stored: Option<Profile>,
        checked: Option<Profile>,
        permission: &Permission,
        has_turn: bool,
    ) -> Result<Outcome, ProfileFault> {
        let permitted = || if is_permitted(permission) { Ok(()) } else { Err(Refusal::NotPermitted) };
        permitted()?;
        let evaluated = match write {
            Write::Create(profile) => {
                let existing = stored.map(|stored| stored.reference);
                self.config.evaluate_creation(profile.clone(), existing, checked.as_ref())?
            }
            Write::Change(_, change, precondition) => {
                self.config.evaluate_change(stored, change.clone(), precondition, checked.as_ref())?
            }
            Write::Erase(_, precondition) => {
                let profile = stored.ok_or(Refusal::NoProfile)?;
                precondition.check(profile.version)?;
                Evaluated::Accepted { profile, line: Vec::new() }
            }
        };
        let (profile, line) = match evaluated {
            Evaluated::Accepted { profile, line } => (profile, line),
            Evaluated::Unchecked(profile) => return Ok(Outcome::Unchecked(profile)),
        };
        let columns = Columns::new(&profile, line);
        let audit = permission.audit_line(&profile);
        if let (Write::Change(..), false) = (write, has_turn) {
            let change = Change { columns, audit, permission: Arc::clone(permission) };
            let is_written = self.changes.ask(change).await??;
            return Ok(if is_written { Outcome::Written(profile) } else { Outcome::Overtaken });
        }
        let connection = self.connections.get().await?;
        // Waiting for a connection may have taken long.
        permitted()?;
        let Columns { reference, user, domain, version, line, email, name } = columns;
        let written = match write {
            Write::Create(_) => {
                self.connections
                    .commit(connection, INSERT, &[&reference, &audit, &version, &line, &email, &name, &user, &domain])
                    .await?
            }
            Write::Change(..) => {
                self.connections
                    .commit(connection, UPDATE, &[&reference, &audit, &version, &line, &email, &name])
                    .await?
            }
            Write::Erase(..) => self.connections.commit(connection, DELETE, &[&reference, &audit, &version]).await?,
        };
        Ok(if written.is_empty() { Outcome::Overtaken } else { Outcome::Written(profile) })
    }

    /// Checks an outcome against its schema, on a thread that may block, and returns it if it conforms.
    async fn conforming(&self, outcome: Profile) -> Result<Profile, ProfileFault> {
        let checks = Arc::clone(&self.checks);
        Ok(blocking(move || checks.check(&outcome).map(|()| outcome)).await?)
    }
}

/// Runs work on a thread that may block. A panic goes on in the caller.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    #[expect(clippy::disallowed_methods, reason = "the caller holds the permit of its request until this is done")]
    let task = spawn_blocking(work);
    match task.await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
