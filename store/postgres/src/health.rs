//! Watching whether the database answers, and counting writes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use store::{ErrorSummary, lock};
use store_profiles::{ProfileFault, ProfilesState};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::connections::Connections;
use crate::fault::Fault;

const INTERVAL: Duration = Duration::from_secs(1);

/// The number of intervals between two counts of the profiles: counting reads an index completely.
const COUNT_INTERVALS: usize = 60;

/// The public kind of the problem.
const UNAVAILABLE: &str = "database unavailable";

const ANSWER: &str = "SELECT";

const COUNT: &str = "SELECT count(*) FROM profiles";

/// Deletes those of the first lines of the audit log that are older than `$1` days. Numbers ascend
/// with time.
const FORGET: &str = "WITH deleted AS (DELETE FROM profiles_audit WHERE number IN ( \
                          SELECT number FROM (SELECT number, written_at FROM profiles_audit ORDER BY number LIMIT 10000) \
                          AS first WHERE written_at < now() - make_interval(days => $1)) RETURNING number) \
                      SELECT count(*) FROM deleted HAVING count(*) > 0";

/// The state of the database. It is queried every second, on a separate connection, until this is
/// dropped.
pub(crate) struct Health {
    watch: Arc<Watch>,
    task: JoinHandle<()>,
}

struct Watch {
    connections: Connections,
    /// The last count, and profiles that this server has created since.
    num_profiles: AtomicU64,
    num_writes: AtomicU64,
    audit_days: Option<u16>,
    failure: Mutex<Option<ErrorSummary>>,
}

impl Health {
    /// Starts the queries. Lines of the audit log are deleted after `audit_days`.
    pub(crate) fn watch(connections: Connections, audit_days: Option<u16>) -> Self {
        let failure =
            Mutex::new(Some(ErrorSummary::new("database not asked yet", "the database has not been asked yet")));
        let (num_profiles, num_writes) = (AtomicU64::new(0), AtomicU64::new(0));
        let watch = Arc::new(Watch { connections, num_profiles, num_writes, audit_days, failure });
        let watching = Arc::clone(&watch);
        let task = tokio::spawn(async move {
            for number in 0_usize.. {
                if number.is_multiple_of(COUNT_INTERVALS) || watching.failure().is_some() {
                    watching.count().await;
                    watching.forget().await;
                } else {
                    watching.note(watching.connections.query(ANSWER, &[]).await.map(drop));
                }
                sleep(INTERVAL).await;
            }
        });
        Self { watch, task }
    }

    /// Queries the database now.
    pub(crate) async fn check(&self) {
        self.watch.count().await;
    }

    /// Counts a write, and the number of profiles that it added or removed.
    pub(crate) fn count_write(&self, change: i64) {
        self.watch.num_writes.fetch_add(1, Ordering::SeqCst);
        self.watch.num_profiles.fetch_add(change.cast_unsigned(), Ordering::SeqCst);
    }

    pub(crate) fn state(&self) -> ProfilesState {
        let num_writes = self.watch.num_writes.load(Ordering::SeqCst);
        let num_profiles = self.watch.num_profiles.load(Ordering::SeqCst);
        ProfilesState {
            num_profiles,
            num_writes,
            num_commits: num_writes,
            failure: self.watch.failure(),
            unwritable: None,
        }
    }
}

impl Drop for Health {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Watch {
    async fn count(&self) {
        let counted = self.connections.query(COUNT, &[]).await;
        let counted = counted.map(|rows| rows.first().map_or(0, |row| row.get::<_, i64>(0)));
        if let Ok(num_profiles) = counted {
            self.num_profiles.store(u64::try_from(num_profiles).unwrap_or(0), Ordering::SeqCst);
        }
        self.note(counted.map(drop));
    }

    /// Deletes old lines of the audit log, a few at a time.
    async fn forget(&self) {
        let Some(days) = self.audit_days.map(i32::from) else { return };
        while let Ok(deleted) = self.connections.query(FORGET, &[&days]).await
            && !deleted.is_empty()
        {}
    }

    /// Logs when the database stops answering, and when it answers again.
    fn note(&self, answered: Result<(), Fault>) {
        let failure =
            answered.err().map(|fault| ErrorSummary::new(UNAVAILABLE, &ProfileFault::from(fault).to_string()));
        let mut last = lock(&self.failure);
        match (&*last, &failure) {
            (Some(last), Some(failure)) if last.kind() == failure.kind() => {}
            (_, Some(failure)) => tracing::error!("{failure}"),
            (Some(_), None) => tracing::info!("the database of profiles answers again"),
            (None, None) => {}
        }
        *last = failure;
    }

    fn failure(&self) -> Option<ErrorSummary> {
        lock(&self.failure).clone()
    }
}
