//! Errors in the shape of JSON:API: `{"errors":[{"title","detail","status","source"?,"code"}]}`.

use std::borrow::Cow;

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{self, Problem};
use crate::{SourceError, json_response};

/// The pointer of an error that is of the whole request.
const WHOLE_REQUEST: &str = "/data";

const NOT_FOUND: &str = "Not found.";

#[derive(Debug)]
pub(super) enum CatalogueProblem {
    /// There is no such resource, collection or format: 404 `Not found.`, code `not_found`, without a source.
    NotFound,
    /// There is no such page: 404 `Invalid page.`, code `not_found`, pointer `/data`.
    InvalidPage,
    /// A parameter cannot be used: 400, pointer `/data/attributes/{parameter, with dashes}`.
    Parameter {
        name: Cow<'static, str>,
        detail: String,
        code: &'static str,
    },
    /// The request as a whole cannot be used: 400, pointer `/data`.
    Request {
        detail: String,
        code: &'static str,
    },
    NotAcceptable,
    /// The engine failed: 500, the cause goes to the log.
    Source(SourceError),
    Common(Problem),
}

impl From<Problem> for CatalogueProblem {
    fn from(problem: Problem) -> Self {
        Self::Common(problem)
    }
}

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Errors)]
pub(super) struct ErrorDocument {
    /// What is wrong; one entry.
    errors: [ErrorObject; 1],
}

/// What is wrong with a request.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
struct ErrorObject {
    /// The reason phrase of the status.
    #[schema(example = "Bad Request")]
    title: &'static str,
    /// What is wrong, for people.
    #[schema(example = "Enter a number.")]
    detail: String,
    /// The status, as text.
    #[schema(example = "400")]
    status: String,
    /// The part of the request that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<ErrorSource>,
    /// What is wrong, for programs.
    #[schema(example = "invalid")]
    code: &'static str,
}

/// The part of a request that is wrong.
#[derive(Debug, Serialize, ToSchema)]
struct ErrorSource {
    /// `/data` for the whole request, `/data/attributes/latitude-gte` for the parameter `latitude_gte`.
    #[schema(example = "/data/attributes/latitude-gte")]
    pointer: String,
}

impl From<SourceError> for CatalogueProblem {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

impl From<serde_json::Error> for CatalogueProblem {
    /// Takes a stored resource that cannot be read for a fault of the engine.
    fn from(error: serde_json::Error) -> Self {
        Self::Source(SourceError::from(Box::from(error)))
    }
}

impl IntoResponse for CatalogueProblem {
    fn into_response(self) -> Response {
        let whole = || Some(WHOLE_REQUEST.to_owned());
        match self {
            Self::NotFound => respond(StatusCode::NOT_FOUND, NOT_FOUND.to_owned(), None, "not_found"),
            Self::InvalidPage => respond(StatusCode::NOT_FOUND, "Invalid page.".to_owned(), whole(), "not_found"),
            Self::Parameter { name, detail, code } => {
                let pointer = format!("{WHOLE_REQUEST}/attributes/{}", name.replace('_', "-"));
                respond(StatusCode::BAD_REQUEST, detail, Some(pointer), code)
            }
            Self::Request { detail, code } => respond(StatusCode::BAD_REQUEST, detail, whole(), code),
            Self::NotAcceptable => {
                let detail = "Could not satisfy the request Accept header.".to_owned();
                respond(StatusCode::NOT_ACCEPTABLE, detail, whole(), "not_acceptable")
            }
            Self::Source(SourceError::Overloaded) => reshape(&Problem::Overloaded),
            Self::Common(problem) => reshape(&problem),
            Self::Source(error @ SourceError::Fault(_)) => {
                tracing::error!(%error, "the catalogue store failed");
                reshape(&Problem::Internal)
            }
        }
    }
}

/// Returns a common error in the shape of this service.
pub(super) fn reshape(problem: &Problem) -> Response {
    let status = problem.status();
    match problem {
        Problem::NoSuchPath(_) => CatalogueProblem::NotFound.into_response(),
        Problem::MethodNotAllowed(method) => method_not_allowed(method),
        Problem::NotOneHost => respond(status, problem.detail(), None, "parse_error"),
        Problem::NoEncoding => respond(status, problem.detail(), None, "not_acceptable"),
        Problem::UriTooLong(_) => respond(status, problem.detail(), None, "uri_too_long"),
        Problem::BodyTooSlow(_) => respond(status, problem.detail(), None, "request_timeout"),
        Problem::Overloaded | Problem::TimedOut | Problem::NotLoaded(_) => {
            let mut response = respond(status, problem.detail(), None, "service_unavailable");
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(error::RETRY_AFTER_S));
            response
        }
        Problem::Internal => respond(status, problem.detail(), None, "error"),
    }
}

/// Returns the answer to a method that nothing here has.
fn method_not_allowed(method: &Method) -> Response {
    let detail = format!("Method \"{method}\" not allowed.");
    respond(StatusCode::METHOD_NOT_ALLOWED, detail, Some(WHOLE_REQUEST.to_owned()), "method_not_allowed")
}

fn respond(status: StatusCode, detail: String, pointer: Option<String>, code: &'static str) -> Response {
    let title = status.canonical_reason().unwrap_or("Error");
    let source = pointer.map(|pointer| ErrorSource { pointer });
    let error = ErrorObject { title, detail, status: status.as_str().to_owned(), source, code };
    json_response(status, &ErrorDocument { errors: [error] })
}
