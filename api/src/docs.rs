//! The description of a service and its interactive documentation, with all that the page needs.

use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::paths;

/// Returns the routes of a service's description and documentation.
pub(crate) fn router(prefix: &str, description: OpenApi) -> Router {
    let openapi = format!("{prefix}{}", paths::OPENAPI);
    let description = Arc::new(description);
    // Nothing of a request leaves for an outside validator.
    let config = Config::from(openapi.clone()).try_it_out_enabled(true).validator_url("none");
    Router::new()
        .route(&openapi, get(move || async move { Json(description) }))
        .merge(SwaggerUi::new(format!("{prefix}{}", paths::DOCS)).config(config))
}
