//! The catalogue service.

mod collection;
mod context;
mod derived;
mod document;
mod fields;
mod filter;
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
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use store::LinkStyle;
use tokio::sync::Semaphore;

use crate::access::{Access, RouteLabel};
use crate::base_url::BaseUrl;
use crate::blocking::blocking;
use crate::conditional::{EntityTag, cache_control};
use crate::cors::CrossOrigin;
use crate::door::Door;
use crate::error::Problem;
use crate::limits::Limits;
use crate::{ServiceConfig, SourceError, docs, mount, paths, reading};
use context::Context;
use problem::CatalogueProblem;
use query::Query;
use routing::Route;
use snapshot::{CancelOnDrop, Snapshot};
use target::Target;

const HOW_TO_LOAD: &str = "No catalogue is loaded. Run `mgdex catalogue load --data DIR FILE…`.";

/// How many answers that may take long are made at once for each core.
const LONG_ANSWERS_PER_CORE: usize = 2;

/// How many of them are made at once at least.
const LONG_ANSWERS_MIN: usize = 4;

/// How long such an answer waits for others to end.
const LONG_ANSWER_WAIT_MAX: Duration = Duration::from_secs(5);

pub(crate) struct CatalogueService {
    source: Arc<LocalCatalogue>,
    base_url: BaseUrl,
    cache_control: HeaderValue,
    limits: Limits,
    door: Door,
    long_answers: Arc<Semaphore>,
    docs: Router,
}

impl CatalogueService {
    pub(crate) fn new(source: Arc<LocalCatalogue>, config: &ServiceConfig) -> Self {
        let num_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let docs = docs::router(openapi::description(), config).method_not_allowed_fallback(refuse_method);
        let prefixes = [paths::CATALOGUE, paths::CATALOGUE_LATEST].into_iter();
        let docs = prefixes.fold(Router::new(), |routes, prefix| routes.nest(prefix, docs.clone()));
        Self {
            source,
            base_url: BaseUrl::new(config),
            cache_control: cache_control(config.max_age),
            limits: Limits::new(config),
            door: Door::default(),
            long_answers: Arc::new(Semaphore::new((num_cores * LONG_ANSWERS_PER_CORE).max(LONG_ANSWERS_MIN))),
            docs: mount::with_route(docs.fallback(async || CatalogueProblem::NotFound)),
        }
    }

    /// Answers a request to a path below one of the prefixes.
    pub(crate) async fn answer(
        &self,
        prefix: &str,
        path: &str,
        parts: &Parts,
        access: &Access,
    ) -> (Response, RouteLabel) {
        let is_docs = path == paths::OPENAPI || paths::below(path, paths::DOCS).is_some();
        let mut response = if CrossOrigin::is_preflight(parts) {
            headers::preflight()
        } else {
            let making = async {
                if is_docs { mount::ask(&self.docs, parts).await } else { self.respond(path, parts, access).await }
            };
            let answered = reading::answer(&self.limits, parts, access, making).await;
            answered.unwrap_or_else(|problem| problem::reshape(&problem))
        };
        headers::complete(&mut response, self.base_url.heeds_proxy());
        let route = if is_docs { RouteLabel::of(&response) } else { routing::label(prefix, path) };
        (response, route)
    }

    /// Answers a request to a collection or resource.
    async fn respond(&self, path: &str, parts: &Parts, access: &Access) -> Response {
        let answered = self.try_respond(path, parts, access).await;
        answered.unwrap_or_else(|problem| access.span().in_scope(|| problem.into_response()))
    }

    async fn try_respond(&self, path: &str, parts: &Parts, access: &Access) -> Result<Response, CatalogueProblem> {
        let Parts { method, uri, headers, .. } = parts;
        if ![Method::GET, Method::HEAD, Method::OPTIONS].contains(method) {
            return Err(Problem::MethodNotAllowed(method.clone()).into());
        }
        let data = self.source.current().ok_or(Problem::NotLoaded(HOW_TO_LOAD))?;
        let target = Target::parse(path).ok_or(CatalogueProblem::NotFound)?;
        let route = Route::to(&target.segments, data.contents())?;
        if method == Method::OPTIONS {
            return options::answer(&route, data.contents());
        }
        let query = Query::parse(uri.query().unwrap_or_default());
        let given = query.last("format").map(str::to_owned);
        let format = negotiation::negotiate(target.suffix, given.as_deref(), headers)?;
        let is_format_named = target.suffix.is_some() || given.is_some();
        let prefix = self.base_url.link(headers, paths::CATALOGUE);
        let variant = format!("{} {prefix}", format.content_type());
        let tag = EntityTag::new(data.name(), uri, &variant, &self.cache_control);
        let links = LinkStyle::new(&prefix, target.suffix, given.as_deref());
        let snapshot = Snapshot::new(data);
        let context = Context { snapshot, query, format, is_format_named, links, path: target.path };
        let read = async {
            let read = self.read(route, context, access).await;
            read.unwrap_or_else(|problem| access.span().in_scope(|| problem.into_response()))
        };
        Ok(tag.answer_read(parts, read).await)
    }

    /// Reads what a request asks for. The work is cancelled when nobody waits for it any more.
    async fn read(&self, route: Route, context: Context, access: &Access) -> Result<Response, CatalogueProblem> {
        if !route.may_take_long(&context) {
            return self.door.pass(Box::new(move || route.answer(&context))).await;
        }
        let _cancel = CancelOnDrop::of(&context.snapshot);
        let waiting = tokio::time::timeout(LONG_ANSWER_WAIT_MAX, Arc::clone(&self.long_answers).acquire_owned());
        let permit = waiting.await.ok().and_then(Result::ok).ok_or(SourceError::Overloaded)?;
        let span = access.span();
        let answer = move || {
            let _held = permit;
            span.in_scope(|| route.answer(&context))
        };
        blocking(Box::new(answer)).await
    }
}

/// Refuses a method of the documentation: it can only be read.
async fn refuse_method(method: Method) -> Response {
    match method {
        Method::OPTIONS => StatusCode::OK.into_response(),
        other => problem::reshape(&Problem::MethodNotAllowed(other)),
    }
}
