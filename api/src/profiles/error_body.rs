//! The body of errors: `{"timestamp","status","error","message","path","details"?}`. The explanation travels with the answer as an extension;
//! the body is written where the address of the request is known.

use axum::http::StatusCode;
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::StaticFormatDescription;
use time::macros::format_description;
use utoipa::ToSchema;

use crate::error::Problem;

/// `yyyy.MM.dd.HH.mm.ss`.
const TIMESTAMP: StaticFormatDescription = format_description!("[year].[month].[day].[hour].[minute].[second]");

/// What is wrong: an extension of the response.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    /// For programs.
    pub(super) code: &'static str,
    /// For people.
    pub(super) message: String,
    /// A line for each violation of a schema.
    pub(super) details: Option<Vec<String>>,
}

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub(super) struct ErrorBody {
    /// When it was answered, UTC: `yyyy.MM.dd.HH.mm.ss`.
    #[schema(example = "2018.05.09.16.19.18")]
    timestamp: String,
    /// The status as text.
    #[schema(example = "NOT_FOUND")]
    status: String,
    /// What is wrong, for programs.
    #[schema(example = "NOT_FOUND")]
    error: &'static str,
    /// What is wrong, for people.
    #[schema(example = "Profile was not found for reference prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90")]
    message: String,
    /// The address of the request without its query.
    #[schema(example = "http://127.0.0.1:8080/profiles/prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90")]
    path: String,
    /// Each violation of a schema, with 422 only: at most 1,000 lines and 64 KiB. If there are more, the last line says how many, as in
    /// `… and 1234 more`; `message` has the number of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Vec<String>>,
}

impl Explanation {
    /// Explains a status, whose code is the usual one.
    pub(super) fn new(status: StatusCode, message: String) -> Self {
        Self { code: code(status), message, details: None }
    }
}

impl ErrorBody {
    pub(super) fn new(status: StatusCode, explanation: Explanation, path: String, now: OffsetDateTime) -> Self {
        let name = status.canonical_reason().unwrap_or("Error");
        let Explanation { code, message, details } = explanation;
        let timestamp = now.format(TIMESTAMP).unwrap_or_default();
        Self { timestamp, status: name.to_uppercase().replace([' ', '-'], "_"), error: code, message, path, details }
    }
}

impl From<&Problem> for Explanation {
    fn from(problem: &Problem) -> Self {
        Self::new(problem.status(), problem.detail())
    }
}

/// Returns the code of a status. Only 401 has several.
fn code(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "INVALID_REQUEST",
        StatusCode::FORBIDDEN => "FORBIDDEN",
        StatusCode::NOT_FOUND => "NOT_FOUND",
        StatusCode::METHOD_NOT_ALLOWED => "METHOD_NOT_ALLOWED",
        StatusCode::NOT_ACCEPTABLE => "NOT_ACCEPTABLE",
        StatusCode::REQUEST_TIMEOUT => "REQUEST_TIMEOUT",
        StatusCode::CONFLICT => "CONFLICT",
        StatusCode::PRECONDITION_FAILED => "PRECONDITION_FAILED",
        StatusCode::PAYLOAD_TOO_LARGE => "PAYLOAD_TOO_LARGE",
        StatusCode::URI_TOO_LONG => "URI_TOO_LONG",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "UNSUPPORTED_MEDIA_TYPE",
        StatusCode::UNPROCESSABLE_ENTITY => "VALIDATION_FAILED",
        StatusCode::SERVICE_UNAVAILABLE => "SERVICE_UNAVAILABLE",
        _ => "INTERNAL_ERROR",
    }
}
