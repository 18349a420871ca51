//! The headers that all answers of the service have.

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use crate::catalogue::pages::search;
use crate::http::front::{CrossOrigin, Methods};

const READING: Methods =
    Methods { allowed: &[Method::GET, Method::HEAD, Method::OPTIONS], names: "GET, HEAD, OPTIONS" };

const SEARCHING: Methods = Methods { allowed: &[Method::POST, Method::OPTIONS], names: "POST, OPTIONS" };

/// Returns the methods of a path below the prefix.
pub(crate) fn methods(path: &str) -> Methods {
    if search::is_at(path) { SEARCHING } else { READING }
}

pub(crate) fn cross_origin(Methods { names, .. }: Methods) -> CrossOrigin {
    CrossOrigin {
        methods: names,
        exposed_headers: "etag, content-disposition, retry-after, x-request-id",
        has_all_options: false,
    }
}

pub(crate) fn complete(response: &mut Response, methods: Methods) {
    let is_read = methods.allowed.contains(&Method::GET);
    let may_be_kept = is_read && [StatusCode::OK, StatusCode::NOT_MODIFIED].contains(&response.status());
    let headers = response.headers_mut();
    if !may_be_kept {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    headers.insert(header::ALLOW, HeaderValue::from_static(methods.names));
}
