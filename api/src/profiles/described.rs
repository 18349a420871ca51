//! What several operations share in the description of the service.

use utoipa::{IntoParams, IntoResponses};

use super::error_body::ErrorBody;
use super::wire::ProfileBody;

/// The profile as it is now.
#[derive(IntoResponses)]
#[response(status = 200, content_type = "application/json;charset=UTF-8")]
#[expect(dead_code, reason = "it is only described")]
pub(super) struct ProfileResponse(ProfileBody<'static>);

/// The condition of a change.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it is only described")]
pub(super) struct IfMatch {
    /// Tags of the versions that may be changed; others are answered 412.
    #[param(rename = "If-Match", pattern = r#"^\s*(\*|(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*)\s*$"#, example = "\"3\"")]
    if_match: Option<String>,
}

/// The errors of changes, in the order of the checks.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it is only described")]
pub(super) enum ChangeErrors {
    /// There is no such profile, or no such attribute.
    #[response(status = 404)]
    NotFound(ErrorBody),
    /// The caller may not change the profile.
    #[response(status = 403)]
    Forbidden(ErrorBody),
    /// The key, the body or a header cannot be used, or the profile would have too many attributes.
    #[response(status = 400)]
    Invalid(ErrorBody),
    /// The profile has another version than `If-Match` names, or one that `If-None-Match` names.
    #[response(status = 412)]
    Precondition(ErrorBody),
    /// The attributes would not conform to the schema. Nothing was changed.
    #[response(status = 422)]
    Violations(ErrorBody),
}

/// The answers to reads that have no profile.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it is only described")]
pub(super) enum ReadErrors {
    /// There is no such user, domain, profile or attribute.
    #[response(status = 404)]
    NotFound(ErrorBody),
    /// The caller may not read the profile.
    #[response(status = 403)]
    Forbidden(ErrorBody),
    /// The profile still has the version whose tag `If-None-Match` shows.
    #[response(status = 304)]
    NotModified,
}

/// The value of an attribute.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it is only described")]
pub(super) enum AttributeResponses {
    /// The value as it was written, byte for byte.
    #[response(status = 200, content_type = "text/plain;charset=UTF-8", example = json!("Banana"))]
    Value(String),
    /// The key is empty, too long, not UTF-8, or has control characters.
    #[response(status = 400)]
    InvalidKey(ErrorBody),
}
