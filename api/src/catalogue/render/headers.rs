//! The headers that all answers of the service have.

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use crate::catalogue::pages::search;
use crate::http::cors::CrossOrigin;

/// The methods of a path, and what pages of other origins may do with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Methods {
    pub(crate) allowed: &'static [Method],
    names: &'static str,
}

const READING: Methods =
    Methods { allowed: &[Method::GET, Method::HEAD, Method::OPTIONS], names: "GET, HEAD, OPTIONS" };

const SEARCHING: Methods = Methods { allowed: &[Method::POST, Method::OPTIONS], names: "POST, OPTIONS" };

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

impl Methods {
    pub(crate) fn of(path: &str) -> Self {
        if search::is_at(path) { SEARCHING } else { READING }
    }

    const fn cross_origin(self) -> CrossOrigin {
        CrossOrigin { methods: self.names, exposed_headers: "etag, content-disposition, retry-after, x-request-id" }
    }
}

/// Answers a preflight request of a browser. All other `OPTIONS` requests are answered by [`crate::catalogue::pages::options`].
pub(crate) fn preflight(methods: Methods) -> Response {
    let mut preflight = Response::default();
    methods.cross_origin().add_permissions(preflight.headers_mut());
    preflight
}

pub(crate) fn complete(response: &mut Response, methods: Methods, vary: HeaderValue) {
    let is_read = methods.allowed.contains(&Method::GET);
    let may_be_kept = is_read && [StatusCode::OK, StatusCode::NOT_MODIFIED].contains(&response.status());
    let headers = response.headers_mut();
    if !may_be_kept {
        headers.insert(header::CACHE_CONTROL, NO_STORE);
    }
    headers.insert(header::ALLOW, HeaderValue::from_static(methods.names));
    headers.insert(header::VARY, vary);
    methods.cross_origin().add_origin(headers);
}
