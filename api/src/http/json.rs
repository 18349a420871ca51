//! Answers in JSON.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Most answers have no more headers.
const HEADERS_MAX: usize = 12;

pub(crate) fn json_answer(json: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(json));
    *response.headers_mut() = HeaderMap::with_capacity(HEADERS_MAX);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

pub(crate) fn json_response(status: StatusCode, body: &impl Serialize) -> Response {
    (status, axum::Json(body)).into_response()
}
