//! The description of a service and its interactive documentation, with all that the page needs.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::extract::{OriginalUri, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use utoipa::openapi::{OpenApi, Server};
use utoipa_swagger_ui::{Config, serve};

use crate::conditional::EntityTag;
use crate::error::Problem;
use crate::{ServiceConfig, paths};

/// The page of the documentation.
const INDEX: &str = "index.html";

/// Returns the routes of a service's description and documentation, below its prefix.
pub(crate) fn router(mut description: OpenApi, config: &ServiceConfig) -> Router {
    description.servers = config.base_url.as_deref().map(|url| vec![Server::new(url.trim_end_matches('/'))]);
    // The page comes from the program alone, the description from its settings too: a tag stands for both.
    let mut hasher = DefaultHasher::new();
    description.to_json().unwrap_or_default().hash(&mut hasher);
    let description = Arc::new(description);
    let settings = format!("docs-{:016x}", hasher.finish());
    let max_age = config.max_age;
    // The links of the page are relative, so that it works behind any proxy; nothing of a request leaves for an outside validator.
    let config = Config::from(format!("..{}", paths::OPENAPI)).try_it_out_enabled(true).validator_url("none");
    let page = |uri, config| async { file(uri, Path(INDEX.to_owned()), config).await };
    Router::new()
        .route(paths::OPENAPI, get(move || async move { Json(description) }))
        .route(paths::DOCS, get(to_page))
        .route(&format!("{}/", paths::DOCS), get(page))
        .route(&format!("{}/{{*file}}", paths::DOCS), get(file))
        .with_state(Arc::new(config))
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            EntityTag::new(&settings, request.uri(), "", max_age).answer(request, next)
        }))
}

/// Leads from the address without a slash to the one that relative links need.
async fn to_page() -> impl IntoResponse {
    (StatusCode::SEE_OTHER, [(header::LOCATION, format!("{}/", paths::DOCS.trim_start_matches('/')))])
}

/// Returns a file of the documentation.
async fn file(
    OriginalUri(uri): OriginalUri,
    Path(file): Path<String>,
    State(config): State<Arc<Config<'static>>>,
) -> Response {
    match serve(&file, config) {
        Ok(Some(file)) => ([(header::CONTENT_TYPE, file.content_type)], file.bytes.into_owned()).into_response(),
        Ok(None) => Problem::NoSuchPath(uri.path().to_owned()).into_response(),
        Err(error) => {
            tracing::error!(%error, "the documentation cannot be served");
            Problem::Internal.into_response()
        }
    }
}
