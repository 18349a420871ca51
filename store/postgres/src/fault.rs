//! Translating errors of the database.

use std::error::Error as _;

use deadpool_postgres::{PoolError, TimeoutType};
use store_profiles::ProfileFault;
use tokio_postgres::Error;
use tokio_postgres::error::{Severity, SqlState};

/// The reason why the database did not execute a request.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// No connection became free.
    Busy,
    /// Nothing was changed.
    Unavailable(String),
    /// A write may have been committed.
    Unknown(String),
}

impl Fault {
    pub(crate) fn silent() -> Self {
        Self::Unavailable("the database does not answer".to_owned())
    }

    /// The outcome of a write is unknown.
    pub(crate) fn panicked() -> Self {
        Self::Unknown("the request panicked".to_owned())
    }
}

impl From<Fault> for ProfileFault {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Busy => Self::Overloaded,
            Fault::Unavailable(problem) => Self::Unavailable(problem),
            Fault::Unknown(problem) => Self::Unknown(problem),
        }
    }
}

/// Returns the text of an error, shortened, without the details that PostgreSQL adds, since these
/// may have values of a row.
pub(crate) fn described(error: &Error) -> String {
    store::shortened(&match (error.as_db_error(), error.source()) {
        (Some(error), _) => format!("{} ({})", error.message(), error.code().code()),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    })
}

/// Returns whether the server reported that it has undone the statement. It does not report that if
/// it ends the session, or if the connection is lost.
pub(crate) fn is_undone(error: &Error) -> bool {
    error.as_db_error().is_some_and(|error| error.parsed_severity() == Some(Severity::Error))
}

/// Returns whether it may help to use another session or to try later: this session is lost, no
/// longer accepts writes, or conflicts with another one.
pub(crate) fn may_be_repeated(error: &Error) -> bool {
    !is_undone(error)
        || error
            .code()
            .is_some_and(|code| *code == SqlState::READ_ONLY_SQL_TRANSACTION || code.code().starts_with("40"))
}

/// Nothing was changed.
pub(crate) fn unavailable(error: &Error) -> Fault {
    Fault::Unavailable(described(error))
}

impl From<PoolError> for Fault {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Timeout(TimeoutType::Wait) => Self::Busy,
            PoolError::Timeout(_) => Self::Unavailable("no host accepted a connection in time".to_owned()),
            PoolError::Backend(error) => unavailable(&error),
            error => Self::Unavailable(error.to_string()),
        }
    }
}
