//! Problems that are answered with a page.

use api_http::error::{Problem, shown};
use api_http::posted::BodyFault;
use api_proteins::ProteinProblem;
use axum::http::StatusCode;

/// The reason why a page cannot be shown.
#[derive(Debug)]
pub(crate) enum PortalProblem {
    /// Nothing was found; the text names the missing thing.
    NotFound(String),
    /// The catalogue rejected parameters: their names and problems.
    Parameters(StatusCode, Vec<(String, String)>),
    /// A service answered with this status and text.
    Refused(StatusCode, String),
    Common(Problem),
}

impl PortalProblem {
    pub(crate) fn no_page() -> Self {
        Self::NotFound("The portal has no such page.".to_owned())
    }

    /// Converts a problem of the API.
    pub(crate) fn of_proteins(problem: ProteinProblem) -> Self {
        match problem {
            ProteinProblem::Common(problem) => problem.into(),
            ProteinProblem::Refused { status, detail } => Self::Refused(status, detail),
            ProteinProblem::Missing(_)
            | ProteinProblem::Elsewhere { .. }
            | ProteinProblem::SeveralSources { .. }
            | ProteinProblem::UnknownLineage(_)
            | ProteinProblem::NoChecksums
            | ProteinProblem::OutsideSequence(_)
            | ProteinProblem::Parameters(_) => Self::no_page(),
        }
    }

    /// Converts a problem of a posted form.
    pub(crate) fn of_body(fault: BodyFault) -> Self {
        fault.into_client_error().map_or_else(Self::Common, |(status, detail)| Self::Refused(status, detail))
    }

    pub(crate) fn malformed(why: &str) -> Self {
        Self::Refused(StatusCode::BAD_REQUEST, format!("The form cannot be read: {}.", shown(why)))
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Refused(status, _) | Self::Parameters(status, _) => *status,
            Self::Common(problem) => problem.status(),
        }
    }
}

impl<E: Into<Problem>> From<E> for PortalProblem {
    fn from(error: E) -> Self {
        Self::Common(error.into())
    }
}
