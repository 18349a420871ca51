//! Headers of all answers of the service, and bodies of errors.

use api_http::error::Problem;
use api_http::json::NO_SNIFFING;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::error_body::ErrorBody;

/// The type of all answers except attributes, exports and the documentation.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json;charset=UTF-8");

/// The headers of all answers except the documentation: no caches, no frames.
const PRIVATE: [(HeaderName, HeaderValue); 4] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-store, max-age=0, must-revalidate")),
    (header::PRAGMA, HeaderValue::from_static("no-cache")),
    (header::EXPIRES, HeaderValue::from_static("0")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// Writes the body of an error, which names the address of the request, and adds the headers.
pub(super) fn complete(mut response: Response, address: impl FnOnce() -> String) -> Response {
    let error = response.extensions_mut().remove::<ErrorBody>();
    let common = response.extensions_mut().remove::<Problem>();
    let error = error.or_else(|| common.as_ref().map(ErrorBody::from));
    // The documentation sets its own cache headers.
    let is_public = error.is_none() && response.headers().contains_key(header::CACHE_CONTROL);
    if let Some(error) = error {
        response = write_error(response, &ErrorBody { path: address(), ..error });
    }
    let private = if is_public { &[][..] } else { &PRIVATE };
    // Browsers must not guess types: attributes hold text from users.
    for (name, value) in private.iter().cloned().chain([NO_SNIFFING]) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Writes the body of an error. Other headers stay, such as `Retry-After`.
fn write_error(response: Response, error: &ErrorBody) -> Response {
    let (mut parts, _) = response.into_parts();
    parts.headers.insert(header::CONTENT_TYPE, JSON);
    parts.headers.remove(header::CONTENT_LENGTH);
    // Errors of the documentation carry its tag.
    parts.headers.remove(header::ETAG);
    match serde_json::to_vec(error) {
        Ok(json) => Response::from_parts(parts, Body::from(json)),
        Err(error) => Problem::fault(error).into_response(),
    }
}
