//! What can be wrong with a request, and the status, code and headers that say so.

use std::borrow::Cow;

use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use store::{Refusal, Violations};

use super::directory::Outdated;
use super::error_body::{self, Explanation};
use super::source::{ProfileFault, WriteFault};
use crate::error::{Problem, shown};
use crate::tokens::TokenProblem;

/// For a full disk, in seconds: somebody has to make room first.
const RETRY_AFTER_FULL: HeaderValue = HeaderValue::from_static("30");

/// For an outdated directory, in seconds: its successor is tried every second.
const RETRY_AFTER_OUTDATED: HeaderValue = HeaderValue::from_static("5");

const CHALLENGE: &str = r#"Bearer realm="profile""#;

const CHALLENGE_INVALID_REQUEST: &str = r#"Bearer realm="profile", error="invalid_request""#;

const CHALLENGE_INVALID_TOKEN: &str = r#"Bearer realm="profile", error="invalid_token""#;

const CHALLENGE_INSUFFICIENT_SCOPE: &str = r#"Bearer realm="profile", error="insufficient_scope""#;

/// The answer of an operation, or why there is none.
pub(super) type ProfileResult = Result<Response, ProfileProblem>;

/// An error of an operation. The code is that of the status, unless it is named here.
#[derive(Debug)]
pub(super) enum ProfileProblem {
    /// There is no token: 401 `NO_TOKEN`.
    NoToken,
    /// The `Authorization` header cannot be read: 400.
    MalformedAuthorization,
    /// The token is not accepted: 401 `INVALID_JWT` or `TOKEN_EXPIRED`.
    Token(TokenProblem),
    /// The account is locked: 401 `ACCOUNT_LOCKED`.
    Locked,
    /// The caller is not allowed to do this: 403.
    Forbidden(&'static str),
    /// The caller is not in the search group: 403 with a challenge.
    MayNotSearch,
    /// 404.
    NotFound(String),
    /// A `POST` stands for an unknown method: 405 with the methods that exist.
    NoSuchMethod(HeaderValue),
    /// A part of the request is invalid: 400.
    Invalid(String),
    /// The body has more bytes than this: 413.
    BodyTooLarge(usize),
    /// The body is not JSON according to its headers: 415.
    NotJson,
    /// The owner already has a profile: 409.
    Conflict(String),
    /// The precondition does not hold for this version of the profile: 412.
    Precondition(u64),
    /// The attributes or the schema do not conform: 422.
    Violations(Violations),
    /// Permissions cannot be looked up: 503.
    Outdated,
    /// The store gives no answer: 500 or 503. The cause is logged.
    Fault(ProfileFault),
    /// An error that is not specific to an operation.
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
            Refusal::Precondition(version) => Self::Precondition(version),
            Refusal::TooManyAttributes(max) => {
                Self::Invalid(format!("The profile would have more than {max} attributes."))
            }
            Refusal::TooLarge(max) => Self::Invalid(format!("The profile would have more than {max} bytes.")),
            Refusal::Invalid(violations) => Self::Violations(violations),
            // The caller may be allowed again by now, but was not when it mattered.
            Refusal::NotPermitted => Self::Forbidden("You are not allowed to write this profile."),
        }
    }
}

impl ProfileProblem {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::NoToken | Self::Token(_) | Self::Locked => StatusCode::UNAUTHORIZED,
            Self::MalformedAuthorization | Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::Forbidden(_) | Self::MayNotSearch => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::NoSuchMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Precondition(_) => StatusCode::PRECONDITION_FAILED,
            Self::Violations(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Fault(ProfileFault::Fault(_)) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Outdated | Self::Fault(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Common(problem) => problem.status(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NoToken => "NO_TOKEN",
            Self::Token(TokenProblem::Expired) => "TOKEN_EXPIRED",
            Self::Token(_) => "INVALID_JWT",
            Self::Locked => "ACCOUNT_LOCKED",
            _ => error_body::code(self.status()),
        }
    }
}

impl IntoResponse for ProfileProblem {
    fn into_response(self) -> Response {
        let (status, code) = (self.status(), self.code());
        let challenge = |challenge| Some((header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge)));
        let bad_token = |message: &str| (message.to_owned(), challenge(CHALLENGE_INVALID_TOKEN));
        let (message, header) = match self {
            Self::NoToken => ("Token not supplied".to_owned(), challenge(CHALLENGE)),
            Self::MalformedAuthorization => {
                let message = "The Authorization header must be there once, and be `Bearer` and one token.";
                (message.to_owned(), challenge(CHALLENGE_INVALID_REQUEST))
            }
            Self::Token(TokenProblem::Expired) => bad_token("Supplied Token has been expired"),
            Self::Token(TokenProblem::Foreign) => bad_token("Supplied Token is not valid for this server"),
            Self::Token(TokenProblem::NoToken) => bad_token("Supplied Token is not a valid JWT token"),
            Self::Locked => bad_token("Account is locked"),
            Self::Forbidden(message) => (message.to_owned(), None),
            Self::MayNotSearch => {
                let message = "You are not in the group of those who may search.";
                (message.to_owned(), challenge(CHALLENGE_INSUFFICIENT_SCOPE))
            }
            Self::NotFound(message) | Self::Invalid(message) | Self::Conflict(message) => (message, None),
            Self::NoSuchMethod(allowed) => {
                (Problem::MethodNotAllowed(Method::POST).detail(), Some((header::ALLOW, allowed)))
            }
            Self::BodyTooLarge(max) => (format!("The body has more than {max} bytes."), None),
            Self::NotJson => {
                let message = "The body must be sent as `Content-Type: application/json`, not compressed.";
                (message.to_owned(), None)
            }
            Self::Precondition(version) => {
                (format!("The profile has version {version}, which the request does not allow."), None)
            }
            Self::Violations(violations) => return respond(status, explain(violations), None),
            Self::Outdated => {
                let message = "Rights cannot be looked up: there is a newer directory that cannot be read.";
                (message.to_owned(), Some((header::RETRY_AFTER, RETRY_AFTER_OUTDATED)))
            }
            Self::Fault(fault) => return failed(fault, status, code),
            Self::Common(problem) => return problem.into_response(),
        };
        respond(status, Explanation { code, message, details: None }, header)
    }
}

/// Explains how attributes or a schema do not conform.
fn explain(violations: Violations) -> Explanation {
    let num = violations.num_violations();
    let title: String = violations.title.unwrap_or_default().chars().filter(|letter| !letter.is_control()).collect();
    let name = if title.is_empty() { Cow::Borrowed("schema") } else { shown(&title) };
    let message = format!("Data does not conform to {name}. There are {num} error(s).");
    let mut details = violations.details;
    if violations.num_omitted > 0 {
        details.push(format!("… and {} more", violations.num_omitted));
    }
    let code = error_body::code(StatusCode::UNPROCESSABLE_ENTITY);
    Explanation { code, message, details: Some(details) }
}

/// Logs why the store gave no answer, and responds.
fn failed(fault: ProfileFault, status: StatusCode, code: &'static str) -> Response {
    let (message, header) = match fault {
        ProfileFault::Overloaded => return Problem::Overloaded.into_response(),
        ProfileFault::NoRoom(cause) => {
            tracing::error!(cause, "a profile was not written");
            let message = "There is no room left to write safely; nothing was changed. Try again when there is.";
            (message, Some((header::RETRY_AFTER, RETRY_AFTER_FULL)))
        }
        ProfileFault::Failed(cause) => {
            tracing::error!(cause, "the store of profiles does not work any more");
            ("The store of profiles has failed: the service must be restarted.", None)
        }
        ProfileFault::Fault(error) => {
            tracing::error!(%error, "the store of profiles failed");
            return Problem::Internal.into_response();
        }
    };
    respond(status, Explanation { code, message: message.to_owned(), details: None }, header)
}

/// Makes an answer whose body is written by [`super::headers::complete`].
fn respond(status: StatusCode, explanation: Explanation, header: Option<(HeaderName, HeaderValue)>) -> Response {
    let mut response = status.into_response();
    response.headers_mut().extend(header);
    response.extensions_mut().insert(explanation);
    response
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::super::error_body::ErrorBody;
    use super::*;

    fn body(problem: ProfileProblem) -> String {
        let mut response = problem.into_response();
        let explanation = response.extensions_mut().remove::<Explanation>();
        let common = response.extensions_mut().remove::<Problem>();
        let explanation = explanation.or_else(|| common.as_ref().map(Explanation::from)).expect("a problem");
        let now = datetime!(2018-05-09 16:19:18 UTC);
        let body = ErrorBody::new(response.status(), explanation, "http://a.org/profiles".to_owned(), now);
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
            ProfileProblem::Violations(Violations { title, details: details.clone(), num_omitted: 0 })
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
            let explanation = explain(Violations { title: Some(title), details: details.clone(), num_omitted: 1234 });
            assert_eq!(explanation.message, format!("Data does not conform to {name}. There are 1235 error(s)."));
            assert_eq!(explanation.details.as_deref(), Some(&lines[..]));
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
            (ProfileProblem::NotJson, "UNSUPPORTED_MEDIA_TYPE", "UNSUPPORTED_MEDIA_TYPE"),
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
