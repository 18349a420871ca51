//! What pages of other origins may do: read public data, without credentials.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};

const ANY: HeaderValue = HeaderValue::from_static("*");

/// For how long browsers remember what they may ask for.
const MAX_AGE_S: HeaderValue = HeaderValue::from_static("86400");

#[derive(Clone, Copy, Debug)]
pub(crate) struct CrossOrigin {
    pub(crate) methods: &'static str,
    /// The headers of answers that pages may see, separated by commas.
    pub(crate) exposed_headers: &'static str,
}

impl CrossOrigin {
    /// Tells whether a browser asks what a page of another origin may do.
    pub(crate) fn is_preflight(parts: &Parts) -> bool {
        parts.method == Method::OPTIONS && parts.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
    }

    /// Adds what a preflight request asks for.
    pub(crate) fn add_permissions(&self, headers: &mut HeaderMap) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(self.methods));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ANY);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_S);
    }

    /// Lets pages of all origins read an answer.
    pub(crate) fn add_origin(&self, headers: &mut HeaderMap) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(self.exposed_headers));
    }
}
