//! The catalogue service.

mod collections;
mod openapi;
mod pages;
mod problem;
mod relations;
mod render;
mod request;
mod routing;
mod snapshot;

pub(crate) use collections::{Collection, lookup};
pub use snapshot::LocalCatalogue;
pub(crate) use snapshot::{CancelOnDrop, Snapshot};

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use store::{CatalogueGeneration, LinkStyle};

use crate::http::access::{Access, RouteLabel};
use crate::http::base_url::BaseUrl;
use crate::http::blocking::{ANSWER_PATIENCE, in_turn};
use crate::http::conditional::{EntityTag, cache_control};
use crate::http::cors::CrossOrigin;
use crate::http::door::{Door, Passing};
use crate::http::error::Problem;
use crate::http::limits::Limits;
use crate::http::reading::Answered;
use crate::http::{docs, mount, reading};
use crate::{ServiceConfig, paths};
use problem::CatalogueProblem;
use render::headers::Methods;
use request::context::Context;
use request::parameters::Parameters;
use request::query::Query;
use request::target::Target;
use routing::Route;

const HOW_TO_LOAD: &str = "No catalogue is loaded. Run `mgdex catalogue load --data DIR FILE…`.";

/// The parameter by which a client wants unknown parameters to be refused.
const STRICT: &str = "strict";

/// Returns the answer where there is no catalogue.
pub(crate) fn absence(source: &LocalCatalogue) -> Problem {
    source.supply().absence::<CatalogueGeneration>(source.problem().is_some(), HOW_TO_LOAD)
}

pub(crate) struct CatalogueService {
    source: Arc<LocalCatalogue>,
    base_url: BaseUrl,
    cache_control: HeaderValue,
    limits: Limits,
    door: Door,
    /// Whether unknown parameters are refused without `strict=1`, too.
    is_strict: bool,
    docs: Router,
}

impl CatalogueService {
    pub(crate) fn new(source: Arc<LocalCatalogue>, config: &ServiceConfig) -> Self {
        let docs = docs::router(openapi::description(), config).method_not_allowed_fallback(refuse_method);
        let prefixes = [paths::CATALOGUE, paths::CATALOGUE_LATEST].into_iter();
        let docs = prefixes.fold(Router::new(), |routes, prefix| routes.nest(prefix, docs.clone()));
        Self {
            source,
            base_url: BaseUrl::new(config),
            cache_control: cache_control(config.max_age),
            limits: Limits::new(config),
            door: Door::default(),
            is_strict: config.strict_parameters,
            docs: mount::with_route(docs.fallback(async || CatalogueProblem::NotFound)),
        }
    }

    /// Answers a request to a path below one of the prefixes.
    pub(crate) async fn answer(
        self: &Arc<Self>,
        prefix: &str,
        path: &str,
        parts: &Parts,
        body: Body,
        access: Access,
    ) -> Answered {
        let is_docs = path == paths::OPENAPI || paths::below(path, paths::DOCS).is_some();
        let methods = Methods::of(path);
        let (mut response, permit) = if CrossOrigin::is_preflight(parts) {
            (render::headers::preflight(methods), None)
        } else {
            let make = || {
                if is_docs {
                    return Passing::Elsewhere(Box::pin(mount::ask(&self.docs, parts)));
                }
                let responded = self.respond((path, methods), parts, body, access);
                responded.unwrap_or_else(|problem| Passing::Done(logged(access, problem)))
            };
            reading::answer(&self.limits, parts, access, make, |problem| problem::reshape(&problem)).await
        };
        render::headers::complete(&mut response, methods, self.base_url.vary());
        let route = if is_docs { RouteLabel::of(&response) } else { routing::label(prefix, path) };
        Answered { response, route, permit }
    }

    /// Answers a request to a collection or resource.
    fn respond<'a>(
        self: &'a Arc<Self>,
        (path, methods): (&str, Methods),
        parts: &'a Parts,
        body: Body,
        access: Access,
    ) -> Result<Passing<'a, Response>, CatalogueProblem> {
        let Parts { method, uri, headers, .. } = parts;
        if !methods.allowed.contains(method) {
            return Err(Problem::MethodNotAllowed(method.clone()).into());
        }
        let data = self.source.current().ok_or_else(|| absence(&self.source))?;
        let target = Target::parse(path).ok_or(CatalogueProblem::NotFound)?;
        let route = Route::to(&target.segments, data.contents())?;
        if method == Method::OPTIONS {
            return pages::options::answer(&route, methods, data.contents()).map(Passing::Done);
        }
        let text = uri.query().unwrap_or_default();
        request::parameters::check_number(text)?;
        let query = Query::parse(text);
        if let Route::Search(collection) = route {
            return Ok(Passing::Elsewhere(Box::pin(async move {
                let given = match pages::search::body(&self.limits, headers, body).await {
                    Ok(given) => given,
                    Err(problem) => return logged(access, problem),
                };
                let (service, headers, snapshot) = (Arc::clone(self), headers.clone(), Snapshot::new(data));
                let _cancel = CancelOnDrop::of(&snapshot);
                let read = move || {
                    let query = query.with_body(pages::search::parameters(&given, &collection)?);
                    drop(given);
                    let route = Route::Search(collection);
                    route.answer(&service.context(snapshot, target, &route, query, &headers)?)
                };
                read_long(read, access).await
            })));
        }
        let generation = data.name();
        let snapshot = Snapshot::new(data);
        let cancel = CancelOnDrop::of(&snapshot);
        let context = self.context(snapshot, target, &route, query, headers)?;
        let variant = format!("{} {}", context.format.content_type(), context.links.prefix());
        let tag = EntityTag::new(generation, uri, &variant, &self.cache_control);
        let tagging = match tag.unless_shown(method, headers) {
            Ok(tagging) => tagging,
            Err(not_modified) => return Ok(Passing::Done(not_modified)),
        };
        let may_take_long = route.may_take_long(&context);
        let read = move || Ok(tagging.tag(route.answer(&context).unwrap_or_else(|problem| logged(access, problem))));
        Ok(if may_take_long {
            Passing::Elsewhere(Box::pin(async move {
                let _cancel = cancel;
                read_long(read, access).await
            }))
        } else {
            self.door.pass(move || {
                let _cancel = cancel;
                read().unwrap_or_else(|problem| logged(access, problem))
            })
        })
    }

    /// Answers a GET of a path below the prefix, and of a query, from a generation that a page is made from: with the status and the JSON that a
    /// client gets, links relative to this server. It may take long.
    pub(crate) fn document(&self, snapshot: &Snapshot, path: &str, query: &str) -> (StatusCode, Bytes) {
        let answer = || {
            let target = Target::parse(path).ok_or(CatalogueProblem::NotFound)?;
            let route = Route::to(&target.segments, snapshot.contents())?;
            route.answer(&self.context(snapshot.clone(), target, &route, Query::parse(query), &HeaderMap::new())?)
        };
        let response = answer().unwrap_or_else(IntoResponse::into_response);
        let status = response.status();
        // A document is whole before it is answered.
        let json = to_bytes(response.into_body(), usize::MAX).now_or_never().and_then(Result::ok);
        (status, json.unwrap_or_default())
    }

    /// Answers with the places of the samples that satisfy the filters of a query. It may take long.
    pub(crate) fn places(&self, snapshot: &Snapshot, query: &str) -> Response {
        let answer = || {
            let target = Target::parse("/samples").ok_or(CatalogueProblem::NotFound)?;
            let route = Route::to(&target.segments, snapshot.contents())?;
            pages::places::answer(&self.context(
                snapshot.clone(),
                target,
                &route,
                Query::parse(query),
                &HeaderMap::new(),
            )?)
        };
        answer().unwrap_or_else(IntoResponse::into_response)
    }

    /// Returns what a request asks for of a generation, if it can be asked.
    fn context(
        &self,
        snapshot: Snapshot,
        target: Target,
        route: &Route,
        query: Query,
        headers: &HeaderMap,
    ) -> Result<Context, CatalogueProblem> {
        let given = query.last("format").map(str::to_owned);
        let format = request::negotiation::negotiate(target.suffix, given.as_deref(), headers)?;
        let is_format_named = target.suffix.is_some() || given.is_some();
        let prefix = self.base_url.link(headers, paths::CATALOGUE);
        let links = LinkStyle::new(&prefix, target.suffix, given.as_deref());
        let is_strict = self.is_strict || query.last(STRICT) == Some("1");
        let ignored = Parameters::of(route, snapshot.contents()).check(&query, is_strict)?;
        Ok(Context { snapshot, query, format, is_format_named, links, path: target.path, ignored })
    }
}

/// Reads what may take long, when it is its turn.
async fn read_long(
    read: impl FnOnce() -> Result<Response, CatalogueProblem> + Send + 'static,
    access: Access,
) -> Response {
    let read = move || access.span().in_scope(|| read().unwrap_or_else(IntoResponse::into_response));
    in_turn(ANSWER_PATIENCE, read).await.unwrap_or_else(|overloaded| logged(access, overloaded.into()))
}

/// Returns the answer that tells a problem; faults are logged.
fn logged(access: Access, problem: CatalogueProblem) -> Response {
    access.span().in_scope(|| problem.into_response())
}

/// Refuses a method of the documentation: it can only be read.
async fn refuse_method(method: Method) -> Response {
    match method {
        Method::OPTIONS => StatusCode::OK.into_response(),
        other => problem::reshape(&Problem::MethodNotAllowed(other)),
    }
}
