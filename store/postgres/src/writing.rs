//! Writing: read, evaluate, and commit by one statement that has an effect only if nobody else came first.

use std::sync::Arc;

use deadpool_postgres::Object;
use store::{
    AttributeChange, Evaluated, NewProfile, Owner, Permission, Precondition, Profile, ProfileFault, ProfileReference,
    ProfilesConfig, Refusal, SchemaChecks, is_permitted,
};
use tokio::task::spawn_blocking;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::connections::Connections;
use crate::row::{self, BY_DOMAIN, BY_REFERENCE, BY_USER, Columns, DELETE, INSERT, UPDATE};
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
    turns: Turns<Subject>,
    checks: Arc<SchemaChecks>,
    config: ProfilesConfig,
}

impl Writer {
    pub(crate) fn new(connections: Arc<Connections>, checks: Arc<SchemaChecks>, config: ProfilesConfig) -> Self {
        Self { connections, turns: Turns::new(), checks, config }
    }

    /// Writes, checked against the schema of the profile if it has one.
    pub(crate) async fn write(&self, write: &Write, permission: &Permission) -> Result<Profile, ProfileFault> {
        let mut checked = None;
        let mut turn = None;
        for attempt in 0..ATTEMPTS_MAX {
            let (connection, stored) = if attempt == 0 {
                (self.connections.get().await?, write.seen().cloned())
            } else {
                self.read(write).await?
            };
            let outcome = self.attempt(connection, write, stored, checked.take(), permission).await?;
            if let Outcome::Written(profile) = outcome {
                return Ok(profile);
            }
            if turn.is_none() {
                // The outcome may be another one when it is this task's turn.
                turn = Some(self.turns.wait(write.subject()).await);
            } else if let Outcome::Unchecked(outcome) = outcome {
                checked = Some(self.conforming(outcome).await?);
            }
        }
        Err(ProfileFault::Overloaded)
    }

    /// Reads what is stored now.
    async fn read(&self, write: &Write) -> Result<(Object, Option<Profile>), ProfileFault> {
        let (connection, rows) = match write {
            Write::Create(profile) => self.ask_by_owner(&profile.owner).await?,
            Write::Change(seen, ..) | Write::Erase(seen, _) => {
                self.connections.ask(BY_REFERENCE, &[&Uuid::from_bytes(*seen.reference.as_bytes())]).await?
            }
        };
        Ok((connection, row::profile(&rows)?))
    }

    async fn attempt(
        &self,
        connection: Object,
        write: &Write,
        stored: Option<Profile>,
        checked: Option<Profile>,
        permission: &Permission,
    ) -> Result<Outcome, ProfileFault> {
        if !is_permitted(permission) {
            return Err(Refusal::NotPermitted.into());
        }
        let evaluated = match write {
            Write::Create(profile) => {
                let existing = stored.map(|stored| stored.reference);
                self.config.evaluate_creation(profile.clone(), existing, checked.as_ref())?
            }
            Write::Change(_, change, precondition) => {
                self.config.evaluate_change(stored, change.clone(), precondition, checked.as_ref())?
            }
            Write::Erase(_, precondition) => {
                let stored = stored.ok_or(Refusal::NoProfile)?;
                precondition.check(stored.version)?;
                let Columns { reference, version, .. } = Columns::new(&stored, Vec::new());
                let audit = permission.audit_line(&stored);
                let is_erased = self.connections.commit(connection, DELETE, &[&reference, &audit, &version]).await?;
                return Ok(if is_erased { Outcome::Written(stored) } else { Outcome::Overtaken });
            }
        };
        let (profile, line) = match evaluated {
            Evaluated::Accepted { profile, line } => (profile, line),
            Evaluated::Unchecked(profile) => return Ok(Outcome::Unchecked(profile)),
        };
        let Columns { reference, user, domain, version, line, email, name } = Columns::new(&profile, line);
        let audit = permission.audit_line(&profile);
        let is_written = match write {
            Write::Create(_) => {
                self.connections
                    .commit(connection, INSERT, &[&reference, &audit, &version, &line, &email, &name, &user, &domain])
                    .await?
            }
            Write::Change(..) | Write::Erase(..) => {
                self.connections
                    .commit(connection, UPDATE, &[&reference, &audit, &version, &line, &email, &name])
                    .await?
            }
        };
        Ok(if is_written { Outcome::Written(profile) } else { Outcome::Overtaken })
    }

    pub(crate) async fn ask_by_owner(&self, owner: &Owner) -> Result<(Object, Vec<Row>), ProfileFault> {
        match owner {
            Owner::User(user) => self.connections.ask(BY_USER, &[&Uuid::from_bytes(*user.as_bytes())]).await,
            Owner::Domain(domain) => self.connections.ask(BY_DOMAIN, &[&domain.as_str()]).await,
        }
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
