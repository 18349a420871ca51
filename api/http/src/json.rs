//! Answers in JSON, and the header of all answers.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Most answers have no more headers.
const HEADERS_MAX: usize = 12;

/// A header of all answers: browsers must not guess their types.
pub const NO_SNIFFING: (HeaderName, HeaderValue) =
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// Answers with JSON.
pub fn json_answer(json: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(json));
    *response.headers_mut() = HeaderMap::with_capacity(HEADERS_MAX);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Answers with a status and a body in JSON.
pub fn json_response(status: StatusCode, body: &impl Serialize) -> Response {
    (status, axum::Json(body)).into_response()
}
