#![doc = include_str!("../README.md")]

mod collections;
mod facets;
pub mod known;
mod openapi;
mod pages;
mod problem;
mod relations;
mod render;
mod request;
mod routing;
pub mod selected;
mod snapshot;
mod v2;

pub use collections::{Collection, lookup};
pub use facets::answer::{FacetAnswer, NumberRange, NumbersOfUnit, ValueCount};
pub use pages::places::Places;
pub use render::table::Formulas;
pub use render::table_stream::TableStream;
pub use request::filters::text::check_searched;
pub use request::query::WHERE;
pub use snapshot::{CancelOnDrop, LocalCatalogue, Snapshot};
pub use v2::{ANNOTATION_TYPES, urls};

use std::sync::Arc;

use api_http::access::{Access, RouteLabel};
use api_http::blocking::in_turns;
use api_http::docs::Docs;
use api_http::error::Problem;
use api_http::execution::Execution;
use api_http::following::Following;
use api_http::front::{Answered, Front, Policy};
use api_http::posted::Posted;
use api_http::{ServiceConfig, SourceError, paths};
use axum::body::{Body, Bytes, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use serde_json::json;
use store_catalogue::LinkStyle;
use store_proteins::ProteinGeneration;

use problem::CatalogueProblem;
use request::context::Context;
use request::parameters::{Parameters, is_strict_requested};
use request::query::Query;
use request::target::Target;
use routing::Route;

/// The answer when no catalogue is loaded.
pub const HOW_TO_LOAD: &str = "No catalogue is loaded. Run `mgdex catalogue load --data DIR FILE…`.";

/// The service: the catalogue in both versions of its interface.
pub struct CatalogueService {
    source: Arc<LocalCatalogue>,
    /// The proteins that conditions can ask for.
    proteins: Arc<Following<ProteinGeneration>>,
    front: Front,
    /// If set, unknown parameters are also refused without `strict=1`.
    is_strict: bool,
    docs: Docs,
    docs_v2: Docs,
}

impl CatalogueService {
    /// Creates the service over a catalogue, in which conditions may ask for proteins.
    pub fn new(
        source: Arc<LocalCatalogue>,
        proteins: Arc<Following<ProteinGeneration>>,
        config: &ServiceConfig,
    ) -> Self {
        Self {
            source,
            proteins,
            front: Front::new(config),
            is_strict: config.strict_parameters,
            docs: Docs::new(paths::CATALOGUE, openapi::description, config),
            docs_v2: Docs::new(paths::CATALOGUE_V2, v2::description, config),
        }
    }

    /// Returns the catalogue that is served.
    pub fn source(&self) -> &Arc<LocalCatalogue> {
        &self.source
    }

    /// Answers a request to a path below one of the prefixes.
    pub async fn answer(
        self: &Arc<Self>,
        prefix: &'static str,
        path: &str,
        parts: &Parts,
        body: Body,
        access: Access,
    ) -> Answered {
        let methods = render::headers::methods(path);
        let (file, is_docs) = (Docs::find(path), paths::below(path, paths::DOCS).is_some());
        let (route, allowed) = match file {
            Some(file) => (RouteLabel::Docs(prefix, file), Some(methods)),
            None if is_docs => (RouteLabel::NONE, None),
            None => (routing::label(prefix, path), Some(methods)),
        };
        let cross_origin = Some(render::headers::cross_origin(methods));
        let policy = Policy { route, methods: allowed, cross_origin, varies: true, is_compressed: true };
        let begin = || match file {
            Some(_) if parts.method == Method::OPTIONS => Execution::Inline(Response::default()),
            Some(file) => Execution::Inline(self.docs.answer(file, parts)),
            None if is_docs => Execution::Inline(access.respond(Err(CatalogueProblem::NotFound))),
            None => self
                .begin(path, parts, body, access)
                .unwrap_or_else(|problem| Execution::Inline(access.respond(Err(problem)))),
        };
        let mut answered = self.front.answer(policy, parts, access, begin, |problem| problem::reshape(&problem)).await;
        render::headers::complete(&mut answered.response, methods);
        render::headers::set_error_type(&mut answered.response, &parts.headers);
        answered
    }

    /// Begins to answer a request to a collection or resource.
    fn begin<'a>(
        self: &'a Arc<Self>,
        path: &str,
        parts: &'a Parts,
        body: Body,
        access: Access,
    ) -> Result<Execution<'a, Response>, CatalogueProblem> {
        let Parts { method, uri, headers, .. } = parts;
        let data = self.source.current().ok_or_else(|| self.source.absence(HOW_TO_LOAD))?;
        let target = Target::parse(path).ok_or(CatalogueProblem::NotFound)?;
        let route = Route::to(&target.segments, data.contents())?;
        if method == Method::OPTIONS {
            return pages::options::answer(&route, render::headers::methods(path), data.contents())
                .map(Execution::Inline);
        }
        let text = uri.query().unwrap_or_default();
        request::parameters::check_number(text)?;
        let query = Query::parse(text);
        if let Route::Search(collection) = route {
            return Ok(Execution::Offloaded(Box::pin(async move {
                let posted = match Posted::arrive(&self.front.limits, headers, body, pages::search::BODY).await {
                    Ok(posted) => posted,
                    Err(fault) => return access.respond(Err(pages::search::body_problem(fault))),
                };
                let (service, headers, snapshot) = (Arc::clone(self), headers.clone(), Snapshot::new(data));
                let _cancel = CancelOnDrop::new(&snapshot);
                let read = move |contents| {
                    let query = query.with_body(pages::search::parameters(contents, &collection)?);
                    let route = Route::Search(collection);
                    let snapshot = snapshot.with_proteins_for(&query, &service.proteins);
                    Ok((service.context(snapshot, target, &route, query, &headers)?, route))
                };
                let answer =
                    |(context, route): &(Context, Route), turn| context.snapshot.within(turn, || route.answer(context));
                access.respond(posted.in_turns(read, answer).await)
            })));
        }
        let snapshot = Snapshot::new(data).with_proteins_for(&query, &self.proteins);
        let generations = snapshot.generations();
        let cancel = CancelOnDrop::new(&snapshot);
        let context = self.context(snapshot, target, &route, query, headers)?;
        let variant = format!("{} {}", context.format.content_type(), context.links.prefix());
        let tag = match self.front.tag(generations, parts, &variant) {
            Ok(tag) => tag,
            Err(not_modified) => return Ok(Execution::Inline(not_modified)),
        };
        let is_quick = !route.may_take_long(&context);
        let snapshot = context.snapshot.clone();
        let read = move || tag.clone().tag(access.respond(route.answer(&context)));
        let refuse = move |refusal| access.respond(Err(refusal));
        Ok(self.execute(is_quick, snapshot, cancel, read, refuse))
    }

    /// Makes an answer: in place if that is quick, otherwise in a turn.
    fn execute<'a>(
        &'a self,
        is_quick: bool,
        snapshot: Snapshot,
        cancel: CancelOnDrop,
        read: impl Fn() -> Response + Send + 'static,
        refuse: impl FnOnce(CatalogueProblem) -> Response + Send + 'a,
    ) -> Execution<'a, Response> {
        if is_quick {
            return self.front.executor.run(move || {
                let _cancel = cancel;
                read()
            });
        }
        Execution::Offloaded(Box::pin(async move {
            let _cancel = cancel;
            in_turns(move |turn| snapshot.within(turn, || Ok(read()))).await.unwrap_or_else(refuse)
        }))
    }

    /// Answers a GET of a path below the prefix, with a query, from the generation of a page.
    /// Returns the status and the JSON that a client would receive, with links relative to this
    /// server. It may take long.
    pub fn document(&self, snapshot: &Snapshot, path: &str, query: &str) -> (StatusCode, Bytes) {
        let answer = || {
            let (route, context) = self.page_context(snapshot, path, query)?;
            route.answer(&context)
        };
        whole(answer().unwrap_or_else(IntoResponse::into_response))
    }

    /// Returns the places of the samples that meet the filters of a query, and their biomes, which
    /// are given by name. It may take long.
    ///
    /// # Errors
    ///
    /// * The query or the server has a problem. The answer describes it.
    pub fn places<'a>(
        &self,
        snapshot: &Snapshot,
        query: &str,
        biomes: &'a [&'a str],
    ) -> Result<Places<'a>, Box<Response>> {
        let context = self.page_context(snapshot, "/samples", query);
        let places = context.and_then(|(_, context)| pages::places::of_samples(&context, biomes));
        places.map_err(|problem| Box::new(problem.into_response()))
    }

    /// Returns whether any sample that meets the filters of a query has coordinates. It may take
    /// long. If the filters cannot be used, no sample meets them.
    ///
    /// # Errors
    ///
    /// * The catalogue cannot be read, or has too much work.
    pub fn has_places(&self, snapshot: &Snapshot, query: &str) -> Result<bool, Problem> {
        let context = self.page_context(snapshot, "/samples", query);
        context.and_then(|(_, context)| pages::places::any_exists(&context)).or_else(pages::places::may_exist)
    }

    /// Returns the request that a page makes.
    fn page_context(&self, snapshot: &Snapshot, path: &str, query: &str) -> Result<(Route, Context), CatalogueProblem> {
        let target = Target::parse(path).ok_or(CatalogueProblem::NotFound)?;
        let route = Route::to(&target.segments, snapshot.contents())?;
        let context = self.context(snapshot.clone(), target, &route, Query::parse(query), &HeaderMap::new())?;
        Ok((route, context))
    }

    /// Reads a request on a generation, or returns the reason why it is refused.
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
        let prefix = self.front.base_url.link(headers, paths::CATALOGUE);
        let links = LinkStyle::new(&prefix, target.suffix, given.as_deref());
        let is_strict = is_strict_requested(&query)? || self.is_strict;
        let parameters = Parameters::of(route, format, snapshot.contents());
        let ignored = parameters.check(&query, is_strict, snapshot.contents())?;
        Ok(Context { snapshot, query, format, is_format_named, links, path: target.path, ignored })
    }
}

/// Returns the status and the body of an answer that is not streamed. If the body cannot be read,
/// that is an internal error.
fn whole(answer: Response) -> (StatusCode, Bytes) {
    let status = answer.status();
    if let Some(Ok(json)) = to_bytes(answer.into_body(), usize::MAX).now_or_never() {
        return (status, json);
    }
    let problem = Problem::from(SourceError::Fault("an answer that a page is made from cannot be read".into()));
    (problem.status(), json!({ "detail": problem.detail() }).to_string().into())
}
