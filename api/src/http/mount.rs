//! What all services share, whatever they answer.

use axum::body::Body;
use axum::extract::Request;
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;
use axum::{Router, middleware};
use tower::ServiceExt;
use tower_http::catch_panic::CatchPanicLayer;

use super::access;
use super::error;
use super::limits::{self, Limits};

/// Returns routes whose faults become answers, and whose requests are limited.
pub(crate) fn limited(routes: Router, limits: Limits) -> Router {
    routes
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(middleware::from_fn_with_state(limits.clone(), limits::enforce))
        .layer(middleware::from_fn_with_state(limits, limits::check_uri))
}

/// Returns routes that note in each answer which one has made it.
pub(crate) fn with_route(routes: Router) -> Router {
    routes.layer(middleware::from_fn(access::note_route))
}

/// Asks routes for the answer to a request without a body. That to `HEAD` has the body of `GET`, so that it is encoded alike.
pub(crate) async fn ask(routes: &Router, parts: &Parts) -> Response {
    let mut request = Request::from_parts(parts.clone(), Body::empty());
    if parts.method == Method::HEAD {
        *request.method_mut() = Method::GET;
    }
    let Ok(response) = Box::pin(routes.clone().oneshot(request)).await;
    response
}
