//! Problems, which are answered with a page.

use std::sync::Arc;

use axum::http::StatusCode;

use crate::http::error::Problem;

/// The reason why a page cannot be shown.
#[derive(Debug)]
pub(super) enum PortalProblem {
    /// Nothing was found; the text says what was looked for.
    NotFound(String),
    /// A service answers with this status, and says why.
    Refused(StatusCode, String),
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
            Self::Common(problem) => problem.status(),
        }
    }

    /// Returns the text for people. Faults are logged.
    pub(super) fn detail(&self) -> String {
        match self {
            Self::NotFound(detail) | Self::Refused(_, detail) => detail.clone(),
            Self::Common(problem) => problem.detail(),
        }
    }
}

impl<E: Into<Problem>> From<E> for PortalProblem {
    fn from(error: E) -> Self {
        Self::Common(error.into())
    }
}

impl From<askama::Error> for Problem {
    fn from(error: askama::Error) -> Self {
        Self::Fault(Arc::new(error))
    }
}
