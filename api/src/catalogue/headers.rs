//! The headers that all answers of the service have.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::cors::CrossOrigin;

const METHODS: &str = "GET, HEAD, OPTIONS";

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

const CROSS_ORIGIN: CrossOrigin =
    CrossOrigin { methods: METHODS, exposed_headers: "etag, content-disposition, retry-after, x-request-id" };

/// Answers a browser that asks what a page of another origin may do. Any other `OPTIONS` has an answer of its own.
pub(super) fn preflight() -> Response {
    let mut preflight = Response::default();
    CROSS_ORIGIN.add_permissions(preflight.headers_mut());
    preflight
}

pub(super) fn complete(response: &mut Response, vary: HeaderValue) {
    let may_be_kept = [StatusCode::OK, StatusCode::NOT_MODIFIED].contains(&response.status());
    let headers = response.headers_mut();
    if !may_be_kept {
        headers.insert(header::CACHE_CONTROL, NO_STORE);
    }
    headers.insert(header::ALLOW, HeaderValue::from_static(METHODS));
    headers.insert(header::VARY, vary);
    CROSS_ORIGIN.add_origin(headers);
}
