//! The headers that all answers of the service have.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::cors::CrossOrigin;

const METHODS: &str = "GET, HEAD, OPTIONS";

const VARY: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");

/// The same where a proxy says what links begin with.
const VARY_BEHIND_PROXY: HeaderValue =
    HeaderValue::from_static("Accept, Accept-Encoding, X-Forwarded-Host, X-Forwarded-Proto");

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

const CROSS_ORIGIN: CrossOrigin =
    CrossOrigin { methods: METHODS, exposed_headers: "etag, content-disposition, retry-after, x-request-id" };

/// Answers a browser that asks what a page of another origin may do. Any other `OPTIONS` has an answer of its own.
pub(super) fn preflight() -> Response {
    let mut preflight = Response::default();
    CROSS_ORIGIN.add_permissions(preflight.headers_mut());
    preflight
}

pub(super) fn complete(response: &mut Response, heeds_proxy: bool) {
    let may_be_kept = [StatusCode::OK, StatusCode::NOT_MODIFIED].contains(&response.status());
    let headers = response.headers_mut();
    if !may_be_kept {
        headers.insert(header::CACHE_CONTROL, NO_STORE);
    }
    headers.insert(header::ALLOW, HeaderValue::from_static(METHODS));
    headers.insert(header::VARY, if heeds_proxy { VARY_BEHIND_PROXY } else { VARY });
    CROSS_ORIGIN.add_origin(headers);
}
