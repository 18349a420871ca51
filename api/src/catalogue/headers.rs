//! What all answers of the service have in common: the shape of errors, headers, and that pages of any origin may read them.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem;
use crate::base_url::BaseUrl;
use crate::error::Problem;

/// The methods that there are.
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");

/// The headers of a request that choose the answer.
const VARY: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");

/// The same where a proxy says what links begin with.
const VARY_BEHIND_PROXY: HeaderValue =
    HeaderValue::from_static("Accept, Accept-Encoding, X-Forwarded-Host, X-Forwarded-Proto");

/// Errors are not kept.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// All of something, for pages of other origins.
const ANY: HeaderValue = HeaderValue::from_static("*");

/// What pages of other origins see of an answer's headers.
const EXPOSED: HeaderValue = HeaderValue::from_static("etag, content-disposition, retry-after, x-request-id");

/// For how long browsers remember what is open to pages of other origins.
const PREFLIGHT_AGE_S: HeaderValue = HeaderValue::from_static("86400");

/// Gives errors that no single service answers for the shape of this one.
pub(super) async fn shape_errors(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return response };
    let mut shaped = problem::reshape(&problem);
    // What else is said stays, such as when to come again.
    for (name, value) in response.headers() {
        if name != header::CONTENT_LENGTH && !shaped.headers().contains_key(name) {
            shaped.headers_mut().append(name, value.clone());
        }
    }
    shaped
}

/// Adds the headers that all answers have, and answers browsers that ask before they read for a page of another origin.
///
/// The ready-made layer takes every `OPTIONS` for such a question, but here it has an answer of its own.
pub(super) async fn complete(State(base_url): State<BaseUrl>, request: Request, next: Next) -> Response {
    let asks_before = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if request.method() == Method::OPTIONS && asks_before {
        let mut preflight = StatusCode::OK.into_response();
        add_permissions(preflight.headers_mut());
        preflight
    } else {
        next.run(request).await
    };
    let may_be_kept = [StatusCode::OK, StatusCode::NOT_MODIFIED].contains(&response.status());
    let headers = response.headers_mut();
    if !may_be_kept {
        headers.insert(header::CACHE_CONTROL, NO_STORE);
    }
    headers.insert(header::ALLOW, METHODS);
    headers.insert(header::VARY, if base_url.heeds_proxy() { VARY_BEHIND_PROXY } else { VARY });
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    response
}

/// Adds what a page of another origin may ask for: the data are public and read without credentials.
fn add_permissions(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ANY);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_AGE_S);
}
