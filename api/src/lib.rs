#![doc = include_str!("../README.md")]

mod access;
mod base_url;
mod blocking;
pub mod catalogue;
mod client;
mod compression;
mod conditional;
mod config;
mod docs;
mod entity_tags;
mod error;
mod following;
mod health;
mod host;
mod joining;
mod limits;
mod metrics;
mod mount;
pub mod paths;
pub mod profiles;
pub mod proteins;
mod server;
mod source_error;
mod streaming;
pub mod tokens;

pub use self::metrics::Metrics;
pub use config::ServiceConfig;
pub use server::{HttpServer, ServerConfig};
pub use source_error::SourceError;

use std::sync::Arc;

use axum::response::Response;
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

use catalogue::CatalogueSource;
use limits::Limits;
use profiles::ProfileServices;
use proteins::ProteinSource;

/// The services that stand behind the routes.
#[derive(Clone)]
pub struct Services {
    /// The proteins.
    pub proteins: Arc<dyn ProteinSource>,
    /// The catalogue.
    pub catalogue: Arc<dyn CatalogueSource>,
    /// The profiles; without, every request to them is 401.
    pub profiles: Option<ProfileServices>,
}

/// Returns the router of all services.
pub fn router(services: &Services, config: &ServiceConfig) -> Router {
    // Each has places of its own, so that none takes those of another.
    let proteins = proteins::router(Arc::clone(&services.proteins), config, Limits::new(config));
    let catalogue = catalogue::router(Arc::clone(&services.catalogue), config, &Limits::new(config));
    let profiles = profiles::router(services.profiles.as_ref(), config, &Limits::new(config));
    // Whoever asks whether the server lives gets an answer at any load: only the services themselves are limited.
    let others = mount::with_json_errors(health::router(services.clone()))
        .layer(middleware::from_fn_with_state(Limits::new(config), limits::check_uri));
    others
        .nest(paths::PROTEINS, proteins)
        .merge(catalogue)
        .merge(profiles)
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(middleware::from_fn(server::check_spare))
        .layer(middleware::from_fn(host::check))
        .layer(middleware::from_fn(access::log))
}

/// A JSON answer.
fn json_response(status: axum::http::StatusCode, body: &impl serde::Serialize) -> Response {
    use axum::response::IntoResponse;
    (status, axum::Json(body)).into_response()
}
