//! What can be wrong with a request, and which status, code and headers say so.

use std::borrow::Cow;

use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use store::{Refusal, Violations};

use super::directory::Outdated;
use super::error_body::Told;
use super::source::{ProfileFault, WriteFault};
use crate::error::{Problem, shown};
use crate::tokens::TokenProblem;

/// After how many seconds to try again when the disk is full: somebody has to make room first.
const RETRY_AFTER_FULL_S: HeaderValue = HeaderValue::from_static("30");

/// After how many seconds to try again when the directory is outdated: its successor is tried every second.
const RETRY_AFTER_OUTDATED_S: HeaderValue = HeaderValue::from_static("5");

/// What is said to who has no token, and has not tried.
const CHALLENGE: HeaderValue = HeaderValue::from_static(r#"Bearer realm="profile""#);

/// What is said to who sends a header that cannot be read.
const CHALLENGE_INVALID_REQUEST: HeaderValue =
    HeaderValue::from_static(r#"Bearer realm="profile", error="invalid_request""#);

/// What is said to who has a bad token.
const CHALLENGE_INVALID_TOKEN: HeaderValue =
    HeaderValue::from_static(r#"Bearer realm="profile", error="invalid_token""#);

/// What is said to who is not in the group that the operation wants.
const CHALLENGE_INSUFFICIENT_SCOPE: HeaderValue =
    HeaderValue::from_static(r#"Bearer realm="profile", error="insufficient_scope""#);

/// What an operation comes to.
pub(super) type ProfileResult = Result<Response, ProfileProblem>;

/// An error of an operation.
#[derive(Debug)]
pub(super) enum ProfileProblem {
    /// There is no token: 401 `NO_TOKEN`.
    NoToken,
    /// The `Authorization` header cannot be read: 400 `INVALID_REQUEST`.
    MalformedAuthorization,
    /// The token is not good: 401 `INVALID_JWT` or `TOKEN_EXPIRED`.
    Token(TokenProblem),
    /// The account is locked: 401 `ACCOUNT_LOCKED`.
    Locked,
    /// The caller may not do that, as the sentence says: 403 `FORBIDDEN`.
    Forbidden(&'static str),
    /// The caller is not in the group of those who may search: 403 `FORBIDDEN`, with a challenge that says so.
    MayNotSearch,
    /// There is no such thing, as the text says: 404 `NOT_FOUND`.
    NotFound(String),
    /// A `POST` stands for no method that is known: 405 `METHOD_NOT_ALLOWED`, with the methods that there are.
    NoSuchMethod(HeaderValue),
    /// Something of the request cannot be used, as the sentence says: 400 `INVALID_REQUEST`.
    Invalid(String),
    /// The body has more bytes than that: 413 `PAYLOAD_TOO_LARGE`.
    BodyTooLarge(usize),
    /// The body is no JSON by its headers: 415 `UNSUPPORTED_MEDIA_TYPE`.
    NoJson,
    /// The owner has a profile already, as the sentence says: 409 `CONFLICT`.
    Conflict(String),
    /// The precondition of the request does not hold: 412 `PRECONDITION_FAILED`.
    Precondition {
        /// The version of the profile.
        version: u64,
    },
    /// Attributes or schema do not conform: 422 `VALIDATION_FAILED`.
    Violations(Violations),
    /// Nobody knows who belongs to which domain and who is locked: 503 `SERVICE_UNAVAILABLE`.
    Outdated,
    /// The store gives no answer: 500 or 503. The cause goes to the log.
    Fault(ProfileFault),
    /// An error that is not of one operation.
    Common(Problem),
}

impl From<Outdated> for ProfileProblem {
    fn from(_: Outdated) -> Self {
        Self::Outdated
    }
}

impl From<ProfileFault> for ProfileProblem {
    fn from(fault: ProfileFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<WriteFault> for ProfileProblem {
    fn from(fault: WriteFault) -> Self {
        let refusal = match fault {
            WriteFault::Refused(refusal) => refusal,
            WriteFault::Fault(fault) => return Self::Fault(fault),
        };
        match refusal {
            Refusal::Exists(profile) => Self::Conflict(format!("The owner has the profile {profile} already.")),
            Refusal::NoProfile => Self::NotFound("Profile was not found".to_owned()),
            Refusal::NoAttribute => Self::NotFound("Attribute was not found".to_owned()),
            Refusal::Precondition(version) => Self::Precondition { version },
            Refusal::TooManyAttributes(max) => {
                Self::Invalid(format!("The profile would have more than {max} attributes."))
            }
            Refusal::TooLarge(max) => Self::Invalid(format!("The profile would have more than {max} bytes.")),
            Refusal::Invalid(violations) => Self::Violations(violations),
            // A right that was taken away is back already: it was not there when it was asked for.
            Refusal::NotPermitted => Self::Forbidden("You are not allowed to write this profile."),
        }
    }
}

impl ProfileProblem {
    /// Returns the status of the answer.
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::NoToken | Self::Token(_) | Self::Locked => StatusCode::UNAUTHORIZED,
            Self::MalformedAuthorization | Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::Forbidden(_) | Self::MayNotSearch => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::NoSuchMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NoJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Precondition { .. } => StatusCode::PRECONDITION_FAILED,
            Self::Violations(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Outdated
            | Self::Fault(ProfileFault::Overloaded | ProfileFault::NoRoom(_) | ProfileFault::Failed(_)) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Fault(ProfileFault::Fault(_)) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Common(problem) => problem.status(),
        }
    }
}

impl IntoResponse for ProfileProblem {
    fn into_response(self) -> Response {
        let status = self.status();
        let challenged =
            |code, message, challenge| respond(status, code, message, Some((header::WWW_AUTHENTICATE, challenge)));
        let bad_token = |code, message| challenged(code, message, CHALLENGE_INVALID_TOKEN);
        let invalid = "INVALID_REQUEST";
        match self {
            Self::NoToken => challenged("NO_TOKEN", "Token not supplied", CHALLENGE),
            Self::MalformedAuthorization => {
                let message = "The Authorization header must be there once, and be `Bearer` and one token.";
                challenged(invalid, message, CHALLENGE_INVALID_REQUEST)
            }
            Self::Token(TokenProblem::Expired) => bad_token("TOKEN_EXPIRED", "Supplied Token has been expired"),
            Self::Token(TokenProblem::Foreign) => {
                bad_token("INVALID_JWT", "Supplied Token is not valid for this server")
            }
            Self::Token(TokenProblem::NoToken) => bad_token("INVALID_JWT", "Supplied Token is not a valid JWT token"),
            Self::Locked => bad_token("ACCOUNT_LOCKED", "Account is locked"),
            Self::Forbidden(message) => respond(status, "FORBIDDEN", message, None),
            Self::MayNotSearch => {
                let message = "You are not in the group of those who may search.";
                challenged("FORBIDDEN", message, CHALLENGE_INSUFFICIENT_SCOPE)
            }
            Self::NotFound(message) => respond(status, "NOT_FOUND", message, None),
            Self::NoSuchMethod(allowed) => {
                let told = Told::from(&Problem::MethodNotAllowed(Method::POST));
                respond(status, told.code, told.message, Some((header::ALLOW, allowed)))
            }
            Self::Invalid(message) => respond(status, invalid, message, None),
            Self::BodyTooLarge(max) => {
                respond(status, "PAYLOAD_TOO_LARGE", format!("The body has more than {max} bytes."), None)
            }
            Self::NoJson => {
                let message = "The body must be sent as `Content-Type: application/json`, not compressed.";
                respond(status, "UNSUPPORTED_MEDIA_TYPE", message, None)
            }
            Self::Conflict(message) => respond(status, "CONFLICT", message, None),
            Self::Precondition { version } => {
                let message = format!("The profile has version {version}, which the request does not allow.");
                respond(status, "PRECONDITION_FAILED", message, None)
            }
            Self::Violations(violations) => tell(status, told_of(violations), None),
            Self::Outdated => {
                let message = "Rights cannot be looked up: there is a newer directory that cannot be read.";
                respond(status, "SERVICE_UNAVAILABLE", message, Some((header::RETRY_AFTER, RETRY_AFTER_OUTDATED_S)))
            }
            Self::Fault(fault) => failed(fault, status),
            Self::Common(problem) => problem.into_response(),
        }
    }
}

/// Returns what is said of what does not conform to a schema.
fn told_of(violations: Violations) -> Told {
    let num = violations.num_violations();
    let title: String = violations.title.unwrap_or_default().chars().filter(|letter| !letter.is_control()).collect();
    let name = if title.is_empty() { Cow::Borrowed("schema") } else { shown(&title) };
    let message = format!("Data does not conform to {name}. There are {num} error(s).");
    let mut details = violations.details;
    if violations.num_untold > 0 {
        details.push(format!("… and {} more", violations.num_untold));
    }
    Told { code: "VALIDATION_FAILED", message, details: Some(details) }
}

/// Returns the answer where the store gives none, and logs why.
fn failed(fault: ProfileFault, status: StatusCode) -> Response {
    let unavailable = |message, header| respond(status, "SERVICE_UNAVAILABLE", message, header);
    match fault {
        ProfileFault::Overloaded => Problem::Overloaded.into_response(),
        ProfileFault::NoRoom(cause) => {
            tracing::error!(cause, "a profile was not written");
            let message = "There is no room left to write safely; nothing was changed. Try again when there is.";
            unavailable(message, Some((header::RETRY_AFTER, RETRY_AFTER_FULL_S)))
        }
        ProfileFault::Failed(cause) => {
            tracing::error!(cause, "the store of profiles does not work any more");
            unavailable("The store of profiles has failed: the service must be restarted.", None)
        }
        ProfileFault::Fault(error) => {
            tracing::error!(%error, "the store of profiles failed");
            Problem::Internal.into_response()
        }
    }
}

/// Makes an answer without details.
fn respond(
    status: StatusCode,
    code: &'static str,
    message: impl Into<String>,
    header: Option<(HeaderName, HeaderValue)>,
) -> Response {
    tell(status, Told { code, message: message.into(), details: None }, header)
}

/// Makes an answer whose body is still to be written.
fn tell(status: StatusCode, told: Told, header: Option<(HeaderName, HeaderValue)>) -> Response {
    let mut response = status.into_response();
    response.headers_mut().extend(header);
    response.extensions_mut().insert(told);
    response
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::super::error_body::ErrorBody;
    use super::*;

    fn body(problem: ProfileProblem) -> String {
        let mut response = problem.into_response();
        let told = response.extensions_mut().remove::<Told>();
        let common = response.extensions_mut().remove::<Problem>();
        let told = told.or_else(|| common.as_ref().map(Told::from)).expect("a problem");
        let now = datetime!(2018-05-09 16:19:18 UTC);
        let body = ErrorBody::new(response.status(), told, "http://a.org/profiles".to_owned(), now);
        serde_json::to_string(&body).expect("JSON")
    }

    fn challenge(problem: ProfileProblem) -> String {
        problem.into_response().headers()[header::WWW_AUTHENTICATE].to_str().expect("text").to_owned()
    }

    #[test]
    fn bodies_are_as_documented() {
        let details = vec!["$.a: must be at least 3 characters long".to_owned(), "$.b: is missing".to_owned()];
        let violations = |title: Option<&str>| {
            let title = title.map(str::to_owned);
            ProfileProblem::Violations(Violations { title, details: details.clone(), num_untold: 0 })
        };
        assert_eq!(
            body(violations(Some("Billing"))),
            r#"{"timestamp":"2018.05.09.16.19.18","status":"UNPROCESSABLE_ENTITY","error":"VALIDATION_FAILED","message":"Data does not conform to Billing. There are 2 error(s).","path":"http://a.org/profiles","details":["$.a: must be at least 3 characters long","$.b: is missing"]}"#
        );
        assert!(body(violations(None)).contains("Data does not conform to schema. There are 2 error(s)."));
        assert_eq!(
            body(ProfileProblem::NoToken),
            r#"{"timestamp":"2018.05.09.16.19.18","status":"UNAUTHORIZED","error":"NO_TOKEN","message":"Token not supplied","path":"http://a.org/profiles"}"#
        );
        assert_eq!(
            body(ProfileProblem::Fault(ProfileFault::Fault("disk sda1".into()))),
            r#"{"timestamp":"2018.05.09.16.19.18","status":"INTERNAL_SERVER_ERROR","error":"INTERNAL_ERROR","message":"Internal server error.","path":"http://a.org/profiles"}"#
        );
    }

    #[test]
    fn titles_are_cut_and_lines_that_are_not_told_are_counted() {
        let lines = ["$.a: is missing", "… and 1234 more"].map(str::to_owned);
        let details = vec![lines[0].clone()];
        for (title, name) in [
            ("a\u{0}\n\u{7f}b".to_owned(), "ab".to_owned()),
            ("é".repeat(201), format!("{}…", "é".repeat(200))),
            ("é".repeat(200), "é".repeat(200)),
            ("\t".to_owned(), "schema".to_owned()),
        ] {
            let told = told_of(Violations { title: Some(title), details: details.clone(), num_untold: 1234 });
            assert_eq!(told.message, format!("Data does not conform to {name}. There are 1235 error(s)."));
            assert_eq!(told.details.as_deref(), Some(&lines[..]));
        }
    }

    #[test]
    fn status_and_code_are_told_in_words() {
        for (problem, status, code) in [
            (ProfileProblem::Token(TokenProblem::Expired), "UNAUTHORIZED", "TOKEN_EXPIRED"),
            (ProfileProblem::Token(TokenProblem::Foreign), "UNAUTHORIZED", "INVALID_JWT"),
            (ProfileProblem::Token(TokenProblem::NoToken), "UNAUTHORIZED", "INVALID_JWT"),
            (ProfileProblem::Locked, "UNAUTHORIZED", "ACCOUNT_LOCKED"),
            (ProfileProblem::MalformedAuthorization, "BAD_REQUEST", "INVALID_REQUEST"),
            (ProfileProblem::Forbidden("No."), "FORBIDDEN", "FORBIDDEN"),
            (ProfileProblem::NoSuchMethod(HeaderValue::from_static("GET")), "METHOD_NOT_ALLOWED", "METHOD_NOT_ALLOWED"),
            (ProfileProblem::BodyTooLarge(9), "PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE"),
            (ProfileProblem::NoJson, "UNSUPPORTED_MEDIA_TYPE", "UNSUPPORTED_MEDIA_TYPE"),
            (WriteFault::Refused(Refusal::Precondition(3)).into(), "PRECONDITION_FAILED", "PRECONDITION_FAILED"),
            (WriteFault::Refused(Refusal::TooManyAttributes(3)).into(), "BAD_REQUEST", "INVALID_REQUEST"),
            (ProfileProblem::Fault(ProfileFault::NoRoom(String::new())), "SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"),
            (ProfileProblem::Common(Problem::UriTooLong(9)), "URI_TOO_LONG", "URI_TOO_LONG"),
            (ProfileProblem::Common(Problem::BodyTooSlow(9)), "REQUEST_TIMEOUT", "REQUEST_TIMEOUT"),
        ] {
            let body = body(problem);
            assert!(body.contains(&format!(r#""status":"{status}","error":"{code}","#)), "{body}");
        }
    }

    #[test]
    fn challenges_say_what_is_wrong_with_a_token_and_nothing_without() {
        assert_eq!(challenge(ProfileProblem::NoToken), r#"Bearer realm="profile""#);
        assert!(challenge(ProfileProblem::Locked).ends_with(r#", error="invalid_token""#));
        assert!(challenge(ProfileProblem::MalformedAuthorization).ends_with(r#", error="invalid_request""#));
        assert!(challenge(ProfileProblem::MayNotSearch).ends_with(r#", error="insufficient_scope""#));
        let forbidden = ProfileProblem::Forbidden("No.").into_response();
        assert!(!forbidden.headers().contains_key(header::WWW_AUTHENTICATE));
    }

    #[test]
    fn a_full_disk_says_when_to_come_again_and_a_failed_store_that_it_must_be_restarted() {
        let full = ProfileProblem::Fault(ProfileFault::NoRoom("9 bytes".to_owned())).into_response();
        assert!(full.headers().contains_key(header::RETRY_AFTER));
        let text = body(ProfileProblem::Fault(ProfileFault::Failed("EIO at sector 7".to_owned())));
        assert!(text.contains("must be restarted") && !text.contains("sector"), "{text}");
    }
}
