//! Errors in the shape of JSON:API: `{"errors":[{"title","detail","status","source"?,"code"}]}`.

use std::borrow::Cow;

use api_http::SourceError;
use api_http::error::{self, Problem, shown};
use api_http::json::json_response;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store::QueryFault;
use utoipa::ToSchema;

use super::request::query::{AFTER, WHERE};

/// The pointer of an error in the whole request.
const WHOLE_REQUEST: &str = "/data";

#[derive(Debug)]
pub(super) enum CatalogueProblem {
    /// The resource, collection or format does not exist: 404 `Not found.`, code `not_found`,
    /// without a source.
    NotFound,
    /// The page does not exist: 404 `Invalid page.`, code `not_found`, pointer `/data`.
    InvalidPage,
    /// A parameter cannot be used: 400, pointer `/data/attributes/{parameter, with dashes}`.
    Parameter {
        name: Cow<'static, str>,
        detail: String,
        code: &'static str,
    },
    /// Conditions cannot be used: 400, pointer `/data/attributes/where`.
    Conditions(Vec<QueryFault>),
    /// The request as a whole cannot be used: 400, pointer `/data`.
    Request {
        detail: String,
        code: &'static str,
    },
    NotAcceptable,
    /// The body of the request cannot be used: pointer `/data`, code `parse_error`.
    Body {
        status: StatusCode,
        detail: String,
    },
    Common(Problem),
}

impl CatalogueProblem {
    /// Returns the problem of a parameter that cannot be used.
    pub(super) fn refused(name: impl Into<Cow<'static, str>>, detail: impl Into<String>) -> Self {
        Self::Parameter { name: name.into(), detail: detail.into(), code: "invalid" }
    }

    /// Returns the problem of a stream that should begin after a resource that is not in its list.
    pub(super) fn not_in_list(id: &str) -> Self {
        Self::refused(AFTER, format!("{:?} is not in this list.", shown(id)))
    }
}

impl<E: Into<Problem>> From<E> for CatalogueProblem {
    fn from(error: E) -> Self {
        Self::Common(error.into())
    }
}

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Errors)]
pub(super) struct ErrorDocument {
    /// The errors of the request: one entry.
    errors: [ErrorObject; 1],
}

/// An error of a request.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
struct ErrorObject {
    /// The reason phrase of the status.
    #[schema(example = "Bad Request")]
    title: &'static str,
    /// The problem, for people.
    #[schema(example = "Enter a number.")]
    detail: String,
    /// The status, as text.
    #[schema(example = "400")]
    status: String,
    /// The part of the request that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<ErrorSource>,
    /// The problem, for programs.
    #[schema(example = "invalid")]
    code: &'static str,
}

/// The part of a request that is wrong.
#[derive(Debug, Serialize, ToSchema)]
struct ErrorSource {
    /// `/data` for the whole request, `/data/attributes/latitude-gte` for the parameter
    /// `latitude_gte`.
    #[schema(example = "/data/attributes/latitude-gte")]
    pointer: String,
}

impl CatalogueProblem {
    /// Returns the failure to read something. All other problems are internal errors here, where no
    /// part of a request is read.
    pub(super) fn into_source_error(self) -> SourceError {
        match self {
            Self::Common(Problem::Overloaded) => SourceError::Overloaded,
            Self::Common(Problem::TooMuchWork) => SourceError::TooMuchWork,
            problem => SourceError::Fault(format!("{problem:?}").into()),
        }
    }
}

impl IntoResponse for CatalogueProblem {
    fn into_response(self) -> Response {
        match self {
            Self::NotFound => respond(StatusCode::NOT_FOUND, "Not found.", None, "not_found"),
            Self::InvalidPage => respond(StatusCode::NOT_FOUND, "Invalid page.", Some(WHOLE_REQUEST), "not_found"),
            Self::Parameter { name, detail, code } => {
                let pointer = format!("{WHOLE_REQUEST}/attributes/{}", name.replace('_', "-"));
                respond(StatusCode::BAD_REQUEST, detail, Some(&pointer), code)
            }
            Self::Conditions(faults) => {
                let faults: Vec<String> = faults.iter().map(QueryFault::to_string).collect();
                Self::refused(WHERE, faults.join("; ")).into_response()
            }
            Self::Request { detail, code } => respond(StatusCode::BAD_REQUEST, detail, Some(WHOLE_REQUEST), code),
            Self::NotAcceptable => {
                let detail = "Could not satisfy the request Accept header.";
                respond(StatusCode::NOT_ACCEPTABLE, detail, Some(WHOLE_REQUEST), "not_acceptable")
            }
            Self::Body { status, detail } => respond(status, detail, Some(WHOLE_REQUEST), "parse_error"),
            Self::Common(problem) => reshape(&problem),
        }
    }
}

pub(super) fn reshape(problem: &Problem) -> Response {
    let status = problem.status();
    let code = match problem {
        Problem::TooMuchWork => {
            return CatalogueProblem::Request { detail: problem.detail(), code: "invalid" }.into_response();
        }
        Problem::NoSuchPath(_) => return CatalogueProblem::NotFound.into_response(),
        Problem::MethodNotAllowed(method) => {
            let detail = format!("Method \"{method}\" not allowed.");
            return respond(status, detail, Some(WHOLE_REQUEST), "method_not_allowed");
        }
        Problem::BadHost => "parse_error",
        Problem::NoEncoding => "not_acceptable",
        Problem::UriTooLong(_) => "uri_too_long",
        Problem::BodyTooSlow(_) => "request_timeout",
        Problem::Overloaded | Problem::TimedOut | Problem::NotLoaded(_) => "service_unavailable",
        Problem::Internal | Problem::Fault(_) => "error",
    };
    let mut detail = problem.detail();
    if let Problem::UriTooLong(_) = problem {
        detail += " Send long parameters in the body of a `POST …/{collection}/search`.";
    }
    let mut response = respond(status, detail, None, code);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(error::RETRY_AFTER_S));
    }
    response
}

fn respond(status: StatusCode, detail: impl Into<String>, pointer: Option<&str>, code: &'static str) -> Response {
    let title = status.canonical_reason().unwrap_or("Error");
    let source = pointer.map(|pointer| ErrorSource { pointer: pointer.to_owned() });
    let error = ErrorObject { title, detail: detail.into(), status: status.as_str().to_owned(), source, code };
    json_response(status, &ErrorDocument { errors: [error] })
}
