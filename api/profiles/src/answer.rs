//! Successful answers.

use api_http::error::{Problem, shown};
use api_http::paths;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store_profiles::Profile;

use super::context::Context;
use super::headers::JSON;
use super::problem::{ProfileProblem, ProfileResult};
use super::rules::precondition;
use super::wire::ProfileBody;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain;charset=UTF-8");

pub(super) fn json(body: &impl Serialize) -> ProfileResult {
    let body = serde_json::to_vec(body).map_err(|error| {
        tracing::error!(%error, "an answer cannot be written");
        ProfileProblem::from(Problem::Internal)
    })?;
    Ok(([(header::CONTENT_TYPE, JSON)], body).into_response())
}

pub(super) fn profile(context: &Context, profile: &Profile) -> ProfileResult {
    let mut response = json(&ProfileBody::new(profile, |user| context.is_locked(user)))?;
    response.headers_mut().insert(header::ETAG, precondition::tag(profile.version));
    Ok(response)
}

pub(super) fn created(context: &Context, profile: &Profile) -> ProfileResult {
    let mut response = self::profile(context, profile)?;
    *response.status_mut() = StatusCode::CREATED;
    let location = context.base_url.link(&context.headers, &paths::profile(profile.reference));
    // Only a configured base URL can make an invalid header; the answer is useful without the
    // header.
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

pub(super) fn read(context: &Context, profile: &Profile) -> ProfileResult {
    match known(context, profile.version) {
        Some(not_modified) => Ok(not_modified),
        None => self::profile(context, profile),
    }
}

pub(super) fn attribute(context: &Context, profile: &Profile, key: &str) -> ProfileResult {
    let value = profile.attributes.get(key).ok_or_else(|| attribute_not_found(key))?;
    if let Some(not_modified) = known(context, profile.version) {
        return Ok(not_modified);
    }
    let headers = [(header::CONTENT_TYPE, TEXT), (header::ETAG, precondition::tag(profile.version))];
    Ok((headers, Body::from(value.to_owned())).into_response())
}

pub(super) fn attribute_not_found(key: &str) -> ProfileProblem {
    ProfileProblem::not_found(format!("Attribute was not found for key {}", shown(key)))
}

/// Returns 304 if the client already has a version.
fn known(context: &Context, version: u64) -> Option<Response> {
    precondition::is_known(&context.headers, version)
        .then(|| (StatusCode::NOT_MODIFIED, [(header::ETAG, precondition::tag(version))]).into_response())
}
