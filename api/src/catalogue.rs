//! The catalogue service.

mod collection;
mod context;
mod derived;
mod document;
mod fields;
mod filters;
mod headers;
mod include;
mod linked;
mod links;
mod list;
mod local;
mod lookup;
mod negotiation;
mod openapi;
mod options;
mod ordering;
mod paging;
mod problem;
mod query;
mod raw_object;
mod related;
mod root;
mod routing;
mod single;
mod source;
mod stream;
mod table;
mod target;
mod top_biomes;

pub use local::LocalCatalogue;
pub use source::{CatalogueSnapshot, CatalogueSource};

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{OriginalUri, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::any;

use crate::base_url::BaseUrl;
use crate::conditional::EntityTag;
use crate::error::Problem;
use crate::limits::Limits;
use crate::{ServiceConfig, compression, docs, mount, paths};
use context::Context;
use links::OwnedLinkStyle;
use problem::CatalogueProblem;
use query::Query;
use routing::Route;
use target::Target;

/// How to load data.
const HOW_TO_LOAD: &str = "No catalogue is loaded. Run `mgdex catalogue load --data DIR FILE…`.";

/// The shapes of the paths that there are. All have one handler, which reads the path itself: these are for the measurements.
const SHAPES: [&str; 4] = ["/", "/{collection}", "/{collection}/{id}", "/{collection}/{id}/{relation}"];

/// What the handler needs.
#[derive(Clone)]
struct Service {
    /// The catalogue.
    source: Arc<dyn CatalogueSource>,
    /// Where links begin.
    base_url: BaseUrl,
    /// How long answers may be kept.
    max_age: Duration,
}

/// Returns the routes of the service, with both of its prefixes.
pub(crate) fn router(source: Arc<dyn CatalogueSource>, config: &ServiceConfig, limits: &Limits) -> Router {
    let service = Service { source, base_url: BaseUrl::new(config), max_age: config.max_age };
    let complete = middleware::from_fn_with_state(service.base_url.clone(), headers::complete);
    let routes = SHAPES.into_iter().fold(Router::new(), |routes, shape| routes.route(shape, any(answer)));
    let routes = routes
        .fallback(answer)
        .with_state(service.clone())
        .merge(docs::router(openapi::description(), config))
        .method_not_allowed_fallback(other_method);
    let all = with_layers(routes, limits).layer(complete.clone());
    // What is nested has no path of a slash alone.
    let root = with_layers(Router::new().route("/", any(answer)).with_state(service), limits).layer(complete);
    [paths::CATALOGUE, paths::CATALOGUE_LATEST].into_iter().fold(Router::new(), |router, prefix| {
        router.nest(prefix, all.clone()).nest(&format!("{prefix}/"), root.clone())
    })
}

/// Adds limits, the shape of errors and compression.
fn with_layers(routes: Router, limits: &Limits) -> Router {
    let limited = compression::negotiated(mount::limited(routes, limits.clone()));
    mount::compressed(limited.layer(middleware::from_fn(headers::shape_errors)))
}

/// Answers a method that the documentation does not have: it can only be read.
async fn other_method(method: Method) -> Response {
    match method {
        Method::OPTIONS => StatusCode::OK.into_response(),
        other => Problem::MethodNotAllowed(other).into_response(),
    }
}

/// Answers every request to the catalogue.
async fn answer(State(service): State<Service>, OriginalUri(uri): OriginalUri, request: Request) -> Response {
    service.answer(below_prefix(&uri), &request.into_parts().0).await.unwrap_or_else(IntoResponse::into_response)
}

/// Returns the path below the prefix as it was requested: that of the request has lost slashes.
fn below_prefix(uri: &Uri) -> &str {
    let path = uri.path();
    let mut prefixes = [paths::CATALOGUE, paths::CATALOGUE_LATEST].into_iter();
    prefixes.find_map(|prefix| path.strip_prefix(prefix)).unwrap_or(path)
}

impl Service {
    /// Answers a request: says what there is, or reads it.
    async fn answer(&self, path: &str, request: &Parts) -> Result<Response, CatalogueProblem> {
        let Parts { method, uri, headers, .. } = request;
        if ![Method::GET, Method::HEAD, Method::OPTIONS].contains(method) {
            return Ok(Problem::MethodNotAllowed(method.clone()).into_response());
        }
        let Some(snapshot) = self.source.snapshot() else {
            return Ok(Problem::NotLoaded(HOW_TO_LOAD).into_response());
        };
        let target = Target::parse(path).ok_or(CatalogueProblem::NotFound)?;
        let route = Route::to(target.subject, snapshot.contents())?;
        if method == Method::OPTIONS {
            return options::answer(&route, snapshot.contents());
        }
        let query = Query::parse(uri.query().unwrap_or_default());
        let given = query.last("format").map(str::to_owned);
        let format = negotiation::negotiate(target.suffix, given.as_deref(), headers)?;
        let is_format_named = target.suffix.is_some() || given.is_some();
        let prefix = self.base_url.link(headers, paths::CATALOGUE);
        let variant = format!("{} {prefix}", format.content_type());
        let tag = EntityTag::new(snapshot.generation(), uri, &variant, self.max_age);
        let links = OwnedLinkStyle { prefix, suffix: target.suffix, format: given };
        let context = Context { snapshot, query, format, is_format_named, links, path: target.path };
        let read = async { route.answer(&context).await.unwrap_or_else(IntoResponse::into_response) };
        Ok(tag.answer_read(method, headers, read).await)
    }
}
