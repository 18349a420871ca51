//! What all answers of the service have in common: headers, and the body of errors.

use axum::body::Body;
use axum::extract::{OriginalUri, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use time::OffsetDateTime;

use super::error_body::{ErrorBody, Told};
use crate::base_url::BaseUrl;
use crate::error::Problem;

/// The type of all answers but attributes, exports and the documentation.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json;charset=UTF-8");

/// Browsers are not to guess at types: attributes hold what anybody has written into them.
const NO_SNIFFING: (HeaderName, HeaderValue) = (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// The headers of all answers but the documentation: they are kept by nobody and shown in no frame.
const PRIVATE: [(HeaderName, HeaderValue); 4] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-store, max-age=0, must-revalidate")),
    (header::PRAGMA, HeaderValue::from_static("no-cache")),
    (header::EXPIRES, HeaderValue::from_static("0")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// The mark of an answer that is the same for everybody, and has headers of its own: an extension of the response.
#[derive(Clone, Copy, Debug)]
struct Public;

/// Marks the answers of the documentation.
pub(super) async fn mark_public(mut response: Response) -> Response {
    response.extensions_mut().insert(Public);
    response
}

/// Writes the body of errors, and adds the headers.
pub(super) async fn complete(
    State(base_url): State<BaseUrl>,
    OriginalUri(uri): OriginalUri,
    request: Request,
    next: Next,
) -> Response {
    // What the body of an error needs of the request, which is gone by then.
    let path = base_url.link(request.headers(), uri.path());
    let mut response = next.run(request).await;
    let told = response.extensions_mut().remove::<Told>();
    let common = response.extensions_mut().remove::<Problem>();
    let told = told.or_else(|| common.as_ref().map(Told::from));
    let is_public = told.is_none() && response.extensions().get::<Public>().is_some();
    if let Some(told) = told {
        response = write_error(response, told, path);
    }
    let headers = response.headers_mut();
    set(headers, [NO_SNIFFING]);
    if !is_public {
        set(headers, PRIVATE);
    }
    response
}

/// Writes the body of an error. What else is said stays, such as when to come again.
fn write_error(response: Response, told: Told, path: String) -> Response {
    let (mut parts, _) = response.into_parts();
    let body = ErrorBody::new(parts.status, told, path, OffsetDateTime::now_utc());
    parts.headers.insert(header::CONTENT_TYPE, JSON);
    parts.headers.remove(header::CONTENT_LENGTH);
    // Errors of the documentation come with its tag.
    parts.headers.remove(header::ETAG);
    Response::from_parts(parts, Body::from(serde_json::to_vec(&body).unwrap_or_default()))
}

/// Sets headers.
fn set<const N: usize>(headers: &mut HeaderMap, values: [(HeaderName, HeaderValue); N]) {
    for (name, value) in values {
        headers.insert(name, value);
    }
}
