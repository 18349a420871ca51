//! Paths and methods that there are not, answered in JSON.

use axum::Router;
use axum::extract::OriginalUri;
use axum::http::Method;

use super::error::Problem;

pub(crate) fn with_json_errors(routes: Router) -> Router {
    routes.fallback(not_found).method_not_allowed_fallback(method_not_allowed)
}

pub(crate) async fn not_found(OriginalUri(uri): OriginalUri) -> Problem {
    Problem::NoSuchPath(uri.path().to_owned())
}

/// Answers a method that a path does not have; the `Allow` header is the router's.
pub(crate) async fn method_not_allowed(method: Method) -> Problem {
    Problem::MethodNotAllowed(method)
}
