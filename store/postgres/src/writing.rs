//! Writing: read, evaluate, and commit with one statement that has an effect only if no other write
//! was faster.

use std::sync::Arc;

use store_profiles::{
    Attempt, Evaluated, Permission, Profile, ProfileBackend, ProfileFault, ProfileWrite, ProfilesConfig, Refusal,
    SchemaChecks, WriteOutcome, WriteResult, WriteTurns, is_permitted,
};
use tokio::task::spawn_blocking;

use crate::batcher::Batcher;
use crate::changes::{Change, Changes};
use crate::connections::{Connections, Parameters};
use crate::lookup::Lookup;
use crate::row::{Columns, DELETE, INSERT, UPDATE};

/// Writes profiles.
pub(crate) struct Writer {
    pub(crate) connections: Arc<Connections>,
    pub(crate) lookup: Arc<Lookup>,
    pub(crate) changes: Batcher<Changes>,
    pub(crate) turns: WriteTurns,
    pub(crate) checks: Arc<SchemaChecks>,
    pub(crate) config: ProfilesConfig,
}

impl Writer {
    /// Returns the stored profile, given by its reference or owner.
    async fn read(&self, write: &ProfileWrite) -> Result<Option<Profile>, ProfileFault> {
        match write {
            ProfileWrite::Create(profile) => self.lookup.find(&profile.owner).await,
            ProfileWrite::Change(reference, ..) | ProfileWrite::Erase(reference, _) => {
                self.lookup.get(*reference).await
            }
        }
    }

    fn evaluate(
        &self,
        write: &ProfileWrite,
        stored: Option<Profile>,
        checked: Option<&Profile>,
    ) -> Result<Evaluated, Refusal> {
        match write {
            ProfileWrite::Create(profile) => {
                let existing = stored.map(|stored| stored.reference);
                self.config.evaluate_creation(profile.clone(), existing, checked)
            }
            ProfileWrite::Change(_, change, precondition) => {
                self.config.evaluate_change(stored, change.clone(), precondition, checked)
            }
            ProfileWrite::Erase(_, precondition) => {
                let profile = stored.ok_or(Refusal::NoProfile)?;
                precondition.check(profile.version)?;
                Ok(Evaluated::Accepted { profile, line: Vec::new() })
            }
        }
    }
}

impl ProfileBackend for Writer {
    fn turns(&self) -> &WriteTurns {
        &self.turns
    }

    async fn attempt(&self, attempt: Attempt<'_>) -> Result<WriteOutcome, ProfileFault> {
        let Attempt { write, seen, checked, permission, has_turn } = attempt;
        // The profile of a new owner is missing unless another write was faster.
        let is_known = seen.is_some() || matches!(write, ProfileWrite::Create(_)) && !has_turn;
        let stored = if is_known { seen.cloned() } else { self.read(write).await? };
        permitted(permission)?;
        let (profile, line) = match self.evaluate(write, stored, checked.as_ref())? {
            Evaluated::Accepted { profile, line } => (profile, line),
            Evaluated::Unchecked(profile) => return Ok(WriteOutcome::Unchecked(profile)),
        };
        let columns = Columns::new(&profile, line);
        let audit = permission.audit_line(&profile);
        let is_written = if let (ProfileWrite::Change(..), false) = (write, has_turn) {
            self.changes.run(Change { columns, audit, permission: Arc::clone(permission) }).await??
        } else {
            let connection = self.connections.get().await?;
            // Waiting for a connection may have taken long.
            permitted(permission)?;
            let Columns { reference, user, domain, version, line, email, name } = &columns;
            let written = match write {
                ProfileWrite::Create(_) => {
                    let parameters: Parameters<'_> = &[reference, &audit, version, line, email, name, user, domain];
                    self.connections.commit(connection, INSERT, parameters).await?
                }
                // The statement waits for a row that another server is writing.
                ProfileWrite::Change(..) => {
                    let parameters: Parameters<'_> = &[reference, &audit, version, line, email, name];
                    self.connections.commit(connection, UPDATE, parameters).await?
                }
                ProfileWrite::Erase(..) => {
                    self.connections.commit(connection, DELETE, &[reference, &audit, version]).await?
                }
            };
            !written.is_empty()
        };
        Ok(if is_written { WriteOutcome::Written(profile) } else { WriteOutcome::Overtaken })
    }

    async fn check(&self, profile: Profile) -> WriteResult {
        let checks = Arc::clone(&self.checks);
        Ok(blocking(move || checks.check(&profile).map(|()| profile)).await?)
    }
}

fn permitted(permission: &Permission) -> Result<(), Refusal> {
    if is_permitted(permission) { Ok(()) } else { Err(Refusal::NotPermitted) }
}

/// Runs work on a thread that may block. A panic continues in the caller.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    #[expect(clippy::disallowed_methods, reason = "the caller holds the permit of its request until this is done")]
    let task = spawn_blocking(work);
    task.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
}
