//! What all services share, whatever they answer.

use axum::extract::OriginalUri;
use axum::http::Method;
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

use crate::compression;
use crate::error::{self, Problem};
use crate::limits::{self, Limits};

/// Returns the routes of a service with errors in JSON, limits and compression. They are to be nested under the service's prefix.
pub(crate) fn service(routes: Router, limits: Limits) -> Router {
    compressed(compression::negotiated(limited(with_json_errors(routes), limits)))
}

/// Returns routes whose faults become answers, and whose requests are limited.
pub(crate) fn limited(routes: Router, limits: Limits) -> Router {
    routes
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(middleware::from_fn_with_state(limits.clone(), limits::enforce))
        .layer(middleware::from_fn_with_state(limits, limits::check_uri))
}

/// Returns routes whose answers are compressed as the client wants, and count as under way until they are sent.
pub(crate) fn compressed(routes: Router) -> Router {
    compression::compressed(routes).layer(middleware::from_fn(limits::hold_until_sent))
}

/// Answers unknown paths and wrong methods in JSON.
pub(crate) fn with_json_errors(routes: Router) -> Router {
    routes.fallback(not_found).method_not_allowed_fallback(method_not_allowed)
}

/// Answers a path that there is not.
pub(crate) async fn not_found(OriginalUri(uri): OriginalUri) -> Problem {
    Problem::NoSuchPath(uri.path().to_owned())
}

/// Answers a method that a path does not have; the `Allow` header is the router's.
pub(crate) async fn method_not_allowed(method: Method) -> Problem {
    Problem::MethodNotAllowed(method)
}
