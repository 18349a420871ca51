//! Errors that are not specific to a service, in the shape `{"detail": "…"}`. The error is an
//! extension of the response, so that a service can give it another shape.

use std::any::Any;
use std::borrow::Cow;
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::extract::OriginalUri;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::SourceError;
use crate::json::json_response;

/// The number of seconds after which a client should try again when the server is overloaded.
pub const RETRY_AFTER_S: &str = "1";

/// The most characters of a client's text that are sent back.
const SHOWN_CHARS_MAX: usize = 200;

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorDetail {
    /// The problem, for people.
    pub detail: String,
}

/// An error that is not specific to an operation.
#[derive(Clone, Debug)]
pub enum Problem {
    /// Nothing exists at this path.
    NoSuchPath(String),
    /// The path does not have this method.
    MethodNotAllowed(Method),
    /// The request does not have exactly one `Host` header (RFC 9112, section 3.2), or its value is
    /// not a host.
    BadHost,
    /// The request accepts neither a supported encoding nor an unencoded answer.
    NoEncoding,
    /// The URI has more than this number of bytes.
    UriTooLong(usize),
    /// The body of the request did not arrive within this number of seconds.
    BodyTooSlow(u64),
    /// The server has too much to do.
    Overloaded,
    /// The answer was not made in time.
    TimedOut,
    /// The request needs more work than one request may take.
    TooMuchWork,
    /// A service has no data. The text says how to load some.
    NotLoaded(Cow<'static, str>),
    /// An internal error that was logged. The cause is written to the log, not sent to the client.
    Internal,
    /// An internal error of an engine, which is logged when the answer is written.
    Fault(Arc<dyn Error + Send + Sync>),
}

impl Problem {
    /// Wraps another error as an internal error.
    pub fn fault(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Fault(Arc::new(error))
    }

    /// Returns the status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NoSuchPath(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::BadHost => StatusCode::BAD_REQUEST,
            Self::NoEncoding => StatusCode::NOT_ACCEPTABLE,
            Self::UriTooLong(_) => StatusCode::URI_TOO_LONG,
            Self::TooMuchWork => StatusCode::UNPROCESSABLE_ENTITY,
            Self::BodyTooSlow(_) => StatusCode::REQUEST_TIMEOUT,
            Self::Overloaded | Self::TimedOut | Self::NotLoaded(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal | Self::Fault(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the text for the client. The cause of a fault is logged instead.
    pub fn detail(&self) -> String {
        match self {
            Self::NoSuchPath(path) => format!("No such path: {}.", shown(path)),
            Self::MethodNotAllowed(method) => format!("Method {} is not allowed here.", shown(method.as_str())),
            Self::BadHost => "A request needs one Host header, with the name or address of a host.".to_owned(),
            Self::NoEncoding => "Answers are sent uncompressed, or in gzip, br or zstd.".to_owned(),
            Self::UriTooLong(max) => {
                format!(
                    "The URI has more than {max} bytes. For proteins, send long conditions and lists in the body of a POST."
                )
            }
            Self::BodyTooSlow(max_s) => format!("The body of the request did not arrive within {max_s} seconds."),
            Self::Overloaded => "The server is overloaded. Try again soon.".to_owned(),
            Self::TimedOut => "The request took too long. Try again soon.".to_owned(),
            Self::TooMuchWork => "These conditions require too much work. Request less at a time.".to_owned(),
            Self::NotLoaded(how) => how.clone().into_owned(),
            Self::Internal => "Internal server error.".to_owned(),
            Self::Fault(error) => {
                tracing::error!(%error, "a store failed");
                Self::Internal.detail()
            }
        }
    }
}

impl From<SourceError> for Problem {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Overloaded => Self::Overloaded,
            SourceError::TooMuchWork => Self::TooMuchWork,
            SourceError::Fault(error) => Self::Fault(error.into()),
        }
    }
}

impl From<Infallible> for Problem {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Self {
        if matches!(error, store::Error::TooMuchWork) { Self::TooMuchWork } else { Self::fault(error) }
    }
}

impl From<serde_json::Error> for Problem {
    /// Treats stored JSON that cannot be read or written as an internal error.
    fn from(error: serde_json::Error) -> Self {
        Self::fault(error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let mut response = json_response(status, &ErrorDetail { detail: self.detail() });
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER_S));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Returns a text of a request as messages show it: at most 200 characters.
pub fn shown(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Answers unknown paths and methods in JSON.
pub fn with_json_errors(routes: Router) -> Router {
    routes.fallback(not_found).method_not_allowed_fallback(method_not_allowed)
}

/// Answers a path at which nothing exists.
pub async fn not_found(OriginalUri(uri): OriginalUri) -> Problem {
    Problem::NoSuchPath(uri.path().to_owned())
}

/// Refuses a method that a path does not have; the `Allow` header is the router's.
pub async fn method_not_allowed(method: Method) -> Problem {
    Problem::MethodNotAllowed(method)
}

/// Logs a panic.
pub fn log_panic(panic: &Box<dyn Any + Send>) -> Problem {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = text.unwrap_or("no text"), "a handler panicked");
    Problem::Internal
}
