//! Problems as pages.

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::layout::Layout;
use super::visit::Visit;
use crate::SourceError;
use crate::error::{self, Problem};

/// Why there is no page.
#[derive(Debug)]
pub(super) enum PortalProblem {
    /// There is nothing at the address; the text says what was looked for.
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

    fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Refused(status, _) => *status,
            Self::Source(SourceError::Overloaded | SourceError::Lacking(_)) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Source(SourceError::Fault(_)) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Common(problem) => problem.status(),
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::NotFound(detail) | Self::Refused(_, detail) | Self::Source(SourceError::Lacking(detail)) => {
                detail.clone()
            }
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

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    layout: Layout,
    status: u16,
    detail: String,
    request_id: String,
}

/// Returns the page that tells a problem. Faults are logged.
pub(super) fn page(problem: &PortalProblem, visit: &Visit<'_>) -> Response {
    let (status, detail) = (problem.status(), problem.detail());
    let title = status.canonical_reason().unwrap_or("Problem").to_owned();
    let request_id = visit.access().id().0;
    let page = ProblemPage { layout: visit.layout(title), status: status.as_u16(), detail, request_id };
    let Ok(text) = page.render() else { return Problem::Internal.into_response() };
    let mut response = (status, Html(text)).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(error::RETRY_AFTER_S));
    }
    response
}
