//! Limits of a request: length of the URI, requests under way, time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{OriginalUri, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use tokio::sync::Semaphore;

use crate::ServiceConfig;
use crate::error::Problem;
use crate::streaming::Streamed;

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

/// Refuses a request that is one too many before any work is done for it, and ends one that takes too long. A stream is under way
/// until its end, and may take as long as it takes.
pub(crate) async fn enforce(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    let Ok(permit) = Arc::clone(&limits.permits).try_acquire_owned() else {
        return Problem::Overloaded.into_response();
    };
    match tokio::time::timeout(limits.timeout, next.run(request)).await {
        Ok(response) if response.extensions().get::<Streamed>().is_some() => response.map(|body| {
            Body::from_stream(body.into_data_stream().inspect(move |_| {
                let _held = &permit;
            }))
        }),
        Ok(response) => response,
        Err(_) => Problem::TimedOut.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mount;
    use axum::http::StatusCode;
    use axum::routing::get;
    use axum::{Extension, Router};
    use tower::ServiceExt;

    #[tokio::test]
    async fn a_stream_is_under_way_until_its_end() {
        let routes = Router::new()
            .route("/whole", get(|| async { "text" }))
            .route("/streamed", get(|| async { (Extension(Streamed), "text") }));
        let config = ServiceConfig { requests_max: 1, ..ServiceConfig::default() };
        let routes = mount::service(routes, Limits::new(&config));
        let ask = async |path: &str| {
            let request = Request::get(path).body(Body::empty()).expect("a request");
            routes.clone().oneshot(request).await.expect("the router never fails")
        };
        let whole = ask("/whole").await;
        let streamed = ask("/streamed").await;
        assert_eq!((whole.status(), streamed.status()), (StatusCode::OK, StatusCode::OK));
        assert_eq!(ask("/whole").await.status(), StatusCode::SERVICE_UNAVAILABLE);
        drop(streamed);
        assert_eq!(ask("/whole").await.status(), StatusCode::OK);
    }
}
