//! What all answers of the service share: headers, and the body of errors.

use axum::body::Body;
use axum::extract::{OriginalUri, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use time::OffsetDateTime;

use super::error_body::{ErrorBody, Explanation};
use crate::base_url::BaseUrl;
use crate::error::Problem;

/// The type of all answers except attributes, exports and the documentation.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json;charset=UTF-8");

/// Browsers must not guess types: attributes hold text from users.
const NO_SNIFFING: (HeaderName, HeaderValue) = (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// The headers of all answers except the documentation: no caches, no frames.
const PRIVATE: [(HeaderName, HeaderValue); 4] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-store, max-age=0, must-revalidate")),
    (header::PRAGMA, HeaderValue::from_static("no-cache")),
    (header::EXPIRES, HeaderValue::from_static("0")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// Marks a response that is the same for everybody and has headers of its own.
#[derive(Clone, Copy, Debug)]
struct Public;

pub(super) async fn mark_public(mut response: Response) -> Response {
    response.extensions_mut().insert(Public);
    response
}

/// Writes the bodies of errors, and adds the headers.
pub(super) async fn complete(
    State(base_url): State<BaseUrl>,
    OriginalUri(uri): OriginalUri,
    request: Request,
    next: Next,
) -> Response {
    // The body of an error needs this, and the request is consumed.
    let path = base_url.link(request.headers(), uri.path());
    let mut response = next.run(request).await;
    let explanation = response.extensions_mut().remove::<Explanation>();
    let common = response.extensions_mut().remove::<Problem>();
    let explanation = explanation.or_else(|| common.as_ref().map(Explanation::from));
    let is_public = explanation.is_none() && response.extensions().get::<Public>().is_some();
    if let Some(explanation) = explanation {
        response = write_error(response, explanation, path);
    }
    let private = if is_public { &[][..] } else { &PRIVATE };
    for (name, value) in private.iter().cloned().chain([NO_SNIFFING]) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Writes the body of an error. Other headers stay, such as `Retry-After`.
fn write_error(response: Response, explanation: Explanation, path: String) -> Response {
    let (mut parts, _) = response.into_parts();
    let body = ErrorBody::new(parts.status, explanation, path, OffsetDateTime::now_utc());
    parts.headers.insert(header::CONTENT_TYPE, JSON);
    parts.headers.remove(header::CONTENT_LENGTH);
    // Errors of the documentation carry its tag.
    parts.headers.remove(header::ETAG);
    Response::from_parts(parts, Body::from(serde_json::to_vec(&body).unwrap_or_default()))
}
