//! Limits of a request: length of the URI, requests under way, time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{OriginalUri, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::ServiceConfig;
use crate::error::Problem;

/// The limits, and how many requests may still come.
#[derive(Clone)]
pub(crate) struct Limits {
    /// See [`ServiceConfig::uri_bytes_max`].
    uri_bytes_max: usize,
    /// See [`ServiceConfig::request_timeout`].
    timeout: Duration,
    /// A permit for each request that may be under way.
    permits: Arc<Semaphore>,
}

impl Limits {
    /// Takes what the configuration says.
    pub(crate) fn new(config: &ServiceConfig) -> Self {
        Self {
            uri_bytes_max: config.uri_bytes_max,
            timeout: config.request_timeout,
            permits: Arc::new(Semaphore::new(config.requests_max)),
        }
    }
}

/// Refuses a URI that is too long.
pub(crate) async fn check_uri(
    State(limits): State<Limits>,
    OriginalUri(uri): OriginalUri,
    request: Request,
    next: Next,
) -> Response {
    let uri_bytes = uri.path().len() + uri.query().map_or(0, |query| query.len() + 1);
    if uri_bytes > limits.uri_bytes_max {
        return Problem::UriTooLong(limits.uri_bytes_max).into_response();
    }
    next.run(request).await
}

/// Refuses a request that is one too many before any work is done for it, and ends one that takes too long.
pub(crate) async fn enforce(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    let Ok(_permit) = limits.permits.try_acquire() else { return Problem::Overloaded.into_response() };
    match tokio::time::timeout(limits.timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::TimedOut.into_response(),
    }
}
