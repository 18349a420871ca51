//! The protein service.

mod detail;
mod local;
mod parameters;
mod problem;
mod search;
mod source;
mod wire;

pub use local::LocalProteins;
pub use source::{ProteinSnapshot, ProteinSource};
pub use wire::{ProteinDetail, ProteinSearchResult};

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Request, State};
use axum::http::{Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, http::HeaderName};
use tower_http::cors::{Any, CorsLayer};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::base_url::BaseUrl;
use crate::conditional::EntityTag;
use crate::docs::ErrorForm;
use crate::error::Problem;
use crate::limits::Limits;
use crate::{ServiceConfig, access, docs, mount, paths};

/// How to load data.
const HOW_TO_LOAD: &str =
    "No proteins are loaded. Run `mgdex index --data DIR --portal FILE… --biomes TSV --pfam TSV`.";

/// The form of errors.
const ERRORS: ErrorForm = ErrorForm { schema: "ErrorDetail", content_type: "application/json" };

/// The errors that all operations have.
const COMMON_ERRORS: [(&str, &str); 4] = [
    ("405", "The path does not have this method; `Allow` names those that it has."),
    ("414", "The URI is too long."),
    ("500", "A fault of the server; its log says more under the `x-request-id` of the answer."),
    (
        "503",
        "No data are loaded, the server is overloaded, or the request took too long; `Retry-After` says when to come again.",
    ),
];

/// The description of the service; its operations come from the handlers.
#[derive(OpenApi)]
#[openapi(info(
    title = "MGnify proteins, served by mgdex",
    version = "1.0",
    license(name = "MIT OR Apache-2.0"),
    description = "Search of metagenomic protein records by biome or Pfam family, and the full record of one protein.\n\n\
        Hits ascend by accession, and the same request to the same release gives the same answer. Answers carry an `ETag` \
        and honour `If-None-Match`; `HEAD` works wherever `GET` does. Unknown query parameters are ignored; of a repeated \
        parameter the last value counts. All positions are 1-based and inclusive."
))]
struct Description;

/// What the middleware of the data routes needs.
#[derive(Clone)]
struct ReadState {
    /// The proteins.
    source: Arc<dyn ProteinSource>,
    /// How long answers may be kept.
    max_age: Duration,
}

/// The snapshot that a request is answered from.
#[derive(Clone)]
struct Snapshot(Arc<dyn ProteinSnapshot>);

/// Returns the routes of the service, below its prefix.
pub(crate) fn router(source: Arc<dyn ProteinSource>, config: &ServiceConfig, limits: Limits) -> Router {
    let (operations, description) = OpenApiRouter::new()
        .routes(routes!(search::search_proteins))
        .routes(routes!(detail::get_protein_detail))
        .split_for_parts();
    let mut description = Description::openapi().nest(paths::PROTEINS, description);
    ERRORS.add_to_all(&mut description, &COMMON_ERRORS);
    let with_slash = |path: &str| format!("{path}/");
    let state = ReadState { source, max_age: config.max_age };
    let routes = operations
        .route(&with_slash(paths::PROTEIN_SEARCH), get(search::search_proteins))
        .route(&with_slash(paths::PROTEIN_DETAIL), get(detail::get_protein_detail))
        .route_layer(middleware::from_fn_with_state(state, answer_from_snapshot))
        .layer(Extension(BaseUrl::new(config)))
        .merge(docs::router(description, config));
    mount::service(routes, limits).layer(cors())
}

/// Takes the snapshot that the whole request is answered from, and handles conditional requests.
async fn answer_from_snapshot(State(state): State<ReadState>, mut request: Request, next: Next) -> Response {
    let Some(snapshot) = state.source.snapshot() else {
        return Problem::NotLoaded(HOW_TO_LOAD).into_response();
    };
    let tag = EntityTag::new(snapshot.generation(), request.uri(), "", state.max_age);
    request.extensions_mut().insert(Snapshot(snapshot));
    tag.answer(request, next).await
}

/// Opens the service to pages of any origin: it is read-only, public data without credentials.
fn cors() -> CorsLayer {
    let exposed: [HeaderName; 4] = [header::ETAG, header::LOCATION, header::RETRY_AFTER, access::REQUEST_ID];
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::OPTIONS])
        .allow_headers(Any)
        .expose_headers(exposed)
        // The answer is the same for every origin.
        .vary([])
}
