#![doc = include_str!("../README.md")]

mod access;
mod base_url;
mod blocking;
mod conditional;
mod config;
mod docs;
mod error;
mod health;
mod limits;
mod metrics;
mod paths;
pub mod proteins;
mod server;

pub use self::metrics::Metrics;
pub use config::ServiceConfig;
pub use server::{HttpServer, ServerConfig};

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{Method, Uri};
use axum::response::Response;
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use error::Problem;
use proteins::ProteinSource;

/// The services that stand behind the routes.
#[derive(Clone)]
pub struct Services {
    /// The proteins.
    pub proteins: Arc<dyn ProteinSource>,
}

/// Returns the router of all services.
pub fn router(services: &Services, config: &ServiceConfig) -> Router {
    let limited = Router::new()
        .merge(proteins::router(Arc::clone(&services.proteins), config))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(limits::Limits::new(config), limits::enforce))
        .layer(CompressionLayer::new());
    // Whoever asks whether the server lives gets an answer at any load.
    Router::new()
        .merge(health::router(services.clone()))
        .merge(limited)
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(middleware::from_fn(access::log))
}

/// Answers a path that no service has.
async fn not_found(uri: Uri) -> Problem {
    Problem::NoSuchPath(uri.path().to_owned())
}

/// Answers a method that a path does not have; the `Allow` header is the router's.
async fn method_not_allowed(method: Method, _request: Request) -> Problem {
    Problem::MethodNotAllowed(method)
}

/// A JSON answer.
fn json_response(status: axum::http::StatusCode, body: &impl serde::Serialize) -> Response {
    use axum::response::IntoResponse;
    (status, axum::Json(body)).into_response()
}
