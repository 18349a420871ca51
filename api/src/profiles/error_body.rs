//! The body of errors: `{"timestamp","status","error","message","path","details"?}`. What is wrong travels with the answer; the body is
//! written where the address of the request is known.

use axum::http::StatusCode;
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::StaticFormatDescription;
use time::macros::format_description;
use utoipa::ToSchema;

use crate::error::Problem;

/// `yyyy.MM.dd.HH.mm.ss`.
const TIMESTAMP: StaticFormatDescription = format_description!("[year].[month].[day].[hour].[minute].[second]");

/// What is wrong, for the body: an extension of the response.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// What is wrong, for programs.
    pub(super) code: &'static str,
    /// What is wrong, for people.
    pub(super) message: String,
    /// Each violation.
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
    /// Each violation of a schema, with 422 only: 1,000 lines and 64 KiB at most. Where there are more, the last line says how many, as in
    /// `… and 1234 more`; `message` has the number of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Vec<String>>,
}

impl ErrorBody {
    /// Makes the body for the address of a request.
    pub(super) fn new(status: StatusCode, told: Told, path: String, now: OffsetDateTime) -> Self {
        let name = status.canonical_reason().unwrap_or("Error");
        Self {
            timestamp: now.format(TIMESTAMP).unwrap_or_default(),
            status: name.to_uppercase().replace([' ', '-'], "_"),
            error: told.code,
            message: told.message,
            path,
            details: told.details,
        }
    }
}

impl From<&Problem> for Told {
    fn from(problem: &Problem) -> Self {
        let code = match problem {
            Problem::NoSuchPath(_) => "NOT_FOUND",
            Problem::MethodNotAllowed(_) => "METHOD_NOT_ALLOWED",
            Problem::NotOneHost => "INVALID_REQUEST",
            Problem::NoEncoding => "NOT_ACCEPTABLE",
            Problem::UriTooLong(_) => "URI_TOO_LONG",
            Problem::BodyTooSlow(_) => "REQUEST_TIMEOUT",
            Problem::Overloaded | Problem::TimedOut | Problem::NotLoaded(_) => "SERVICE_UNAVAILABLE",
            Problem::Internal => "INTERNAL_ERROR",
        };
        Self { code, message: problem.detail(), details: None }
    }
}
