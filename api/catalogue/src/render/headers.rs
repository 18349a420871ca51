//! The headers of all answers of the service.

use api_http::front::{CrossOrigin, Methods};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use crate::pages::search;
use crate::request::negotiation::{Format, negotiate};

pub(crate) const READING: Methods =
    Methods { allowed: &[Method::GET, Method::HEAD, Method::OPTIONS], names: "GET, HEAD, OPTIONS" };

pub(crate) const POSTING: Methods = Methods { allowed: &[Method::POST, Method::OPTIONS], names: "POST, OPTIONS" };

/// Returns the methods of a path below the prefix.
pub(crate) fn methods(path: &str) -> Methods {
    if search::is_at(path) { POSTING } else { READING }
}

pub(crate) fn cross_origin(Methods { names, .. }: Methods) -> CrossOrigin {
    CrossOrigin {
        methods: names,
        exposed_headers: "etag, content-disposition, retry-after, x-request-id",
        has_all_options: false,
    }
}

/// Gives errors the media type of JSON:API if the client prefers it.
pub(crate) fn set_error_type(response: &mut Response, accepted: &HeaderMap) {
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == Format::Json.content_type());
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    if is_error && is_json && negotiate(None, None, accepted).is_ok_and(|format| format == Format::JsonApi) {
        let kind = HeaderValue::from_static(Format::JsonApi.content_type());
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
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
