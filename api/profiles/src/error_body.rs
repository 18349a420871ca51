//! The body of errors: `{"timestamp","status","error","message","path","details"?}`. It is an
//! extension of the response, and is written when the address of the request is known.

use api_http::error::Problem;
use axum::http::StatusCode;
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::StaticFormatDescription;
use time::macros::format_description;
use utoipa::ToSchema;

/// `yyyy.MM.dd.HH.mm.ss`.
const TIMESTAMP: StaticFormatDescription = format_description!("[year].[month].[day].[hour].[minute].[second]");

/// The body of an error.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub(super) struct ErrorBody {
    /// When it was answered, UTC: `yyyy.MM.dd.HH.mm.ss`.
    #[schema(example = "2018.05.09.16.19.18")]
    pub(super) timestamp: String,
    /// The status as text.
    #[schema(example = "NOT_FOUND")]
    pub(super) status: String,
    /// The problem, for programs.
    #[schema(example = "NOT_FOUND")]
    pub(super) error: String,
    /// The problem, for people.
    #[schema(example = "Profile was not found for reference prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90")]
    pub(super) message: String,
    /// The address of the request without its query.
    #[schema(example = "http://127.0.0.1:8080/profiles/prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90")]
    pub(super) path: String,
    /// Each violation of a schema, with 422 only: at most 1,000 lines and 64 KiB. If there are
    /// more, the last line says how many, as in `… and 1234 more`; `message` has the number of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) details: Option<Vec<String>>,
}

impl ErrorBody {
    /// Explains a status, with its usual code. The path is not known yet.
    pub(super) fn new(status: StatusCode, message: String) -> Self {
        let name = status.canonical_reason().unwrap_or("Error").to_uppercase().replace([' ', '-'], "_");
        let code = match status {
            StatusCode::BAD_REQUEST => "INVALID_REQUEST",
            StatusCode::UNPROCESSABLE_ENTITY => "VALIDATION_FAILED",
            StatusCode::INTERNAL_SERVER_ERROR => "INTERNAL_ERROR",
            _ => &name,
        };
        let timestamp = OffsetDateTime::now_utc().format(TIMESTAMP).unwrap_or_else(|error| error.to_string());
        Self { timestamp, error: code.to_owned(), status: name, message, path: String::new(), details: None }
    }
}

impl From<&Problem> for ErrorBody {
    fn from(problem: &Problem) -> Self {
        Self::new(problem.status(), problem.detail())
    }
}
