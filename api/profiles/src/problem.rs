//! Problems of requests, each with its status, code and headers.

use std::borrow::Cow;

use api_http::error::{Problem, RETRY_AFTER_S, shown};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use store_profiles::{ProfileFault, Refusal, Violations};

use super::error_body::ErrorBody;
use super::sources::directory::Outdated;
use crate::tokens::TokenProblem;

/// The pause after a full disk, in seconds: an operator has to make room first.
const RETRY_AFTER_FULL: &str = "30";

/// The pause after an outdated directory, in seconds: its successor is tried every second.
const RETRY_AFTER_OUTDATED: &str = "5";

const CHALLENGE: &str = r#"Bearer realm="profile""#;

const CHALLENGE_INVALID_REQUEST: &str = r#"Bearer realm="profile", error="invalid_request""#;

const CHALLENGE_INVALID_TOKEN: &str = r#"Bearer realm="profile", error="invalid_token""#;

const CHALLENGE_INSUFFICIENT_SCOPE: &str = r#"Bearer realm="profile", error="insufficient_scope""#;

/// The answer of an operation, or its problem.
pub(super) type ProfileResult = Result<Response, ProfileProblem>;

#[derive(Debug)]
pub(super) struct ProfileProblem {
    status: StatusCode,
    body: Box<ErrorBody>,
    header: Option<(HeaderName, &'static str)>,
}

impl ProfileProblem {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, body: Box::new(ErrorBody::new(status, message.into())), header: None }
    }

    fn with_header(self, name: HeaderName, value: &'static str) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    fn unauthorized(code: &'static str, message: &str, challenge: &'static str) -> Self {
        let mut problem = Self::new(StatusCode::UNAUTHORIZED, message).with_header(header::WWW_AUTHENTICATE, challenge);
        problem.body.error = code.into();
        problem
    }

    pub(super) fn no_token() -> Self {
        Self::unauthorized("NO_TOKEN", "Token not supplied", CHALLENGE)
    }

    pub(super) fn malformed_authorization() -> Self {
        Self::invalid("A request needs exactly one Authorization header, with `Bearer` and one token.")
            .with_header(header::WWW_AUTHENTICATE, CHALLENGE_INVALID_REQUEST)
    }

    pub(super) fn locked() -> Self {
        Self::unauthorized("ACCOUNT_LOCKED", "Account is locked", CHALLENGE_INVALID_TOKEN)
    }

    pub(super) fn forbidden(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    pub(super) fn may_not_search() -> Self {
        Self::forbidden("You are not in the group that may search.")
            .with_header(header::WWW_AUTHENTICATE, CHALLENGE_INSUFFICIENT_SCOPE)
    }

    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// A `POST` that stands for an unknown method; `allowed` are the methods of the path.
    pub(super) fn no_such_method(allowed: &'static str) -> Self {
        Self::from(Problem::MethodNotAllowed(Method::POST)).with_header(header::ALLOW, allowed)
    }

    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn exists(profile: store::ProfileReference) -> Self {
        Self::new(StatusCode::CONFLICT, format!("The owner already has the profile {profile}."))
    }

    /// Attributes or a schema do not conform.
    pub(super) fn violations(violations: Violations) -> Self {
        let num = violations.num_violations();
        let title = violations.title.unwrap_or_default();
        let title: String = title.chars().filter(|letter| !letter.is_control()).collect();
        let name = if title.is_empty() { Cow::Borrowed("schema") } else { shown(&title) };
        let message = format!("Data does not conform to {name}. There are {num} error(s).");
        let mut problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, message);
        let mut details = violations.details;
        if violations.num_omitted > 0 {
            details.push(format!("… and {} more", violations.num_omitted));
        }
        problem.body.details = Some(details);
        problem
    }

    pub(super) fn status(&self) -> StatusCode {
        self.status
    }
}

impl From<Problem> for ProfileProblem {
    fn from(problem: Problem) -> Self {
        let status = problem.status();
        let retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some((header::RETRY_AFTER, RETRY_AFTER_S));
        Self { status, body: Box::new(ErrorBody::from(&problem)), header: retry_after }
    }
}

impl From<TokenProblem> for ProfileProblem {
    fn from(problem: TokenProblem) -> Self {
        let (code, message) = match problem {
            TokenProblem::Expired => ("TOKEN_EXPIRED", "Supplied Token has been expired"),
            TokenProblem::Foreign => ("INVALID_JWT", "Supplied Token is not valid for this server"),
            TokenProblem::NoToken => ("INVALID_JWT", "Supplied Token is not a valid JWT token"),
        };
        Self::unauthorized(code, message, CHALLENGE_INVALID_TOKEN)
    }
}

impl From<Outdated> for ProfileProblem {
    fn from(_: Outdated) -> Self {
        let message = "Permissions cannot be checked: there is a newer directory that cannot be read.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).with_header(header::RETRY_AFTER, RETRY_AFTER_OUTDATED)
    }
}

impl From<Refusal> for ProfileProblem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Exists(profile) => Self::exists(profile),
            Refusal::NoProfile => Self::not_found("Profile was not found"),
            Refusal::NoAttribute => Self::not_found("Attribute was not found"),
            Refusal::Precondition(version) => {
                let message = format!("The profile has version {version}, which the request does not allow.");
                Self::new(StatusCode::PRECONDITION_FAILED, message)
            }
            Refusal::TooManyAttributes(max) => {
                Self::invalid(format!("The profile would have more than {max} attributes."))
            }
            Refusal::TooLarge(max) => Self::invalid(format!("The profile would have more than {max} bytes.")),
            Refusal::Invalid(violations) => Self::violations(violations),
            // The caller may be allowed again by now, but was not at the time of the write.
            Refusal::NotPermitted => Self::forbidden("You are not allowed to write this profile."),
        }
    }
}

impl From<ProfileFault> for ProfileProblem {
    /// Logs the cause, which the answer leaves out.
    fn from(fault: ProfileFault) -> Self {
        match fault {
            ProfileFault::Refused(refusal) => refusal.into(),
            ProfileFault::Overloaded => Problem::Overloaded.into(),
            ProfileFault::Failed(error @ store::Error::NoRoom { .. }) => {
                tracing::error!(cause = %error, "a profile was not written");
                let message = "There is too little disk space to write safely; nothing was changed. Try again when there is more.";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, message).with_header(header::RETRY_AFTER, RETRY_AFTER_FULL)
            }
            ProfileFault::Failed(error @ store::Error::ProfilesFailed(_)) => {
                tracing::error!(cause = %error, "the store of profiles has failed, and the service must be restarted");
                let message = "The store of profiles has failed: the service must be restarted.";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
            }
            // A failed write or sync is the error above, so nothing was changed.
            ProfileFault::Failed(error @ store::Error::Io { .. }) => {
                tracing::error!(%error, "the store of profiles could not be read");
                let message = "The store of profiles could not be read; nothing was changed. Try again.";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, message).with_header(header::RETRY_AFTER, RETRY_AFTER_S)
            }
            ProfileFault::Failed(error) => {
                tracing::error!(%error, "the store of profiles failed");
                Problem::Internal.into()
            }
            ProfileFault::Unavailable(cause) => {
                tracing::error!(%cause, "the store of profiles is unavailable");
                let message = "The store of profiles cannot be reached; nothing was changed. Try again.";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, message).with_header(header::RETRY_AFTER, RETRY_AFTER_S)
            }
            ProfileFault::Unknown(cause) => {
                tracing::error!(%cause, "it is unknown whether a profile was written");
                // Reading first would not help: the write may still be in progress.
                let message = "The connection to the store of profiles was lost during the write, which may have succeeded. Try again with \
                               If-Match and the version that you wanted to change, so that it is changed at most once.";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
            }
        }
    }
}

impl IntoResponse for ProfileProblem {
    /// The body is written by [`super::headers::complete`].
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response.extensions_mut().insert(*self.body);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(problem: ProfileProblem) -> String {
        let mut response = problem.into_response();
        let body = response.extensions_mut().remove::<ErrorBody>().expect("a problem");
        assert_eq!(body.timestamp.len(), "2018.05.09.16.19.18".len());
        let (timestamp, path) = ("2018.05.09.16.19.18".to_owned(), "http://a.org/profiles".to_owned());
        serde_json::to_string(&ErrorBody { timestamp, path, ..body }).expect("JSON")
    }

    fn full() -> ProfileFault {
        store::Error::NoRoom { path: "/".into(), available_bytes: 9, needed_bytes: 99 }.into()
    }

    #[test]
    fn bodies_are_as_documented() {
        let details = vec!["$.a: must be at least 3 characters long".to_owned(), "$.b: is missing".to_owned()];
        let violations = |title: Option<&str>| {
            let title = title.map(str::to_owned);
            ProfileProblem::violations(Violations { title, details: details.clone(), num_omitted: 0 })
        };
        assert_eq!(
            body(violations(Some("Billing"))),
            r#"{"timestamp":"2018.05.09.16.19.18","status":"UNPROCESSABLE_ENTITY","error":"VALIDATION_FAILED","message":"Data does not conform to Billing. There are 2 error(s).","path":"http://a.org/profiles","details":["$.a: must be at least 3 characters long","$.b: is missing"]}"#
        );
        assert!(body(violations(None)).contains("Data does not conform to schema. There are 2 error(s)."));
        assert_eq!(
            body(ProfileProblem::no_token()),
            r#"{"timestamp":"2018.05.09.16.19.18","status":"UNAUTHORIZED","error":"NO_TOKEN","message":"Token not supplied","path":"http://a.org/profiles"}"#
        );
        assert_eq!(
            body(ProfileFault::from(store::Error::Catalogue("disk sda1".to_owned())).into()),
            r#"{"timestamp":"2018.05.09.16.19.18","status":"INTERNAL_SERVER_ERROR","error":"INTERNAL_ERROR","message":"Internal server error.","path":"http://a.org/profiles"}"#
        );
    }

    #[test]
    fn titles_are_cut_and_omitted_lines_are_counted() {
        let lines = ["$.a: is missing", "… and 1234 more"].map(str::to_owned);
        let details = vec![lines[0].clone()];
        for (title, name) in [
            ("a\u{0}\n\u{7f}b".to_owned(), "ab".to_owned()),
            ("é".repeat(201), format!("{}…", "é".repeat(200))),
            ("é".repeat(200), "é".repeat(200)),
            ("\t".to_owned(), "schema".to_owned()),
        ] {
            let body = ProfileProblem::violations(Violations {
                title: Some(title),
                details: details.clone(),
                num_omitted: 1234,
            })
            .body;
            assert_eq!(body.message, format!("Data does not conform to {name}. There are 1235 error(s)."));
            assert_eq!(body.details.as_deref(), Some(&lines[..]));
        }
    }

    #[test]
    fn full_disks_get_retry_after_and_failed_stores_need_a_restart() {
        let full = ProfileProblem::from(full()).into_response();
        assert!(full.headers().contains_key(header::RETRY_AFTER));
        let text = body(ProfileFault::from(store::Error::ProfilesFailed("EIO at sector 7".to_owned())).into());
        assert!(text.contains("must be restarted") && !text.contains("sector"), "{text}");
    }

    #[test]
    fn failures_before_a_write_may_be_retried() {
        let unread = || {
            let error = store::Error::io("cannot read", "/db".as_ref())(std::io::Error::other("EMFILE"));
            ProfileProblem::from(ProfileFault::from(error))
        };
        let response = unread().into_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(response.headers().contains_key(header::RETRY_AFTER));
        let text = body(unread());
        assert!(text.contains("nothing was changed") && !text.contains("EMFILE"), "{text}");
    }
}
