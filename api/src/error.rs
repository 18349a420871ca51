//! Errors that no single service answers for, in the shape `{"detail": "…"}`.

use std::any::Any;

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::json_response;

/// After how many seconds a client should try again when the server is overloaded.
const RETRY_AFTER_S: HeaderValue = HeaderValue::from_static("1");

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorDetail {
    /// What is wrong, for people.
    pub(crate) detail: String,
}

/// An error that is not of one operation.
#[derive(Debug)]
pub(crate) enum Problem {
    /// There is nothing at this path.
    NoSuchPath(String),
    /// The path does not have this method.
    MethodNotAllowed(Method),
    /// The URI has more bytes than that.
    UriTooLong(usize),
    /// Too many requests are under way.
    Overloaded,
    /// The request took too long.
    TimedOut,
    /// A service has no data. The text says how to load some.
    NotLoaded(&'static str),
    /// A fault of the server. The cause goes to the log, not to the client.
    Internal,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, detail) = match self {
            Self::NoSuchPath(path) => (StatusCode::NOT_FOUND, format!("There is nothing at {path}.")),
            Self::MethodNotAllowed(method) => {
                (StatusCode::METHOD_NOT_ALLOWED, format!("Method {method} is not allowed here."))
            }
            Self::UriTooLong(max) => (StatusCode::URI_TOO_LONG, format!("The URI has more than {max} bytes.")),
            Self::Overloaded => {
                (StatusCode::SERVICE_UNAVAILABLE, "The server is overloaded. Try again soon.".to_owned())
            }
            Self::TimedOut => {
                (StatusCode::SERVICE_UNAVAILABLE, "The request took too long. Try again soon.".to_owned())
            }
            Self::NotLoaded(how) => (StatusCode::SERVICE_UNAVAILABLE, how.to_owned()),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "Internal server error.".to_owned()),
        };
        let mut response = json_response(status, &ErrorDetail { detail });
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_S);
        }
        response
    }
}

/// Answers a request whose handler panicked, and logs why under the request's id.
#[expect(clippy::needless_pass_by_value, reason = "the signature of a panic handler")]
pub(crate) fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = text.unwrap_or("no text"), "a handler panicked");
    Problem::Internal.into_response()
}
