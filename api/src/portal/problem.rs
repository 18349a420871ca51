//! Problems, which are answered with a page.

use axum::http::StatusCode;

use crate::SourceError;
use crate::http::error::Problem;

/// The reason why a page cannot be shown.
#[derive(Debug)]
pub(super) enum PortalProblem {
    /// Nothing was found; the text says what was looked for.
    NotFound(String),
    /// A service answers with this status, and says why.
    Refused(StatusCode, String),
    Source(SourceError),
    Common(Problem),
}

impl PortalProblem {
    pub(super) fn no_page() -> Self {
        Self::NotFound("The portal has no such page.".to_owned())
    }

    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Refused(status, _) => *status,
            Self::Source(SourceError::Overloaded) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Source(SourceError::Fault(_)) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Common(problem) => problem.status(),
        }
    }

    /// Returns the text for people. Faults are logged.
    pub(super) fn detail(&self) -> String {
        match self {
            Self::NotFound(detail) | Self::Refused(_, detail) => detail.clone(),
            Self::Source(SourceError::Overloaded) => Problem::Overloaded.detail(),
            Self::Source(error @ SourceError::Fault(_)) => {
                tracing::error!(%error, "a page could not be made");
                Problem::Internal.detail()
            }
            Self::Common(problem) => problem.detail(),
        }
    }
}

impl From<store::Error> for PortalProblem {
    fn from(error: store::Error) -> Self {
        Self::Source(error.into())
    }
}

impl From<SourceError> for PortalProblem {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

impl From<Problem> for PortalProblem {
    fn from(problem: Problem) -> Self {
        Self::Common(problem)
    }
}

impl From<askama::Error> for PortalProblem {
    fn from(error: askama::Error) -> Self {
        Self::Source(SourceError::Fault(Box::new(error)))
    }
}
