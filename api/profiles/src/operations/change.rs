//! Changing attributes.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Extension;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use store_profiles::{AttributeChange, Profile, ProfileWrite};

use crate::answer;
use crate::audit::Action;
use crate::audit::entry::{AuditEntry, audited};
use crate::context::{Context, profile_not_found};
use crate::described::{AttributeKey, AttributesBody, ChangeErrors, IfMatch, MeantMethod, ProfileResponse};
use crate::error_body::ErrorBody;
use crate::problem::{ProfileProblem, ProfileResult};
use crate::rules::{body, precondition};

const METHODS: &str = "GET,HEAD,PUT,PATCH,DELETE";

const METHOD_PARAMETER: &str = "_method";

/// Replace all attributes
///
/// Attributes that are not sent are removed: to keep them, use `PATCH`. For the user whose profile it is, managers of the domain, and
/// administrators.
#[utoipa::path(
    put, path = "/profiles/{profile_reference}", tag = "profiles", responses(ProfileResponse, ChangeErrors),
    params(("profile_reference" = String, Path, description = "The profile."), IfMatch),
    request_body(content = inline(AttributesBody), content_type = "application/json", example = json!({"car": "Volvo"})),
)]
pub(crate) async fn replace_attributes(Extension(context): Extension<Arc<Context>>, body: Body) -> Response {
    change(context, Action::Replace, Some(body)).await
}

/// Add or change attributes
///
/// Attributes that are not sent stay as they are. Concurrent changes are applied one after the other, so that none is lost. For the user whose
/// profile it is, managers of the domain, and administrators.
#[utoipa::path(
    patch, path = "/profiles/{profile_reference}", tag = "profiles", responses(ProfileResponse, ChangeErrors),
    params(("profile_reference" = String, Path, description = "The profile."), IfMatch),
    request_body(content = inline(AttributesBody), content_type = "application/json", example = json!({"pet": "Turtle"})),
)]
pub(crate) async fn merge_attributes(Extension(context): Extension<Arc<Context>>, body: Body) -> Response {
    change(context, Action::Merge, Some(body)).await
}

/// Add or change attributes, for clients that cannot `PATCH`
///
/// With `_method=patch`, in any letter case, this is the same as `PATCH`. Without it, or with any other method, the answer is 405.
#[utoipa::path(
    post, path = "/profiles/{profile_reference}", tag = "profiles",
    params(
        ("profile_reference" = String, Path, description = "The profile."),
        ("_method" = inline(MeantMethod), Query, description = "The method that is meant, in any letter case."),
        IfMatch,
    ),
    request_body(content = inline(AttributesBody), content_type = "application/json", example = json!({"pet": "Turtle"})),
    responses(ProfileResponse, (status = "default", description = "See `PATCH`.", body = ErrorBody)),
)]
pub(crate) async fn merge_attributes_by_post(Extension(context): Extension<Arc<Context>>, body: Body) -> Response {
    let is_patch = context.parameter(METHOD_PARAMETER).is_some_and(|method| method.eq_ignore_ascii_case("patch"));
    if !is_patch {
        return ProfileProblem::no_such_method(METHODS).into_response();
    }
    change(context, Action::Merge, Some(body)).await
}

/// Remove an attribute
///
/// For the user whose profile it is, managers of the domain, and administrators.
#[utoipa::path(
    delete, path = "/profiles/{profile_reference}/{attribute_key}", tag = "profiles",
    params(
        ("profile_reference" = String, Path, description = "The profile."),
        AttributeKey,
        IfMatch,
    ),
    responses(ProfileResponse, ChangeErrors),
)]
pub(crate) async fn remove_attribute(Extension(context): Extension<Arc<Context>>) -> Response {
    change(context, Action::Remove, None).await
}

async fn change(context: Arc<Context>, action: Action, body: Option<Body>) -> Response {
    audited(context, action, |context, entry| changed(context, body, entry).boxed()).await
}

/// Changes a profile. Checks its existence first, then the permission, the request, the precondition, and the schema.
async fn changed(context: &Arc<Context>, body: Option<Body>, entry: &mut AuditEntry) -> ProfileResult {
    let (action, reference) = (entry.action, context.reference(profile_not_found)?);
    entry.profile = Some(reference);
    let profile = context.profile(reference).await?;
    entry.set_subject(&profile);
    context.authorise(action, &profile.owner)?;
    let change = match body {
        Some(body) => {
            let attributes = body::attributes(context, body, entry).await?;
            if action == Action::Replace {
                // Attributes that are not sent are removed.
                let others = profile.attributes.iter().filter(|(key, _)| attributes.get(key).is_none());
                entry.keys.extend(others.map(|(key, _)| key.to_owned()));
                AttributeChange::Replace(attributes)
            } else {
                AttributeChange::Merge(attributes)
            }
        }
        None => AttributeChange::Remove(key_to_remove(context, &profile, entry)?),
    };
    let precondition = precondition::parse(&context.headers).map_err(ProfileProblem::invalid)?;
    context.authorise(action, &profile.owner)?;
    let write = ProfileWrite::Change(profile.reference, change, precondition);
    let changed = entry.write(write, Some(profile)).await;
    let profile = changed.map_err(|fault| entry.write_failed(fault))?;
    answer::profile(context, &profile)
}

/// Reads the key to be removed. A missing attribute is answered before the precondition is checked.
fn key_to_remove(context: &Context, profile: &Profile, entry: &mut AuditEntry) -> Result<String, ProfileProblem> {
    let key = context.key(2)?;
    entry.keys = vec![key.clone()];
    match profile.attributes.get(&key) {
        Some(_) => Ok(key),
        None => Err(answer::attribute_not_found(&key)),
    }
}
