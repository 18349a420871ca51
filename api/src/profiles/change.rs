//! Changing attributes.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Extension;
use axum::http::HeaderValue;
use axum::response::{IntoResponse, Response};
use store::{AttributeChange, Precondition, Profile};
use utoipa::ToSchema;

use super::audit::Action;
use super::context::Context;
use super::error_body::ErrorBody;
use super::precondition::TagsFault;
use super::problem::{ProfileProblem, ProfileResult};
use super::trail::{Trail, to_the_end};
use super::wire::ProfileBody;
use super::{answer, body, path_key, precondition};

/// The methods of a profile, for who posts to it.
const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD,PUT,PATCH");

/// The parameter that says for which method a `POST` stands.
const METHOD_PARAMETER: &str = "_method";

/// The methods that a `POST` may stand for.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it is only described")]
enum MeantMethod {
    /// Changes attributes.
    Patch,
}

/// The attributes of a request.
type AttributesBody = BTreeMap<String, String>;

/// Replace all attributes
///
/// Attributes that are not sent go away: to keep them, use `PATCH`. For the user whose profile it is, managers of the domain, and
/// administrators.
#[utoipa::path(
    put,
    path = "/profiles/{profile_reference}",
    operation_id = "replace_attributes",
    tag = "profiles",
    params(
        ("profile_reference" = String, Path, description = "The profile."),
        (
            "If-Match" = Option<String>, Header, pattern = r#"^\s*(\*|(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*)\s*$"#,
            description = "Tags of the versions that may be changed; others are answered 412.", example = "\"3\"",
        ),
    ),
    request_body(content = inline(AttributesBody), content_type = "application/json", example = json!({"car": "Volvo"})),
    responses(
        (
            status = 200, description = "The profile as it is now.",
            body = ProfileBody, content_type = "application/json;charset=UTF-8",
        ),
        (status = 400, description = "The body or a header cannot be used.", body = ErrorBody),
        (status = 403, description = "The caller may not change it.", body = ErrorBody),
        (status = 404, description = "There is no such profile.", body = ErrorBody),
        (
            status = 412,
            description = "The profile has another version than `If-Match` names, or one that `If-None-Match` names.",
            body = ErrorBody,
        ),
        (status = 413, description = "The body is too large.", body = ErrorBody),
        (status = 415, description = "The body is no `application/json`.", body = ErrorBody),
        (
            status = 422, description = "The attributes would not conform to the schema. Nothing was changed.",
            body = ErrorBody,
        ),
    )
)]
pub(super) async fn replace_attributes(Extension(context): Extension<Arc<Context>>, body: Body) -> Response {
    change(context, Action::Replace, Some(body)).await
}

/// Add or change attributes
///
/// Attributes that are not sent stay as they are. Changes at the same time are applied one after the other, so that none is lost. For the user
/// whose profile it is, managers of the domain, and administrators.
#[utoipa::path(
    patch,
    path = "/profiles/{profile_reference}",
    operation_id = "merge_attributes",
    tag = "profiles",
    params(
        ("profile_reference" = String, Path, description = "The profile."),
        (
            "If-Match" = Option<String>, Header, pattern = r#"^\s*(\*|(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*)\s*$"#,
            description = "Tags of the versions that may be changed; others are answered 412.",
        ),
    ),
    request_body(content = inline(AttributesBody), content_type = "application/json", example = json!({"pet": "Turtle"})),
    responses(
        (
            status = 200, description = "The profile as it is now.",
            body = ProfileBody, content_type = "application/json;charset=UTF-8",
        ),
        (
            status = 400,
            description = "The body or a header cannot be used, or the profile would have too many attributes.",
            body = ErrorBody,
        ),
        (status = 403, description = "The caller may not change it.", body = ErrorBody),
        (status = 404, description = "There is no such profile.", body = ErrorBody),
        (
            status = 412,
            description = "The profile has another version than `If-Match` names, or one that `If-None-Match` names.",
            body = ErrorBody,
        ),
        (status = 413, description = "The body is too large.", body = ErrorBody),
        (status = 415, description = "The body is no `application/json`.", body = ErrorBody),
        (
            status = 422, description = "The attributes would not conform to the schema. Nothing was changed.",
            body = ErrorBody,
        ),
    )
)]
pub(super) async fn merge_attributes(Extension(context): Extension<Arc<Context>>, body: Body) -> Response {
    change(context, Action::Merge, Some(body)).await
}

/// Add or change attributes, for clients that cannot `PATCH`
///
/// With `_method=patch`, in any letter case, it is the same as `PATCH`; without, and with any other method, there is no such operation.
#[utoipa::path(
    post,
    path = "/profiles/{profile_reference}",
    operation_id = "merge_attributes_by_post",
    tag = "profiles",
    params(
        ("profile_reference" = String, Path, description = "The profile."),
        ("_method" = inline(MeantMethod), Query, description = "The method that is meant, in any letter case."),
    ),
    request_body(content = inline(AttributesBody), content_type = "application/json", example = json!({"pet": "Turtle"})),
    responses(
        (
            status = 200, description = "The profile as it is now.",
            body = ProfileBody, content_type = "application/json;charset=UTF-8",
        ),
        (status = "default", description = "See `PATCH`.", body = ErrorBody),
    )
)]
pub(super) async fn post_to_profile(Extension(context): Extension<Arc<Context>>, body: Body) -> Response {
    let is_patch = context.parameter(METHOD_PARAMETER).is_some_and(|method| method.eq_ignore_ascii_case("patch"));
    if !is_patch {
        return ProfileProblem::NoSuchMethod(METHODS).into_response();
    }
    change(context, Action::Merge, Some(body)).await
}

/// Remove an attribute
///
/// For the user whose profile it is, managers of the domain, and administrators.
#[utoipa::path(
    delete,
    path = "/profiles/{profile_reference}/{attribute_key}",
    operation_id = "remove_attribute",
    tag = "profiles",
    params(
        ("profile_reference" = String, Path, description = "The profile."),
        (
            "attribute_key" = String, Path, pattern = r"^[^\u0000-\u001F\u007F-\u009F]{1,255}$",
            description = "The key, percent-encoded.", example = "car",
        ),
        (
            "If-Match" = Option<String>, Header, pattern = r#"^\s*(\*|(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*)\s*$"#,
            description = "Tags of the versions that may be changed; others are answered 412.",
        ),
    ),
    responses(
        (
            status = 200, description = "The profile without the attribute.",
            body = ProfileBody, content_type = "application/json;charset=UTF-8",
        ),
        (status = 400, description = "The key or a header cannot be used.", body = ErrorBody),
        (status = 403, description = "The caller may not change it.", body = ErrorBody),
        (status = 404, description = "There is no such profile, or it has no such attribute.", body = ErrorBody),
        (
            status = 412,
            description = "The profile has another version than `If-Match` names, or one that `If-None-Match` names.",
            body = ErrorBody,
        ),
        (status = 422, description = "The schema requires the attribute. Nothing was changed.", body = ErrorBody),
    )
)]
pub(super) async fn remove_attribute(Extension(context): Extension<Arc<Context>>) -> Response {
    change(context, Action::Remove, None).await
}

/// Changes a profile, and notes it.
async fn change(context: Arc<Context>, action: Action, body: Option<Body>) -> Response {
    let mut trail = Trail::new(&context, action);
    to_the_end(async move {
        let result = changed(&context, action, body, &mut trail).await;
        trail.end(result)
    })
    .await
}

/// Changes a profile: whether it is there first, then who may, then what is sent, then the precondition, then the schema.
async fn changed(context: &Arc<Context>, action: Action, body: Option<Body>, trail: &mut Trail) -> ProfileResult {
    let reference = context.reference()?;
    trail.profile = Some(reference);
    let profile = context.profile(reference).await?;
    trail.concerns(&profile);
    context.authorise(action, &profile.owner)?;
    let change = match body {
        Some(body) => {
            let attributes = body::attributes(context, body, trail).await?;
            if action == Action::Replace {
                // What is not sent goes away.
                let others = profile.attributes.iter().filter(|(key, _)| attributes.get(key).is_none());
                trail.keys.extend(others.map(|(key, _)| key.to_owned()));
                AttributeChange::Replace(attributes)
            } else {
                AttributeChange::Merge(attributes)
            }
        }
        None => AttributeChange::Remove(key_to_remove(context, &profile, trail)?),
    };
    let precondition = precondition(context)?;
    context.authorise(action, &profile.owner)?;
    let permission = context.permission(action, &profile.owner);
    let changed = context.profiles().change(profile.reference, change, precondition, permission).await;
    let profile = changed.map_err(|fault| trail.write_failed(fault))?;
    answer::profile(context, &profile)
}

/// Reads the key that is to be removed. One that is not there is told before the precondition is looked at.
fn key_to_remove(context: &Context, profile: &Profile, trail: &mut Trail) -> Result<String, ProfileProblem> {
    let key = path_key::key(context, 2)?;
    trail.keys = vec![key.clone()];
    match profile.attributes.get(&key) {
        Some(_) => Ok(key),
        None => Err(answer::attribute_not_found(&key)),
    }
}

/// Reads the precondition of the request.
fn precondition(context: &Context) -> Result<Precondition, ProfileProblem> {
    let unusable = |fault: TagsFault| ProfileProblem::Invalid(fault.to_string());
    precondition::of_change(&context.headers).map_err(unusable)
}
