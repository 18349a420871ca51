//! One log line and one measurement for each request, and the request id that ties them to the answer.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, Uri};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, error_span};
use uuid::Uuid;

use crate::metrics::{REQUEST_DURATION, REQUESTS};
use crate::paths;

/// The header that carries the request id.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The route in measurements of requests that match none.
const NO_ROUTE: &str = "none";

/// The id of a request: an extension of it.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(pub(crate) String);

/// Gives a request an id, logs and measures it.
pub(crate) async fn log(mut request: Request, next: Next) -> Response {
    let id = Uuid::new_v4().to_string();
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let uri = logged_uri(request.uri());
    request.extensions_mut().insert(RequestId(id.clone()));
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

/// Returns what the log says of a URI. The queries of searches for users have what people say of themselves, and are left out.
fn logged_uri(uri: &Uri) -> String {
    if paths::is_of_profiles(uri.path()) { uri.path().to_owned() } else { uri.to_string() }
}

/// Returns the method in measurements. Clients may invent methods, and each label is kept for ever.
fn method_label(method: &Method) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_users_are_searched_by_is_not_logged() {
        let logged = |uri| logged_uri(&Uri::from_static(uri));
        assert_eq!(logged("/users/profile/email?value=a%40x.org"), "/users/profile/email");
        assert_eq!(logged("/readyz?x=1"), "/readyz?x=1");
    }
}
