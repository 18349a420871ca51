//! One log line and one measurement for each request, and the request id that ties them to the answer.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, error_span};
use uuid::Uuid;

use crate::metrics::{REQUEST_DURATION, REQUESTS};

/// The header that carries the request id.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The route in measurements of requests that match none.
const NO_ROUTE: &str = "none";

/// Gives a request an id, logs and measures it.
pub(crate) async fn log(request: Request, next: Next) -> Response {
    let id = Uuid::new_v4().to_string();
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let uri = request.uri().clone();
    let started = Instant::now();
    // At the level of errors, so that their lines name the request however quiet the log is.
    let mut response = next.run(request).instrument(error_span!("request", id)).await;
    let duration = started.elapsed();
    let status = response.status().as_u16();
    let duration_us = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    tracing::info!(target: "access", id, %method, %uri, status, duration_us, "answered");
    let labels = [("route", route), ("method", method_label(&method).to_owned()), ("status", status.to_string())];
    ::metrics::counter!(REQUESTS, &labels).increment(1);
    ::metrics::histogram!(REQUEST_DURATION, &labels).record(duration);
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// Returns the method in measurements. Clients may invent methods, and each label is kept for ever.
fn method_label(method: &Method) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}
