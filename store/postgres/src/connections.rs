//! Connections to the database, and queries on them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use deadpool_postgres::{BuildError, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use futures_util::future::try_join;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Error, Row};

use crate::connector::Connector;
use crate::fault::{Fault, described, is_undone, may_be_repeated, unavailable};
use crate::leader::{self, LEADS};
use crate::migrations;

/// The time a request waits for its turn.
pub(crate) const WAIT_PATIENCE: Duration = Duration::from_secs(5);

/// The longest time of connecting, over all hosts.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);

/// The longest time of a query. The server ends statements earlier, unless it is stopped itself.
const ANSWER_PATIENCE: Duration = Duration::from_secs(15);

/// The longest time of a commit. It waits for a disk, and for that of a synchronous standby if
/// there is one.
const COMMIT_PATIENCE: Duration = Duration::from_mins(1);

/// The most attempts of a query, each on another connection.
const ATTEMPTS_MAX: usize = 4;

pub(crate) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A bounded number of connections to a database with the tables of this version.
pub(crate) struct Connections {
    pool: Pool,
    is_migrated: OnceCell<()>,
    num_commits: AtomicU64,
    /// `true` for several servers, one of which is the leader.
    has_several_hosts: bool,
}

impl Connections {
    /// Connects when the first connection is needed. `patience` is the longest wait for one of
    /// `max` connections to become free.
    pub(crate) fn new(
        session: &Config,
        connector: &Connector,
        max: usize,
        patience: Duration,
        recycling_method: RecyclingMethod,
        has_several_hosts: bool,
    ) -> Result<Self, BuildError> {
        let manager = Manager::from_config(session.clone(), connector.clone(), ManagerConfig { recycling_method });
        let pool = Pool::builder(manager)
            .max_size(max)
            .wait_timeout(Some(patience))
            .create_timeout(Some(CONNECT_PATIENCE))
            .recycle_timeout(Some(ANSWER_PATIENCE))
            .runtime(Runtime::Tokio1)
            .build()?;
        Ok(Self { pool, is_migrated: OnceCell::new(), num_commits: AtomicU64::new(0), has_several_hosts })
    }

    /// Returns the number of statements that have written.
    pub(crate) fn num_commits(&self) -> u64 {
        self.num_commits.load(Ordering::Relaxed)
    }

    pub(crate) async fn get(&self) -> Result<Object, Fault> {
        let mut connection = self.pool.get().await?;
        self.is_migrated.get_or_try_init(|| migrations::run(&mut connection)).await?;
        Ok(connection)
    }

    /// Makes a query that may be repeated.
    pub(crate) async fn query(&self, statement: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, Fault> {
        let mut num_attempts = 0;
        loop {
            let connection = self.get().await?;
            num_attempts += 1;
            let answer = async {
                let statement = connection.prepare_cached(statement).await?;
                // Both are sent at once, in this order: a server that leads after the answer has
                // led before it.
                try_join(connection.query(&statement, parameters), self.leads(&connection)).await
            };
            let error = match timeout(ANSWER_PATIENCE, answer).await {
                Ok(Ok((rows, true))) => return Ok(rows),
                Ok(Ok((_, false))) => {
                    self.leave(connection);
                    if num_attempts == ATTEMPTS_MAX {
                        return Err(Fault::Unavailable(leader::NOT_FOLLOWED.to_owned()));
                    }
                    continue;
                }
                Ok(Err(error)) => error,
                Err(_) => {
                    drop(Object::take(connection));
                    return Err(Fault::silent());
                }
            };
            self.give_back(connection, &error);
            if !may_be_repeated(&error) || num_attempts == ATTEMPTS_MAX {
                return Err(unavailable(&error));
            }
        }
    }

    /// Asks a server whether it is still the leader.
    pub(crate) async fn leads(&self, connection: &Object) -> Result<bool, Error> {
        if !self.has_several_hosts {
            return Ok(true);
        }
        let statement = connection.prepare_cached(LEADS).await?;
        connection.query_one(&statement, &[]).await?.try_get(0)
    }

    /// Executes a statement that writes and commits. Returns a row for each written profile. The
    /// others were not changed, and must be read again: another write was faster, or the statement
    /// never reached the server.
    pub(crate) async fn commit(
        &self,
        connection: Object,
        statement: &str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, Fault> {
        let prepared = timeout(ANSWER_PATIENCE, connection.prepare_cached(statement)).await;
        let executed = match prepared {
            Err(_) => {
                drop(Object::take(connection));
                return Err(Fault::silent());
            }
            Ok(Err(error)) => Err(error),
            Ok(Ok(statement)) => match timeout(COMMIT_PATIENCE, connection.query(&statement, parameters)).await {
                Ok(Err(error)) if !is_undone(&error) => {
                    drop(Object::take(connection));
                    return Err(Fault::Unknown(described(&error)));
                }
                Ok(executed) => executed,
                Err(_) => {
                    drop(Object::take(connection));
                    let seconds = COMMIT_PATIENCE.as_secs();
                    return Err(Fault::Unknown(format!("the database has not answered for {seconds} s")));
                }
            },
        };
        match executed {
            Ok(written) => {
                self.num_commits.fetch_add(u64::from(!written.is_empty()), Ordering::Relaxed);
                Ok(written)
            }
            Err(error) => {
                self.give_back(connection, &error);
                if may_be_repeated(&error) { Ok(Vec::new()) } else { Err(unavailable(&error)) }
            }
        }
    }

    /// Closes a connection to a server that is not the leader, and the idle ones: they are mostly
    /// to the same server.
    pub(crate) fn leave(&self, connection: Object) {
        self.pool.retain(|_, _| false);
        drop(Object::take(connection));
    }

    /// Returns a connection to the pool after an error, or closes it if it is unusable.
    fn give_back(&self, connection: Object, error: &Error) {
        if error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            self.leave(connection);
        } else if !is_undone(error) {
            drop(Object::take(connection));
        }
    }
}

/// Makes a query on a connection that only one task uses, and returns the connection with the
/// answer. Without an answer, the connection is closed.
pub(crate) async fn answered<T>(
    connection: Object,
    query: impl AsyncFnOnce(&Object) -> Result<T, Error>,
) -> Result<(Object, T), Fault> {
    match timeout(ANSWER_PATIENCE, query(&connection)).await {
        Ok(Ok(answer)) => Ok((connection, answer)),
        Ok(Err(error)) => Err(unavailable(&error)),
        Err(_) => {
            drop(Object::take(connection));
            Err(Fault::silent())
        }
    }
}
