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
mod resource;
mod root;
mod routing;
mod single;
mod snapshot;
mod stream;
mod table;
mod target;
mod top_biomes;

pub use snapshot::LocalCatalogue;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{OriginalUri, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use tokio::sync::Semaphore;

use crate::base_url::BaseUrl;
use crate::blocking::blocking;
use crate::conditional::EntityTag;
use crate::error::Problem;
use crate::limits::Limits;
use crate::{ServiceConfig, SourceError, compression, docs, mount, paths};
use context::Context;
use links::OwnedLinkStyle;
use problem::CatalogueProblem;
use query::Query;
use routing::Route;
use snapshot::{CancelOnDrop, Snapshot};
use target::Target;

/// How to load data.
const HOW_TO_LOAD: &str = "No catalogue is loaded. Run `mgdex catalogue load --data DIR FILE…`.";

/// The shapes of the paths that there are. All have one handler, which reads the path itself: these are for the measurements.
const SHAPES: [&str; 4] = ["/", "/{collection}", "/{collection}/{id}", "/{collection}/{id}/{relation}"];

/// How many answers that may take long are made at once for each core.
const LONG_ANSWERS_PER_CORE: usize = 2;

/// How many of them are made at once at least.
const LONG_ANSWERS_MIN: usize = 4;

/// How long such an answer waits for others to end.
const LONG_ANSWER_WAIT_MAX: Duration = Duration::from_secs(5);

/// What the handler needs.
#[derive(Clone)]
struct Service {
    source: Arc<LocalCatalogue>,
    base_url: BaseUrl,
    max_age: Duration,
    /// A permit for each answer that may take long.
    long_answers: Arc<Semaphore>,
}

/// Returns the routes of the service, with both of its prefixes.
pub(crate) fn router(source: Arc<LocalCatalogue>, config: &ServiceConfig, limits: &Limits) -> Router {
    let num_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let long_answers = Arc::new(Semaphore::new((num_cores * LONG_ANSWERS_PER_CORE).max(LONG_ANSWERS_MIN)));
    let service = Service { source, base_url: BaseUrl::new(config), max_age: config.max_age, long_answers };
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
        let Some(data) = self.source.current() else {
            return Ok(Problem::NotLoaded(HOW_TO_LOAD).into_response());
        };
        let target = Target::parse(path).ok_or(CatalogueProblem::NotFound)?;
        let route = Route::to(target.subject, data.contents())?;
        if method == Method::OPTIONS {
            return options::answer(&route, data.contents());
        }
        let query = Query::parse(uri.query().unwrap_or_default());
        let given = query.last("format").map(str::to_owned);
        let format = negotiation::negotiate(target.suffix, given.as_deref(), headers)?;
        let is_format_named = target.suffix.is_some() || given.is_some();
        let prefix = self.base_url.link(headers, paths::CATALOGUE);
        let variant = format!("{} {prefix}", format.content_type());
        let tag = EntityTag::new(data.name(), uri, &variant, self.max_age);
        let links = OwnedLinkStyle { prefix, suffix: target.suffix, format: given };
        let snapshot = Snapshot::new(data);
        let context = Context { snapshot, query, format, is_format_named, links, path: target.path };
        let read = async { self.read(route, context).await.unwrap_or_else(IntoResponse::into_response) };
        Ok(tag.answer_read(method, headers, read).await)
    }

    /// Answers a request to read, where it may wait for the disk. Whoever gives up waiting cancels the answer.
    async fn read(&self, route: Route, context: Context) -> Result<Response, CatalogueProblem> {
        let _cancel = CancelOnDrop::of(&context.snapshot);
        let mut permit = None;
        if route.may_take_long(&context.query) {
            let waiting = tokio::time::timeout(LONG_ANSWER_WAIT_MAX, Arc::clone(&self.long_answers).acquire_owned());
            permit = Some(waiting.await.ok().and_then(Result::ok).ok_or(SourceError::Overloaded)?);
        }
        blocking(move || {
            let _held = permit;
            route.answer(&context)
        })
        .await
    }
}
