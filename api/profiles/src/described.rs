//! The parameters and responses of the operations, as they are described.

#![expect(dead_code, reason = "they are only described")]

use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{IntoParams, IntoResponses, PartialSchema, ToSchema};

use super::error_body::ErrorBody;
use super::wire::{ProfileBody, UserSummary};

/// The profile as it is now.
#[derive(IntoResponses)]
#[response(status = 200, content_type = "application/json;charset=UTF-8")]
pub(super) struct ProfileResponse(ProfileBody<'static>);

/// The condition of a change.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub(super) struct IfMatch {
    /// Tags of the versions that may be changed; others are answered 412.
    #[param(rename = "If-Match", pattern = r#"^\s*(\*|(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*)\s*$"#, example = "\"3\"")]
    if_match: Option<String>,
}

/// The attribute of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct AttributeKey {
    /// The key, percent-encoded: `centre%20name`, `a%2Fb`.
    #[param(pattern = r"^[^\u0000-\u001F\u007F-\u009F]{1,255}$", example = "centre name")]
    attribute_key: String,
}

/// Attributes by their keys.
pub(super) struct AttributesBody;

impl PartialSchema for AttributesBody {
    fn schema() -> RefOr<Schema> {
        let keys = AttributeKey::into_params(|| None).pop().and_then(|parameter| match parameter.schema {
            Some(RefOr::T(schema)) => Some(schema),
            _ => None,
        });
        let value = ObjectBuilder::new().schema_type(SchemaType::Type(Type::String));
        ObjectBuilder::new().additional_properties(Some(value)).property_names(keys).into()
    }
}

impl ToSchema for AttributesBody {}

/// The methods that a `POST` may stand for.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(super) enum MeantMethod {
    /// Changes attributes.
    Patch,
}

/// The errors of changes, in the order of the checks.
#[derive(IntoResponses)]
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

/// The answers to an erasure, errors in the order of the checks.
#[derive(IntoResponses)]
pub(super) enum ErasureResponses {
    /// The profile is erased.
    #[response(status = 204)]
    Erased,
    /// There is no such profile.
    #[response(status = 404)]
    NotFound(ErrorBody),
    /// The caller is no administrator.
    #[response(status = 403)]
    Forbidden(ErrorBody),
    /// A header cannot be used.
    #[response(status = 400)]
    Invalid(ErrorBody),
    /// The profile has another version than `If-Match` names, or one that `If-None-Match` names.
    #[response(status = 412)]
    Precondition(ErrorBody),
}

/// The answers to reads that have no profile.
#[derive(IntoResponses)]
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

/// The answers to the creation of a profile.
#[derive(IntoResponses)]
pub(super) enum CreationResponses {
    /// The profile.
    #[response(
        status = 201, content_type = "application/json;charset=UTF-8",
        headers(("Location" = String, description = "Its address."), ("ETag" = String, description = "Its version.")),
    )]
    Created(ProfileBody<'static>),
    /// The body cannot be used: not exactly one of `user` and `domain`, a schema for a user, a value that is not a string, a duplicate key, a limit.
    #[response(status = 400)]
    Invalid(ErrorBody),
    /// The user is somebody else, or the caller does not manage the domain.
    #[response(status = 403)]
    Forbidden(ErrorBody),
    /// There is no such domain, or no such user.
    #[response(status = 404)]
    NotFound(ErrorBody),
    /// The user or the domain has a profile.
    #[response(status = 409)]
    Exists(ErrorBody),
    /// The schema cannot be used, or the attributes do not conform to it; `details` has a line for each defect.
    #[response(status = 422)]
    Violations(ErrorBody),
}

/// The value of an attribute.
#[derive(IntoResponses)]
pub(super) enum AttributeResponses {
    /// The value as it was written, byte for byte.
    #[response(status = 200, content_type = "text/plain;charset=UTF-8", example = json!("Banana"))]
    Value(String),
    /// The key is empty, too long, not UTF-8, or has control characters.
    #[response(status = 400)]
    InvalidKey(ErrorBody),
}

/// The keys that users can be searched by.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(super) enum SearchedKey {
    /// The address, ignoring the case of ASCII letters.
    Email,
    /// The name.
    Name,
}

/// The answers to a search.
#[derive(IntoResponses)]
pub(super) enum SearchResponses {
    /// The users, possibly none.
    #[response(status = 200, content_type = "application/json;charset=UTF-8")]
    Users(Vec<UserSummary>),
    /// The key is unknown, or there is no value.
    #[response(status = 400)]
    Invalid(ErrorBody),
    /// The caller is not in the search group.
    #[response(status = 403)]
    Forbidden(ErrorBody),
}

/// The answers to an export.
#[derive(IntoResponses)]
pub(super) enum ExportResponses {
    /// The profiles, in no promised order.
    #[response(status = 200, content_type = "application/x-ndjson")]
    Lines(String),
    /// The caller is not an administrator.
    #[response(status = 403)]
    Forbidden(ErrorBody),
}
