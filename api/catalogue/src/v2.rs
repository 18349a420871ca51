//! Version 2 of MGnify's API: another view of the same data.

mod details;
mod documents;
mod export;
mod facets;
mod filter;
mod kinds;
mod list_request;
mod lists;
mod news;
mod openapi;
mod parts;
mod refusal;
mod routing;
pub mod urls;
mod values;

pub(super) use openapi::description;
pub use parts::ANNOTATION_TYPES;

use std::sync::Arc;

use api_http::access::{Access, RouteLabel};
use api_http::docs::Docs;
use api_http::error::Problem;
use api_http::execution::Execution;
use api_http::front::{Answered, Policy};
use api_http::paths;
use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::request::parameters::{check_number, is_strict_requested};
use super::request::query::Query;
use super::routing::label;
use super::snapshot::{CancelOnDrop, Snapshot};
use super::{CatalogueService, HOW_TO_LOAD, render, whole};
use refusal::{NOT_FOUND, Refusal};
use routing::Route;

/// A parsed request, with the data that answer it.
struct Context {
    snapshot: Snapshot,
    query: Query,
    /// If set, parameters without effect are refused.
    is_strict: bool,
    /// The prefix of links to this server.
    base_url: String,
}

impl Context {
    /// Returns the request that a page of the portal makes.
    fn of_page(snapshot: &Snapshot, query: &str) -> Self {
        Self { snapshot: snapshot.clone(), query: Query::parse(query), is_strict: false, base_url: String::new() }
    }
}

impl CatalogueService {
    /// Answers a request to a path below the prefix of version 2.
    pub async fn answer_v2(self: &Arc<Self>, path: &str, parts: &Parts, access: Access) -> Answered {
        let (file, route) = (Docs::find(path), Route::to(path));
        let is_root = ["", "/"].contains(&path);
        let methods = route.as_ref().map_or(render::headers::READING, Route::methods);
        let route_label = match file {
            Some(file) => RouteLabel::Docs(paths::CATALOGUE_V2, file),
            None if is_root || route.is_some() => label(paths::CATALOGUE_V2, path),
            None => RouteLabel::NONE,
        };
        let allowed = (file.is_some() || is_root || route.is_some()).then_some(methods);
        let cross_origin = Some(render::headers::cross_origin(methods));
        let policy = Policy { route: route_label, methods: allowed, cross_origin, varies: true, is_compressed: true };
        let refuse = |problem: Problem| Refusal::Common(problem).into_response();
        let begin = || match (file, route) {
            _ if parts.method == Method::OPTIONS && allowed.is_some() => Execution::Inline(Response::default()),
            (Some(file), _) => Execution::Inline(self.docs_v2.answer(file, parts)),
            (None, None) if is_root => Execution::Inline(self.to_documentation_v2()),
            (None, None) => Execution::Inline(refuse(Problem::NoSuchPath(String::new()))),
            (None, Some(route)) => self
                .begin_v2(route, parts, access)
                .unwrap_or_else(|refusal| Execution::Inline(access.respond(Err(refusal)))),
        };
        let mut answered = self.front.answer(policy, parts, access, begin, refuse).await;
        render::headers::complete(&mut answered.response, methods);
        answered
    }

    /// Redirects from the root to the documentation.
    fn to_documentation_v2(&self) -> Response {
        let location = [self.front.base_url.root(), paths::CATALOGUE_V2, paths::DOCS, "/"].concat();
        (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
    }

    /// Answers a GET of a path below the prefix of version 2, with a query, from the generation of
    /// a page. It may take long.
    pub fn document_v2(snapshot: &Snapshot, path: &str, query: &str) -> (StatusCode, Bytes) {
        let answer = || {
            let route = Route::to(path).ok_or_else(|| Refusal::NotFound(NOT_FOUND.to_owned()))?;
            route.answer(&Context::of_page(snapshot, query))
        };
        whole(answer().unwrap_or_else(IntoResponse::into_response))
    }

    fn begin_v2<'a>(
        self: &'a Arc<Self>,
        route: Route,
        parts: &Parts,
        access: Access,
    ) -> Result<Execution<'a, Response>, Refusal> {
        if matches!(route, Route::NotServed) {
            return Err(Refusal::NotServed);
        }
        let data = self.source.current().ok_or_else(|| self.source.absence(HOW_TO_LOAD))?;
        let text = parts.uri.query().unwrap_or_default();
        check_number(text)?;
        let query = Query::parse(text);
        let is_strict = is_strict_requested(&query)? || self.is_strict;
        let base_url = self.front.base_url.link(&parts.headers, "");
        let snapshot = Snapshot::new(data).with_proteins_for(&query, &self.proteins);
        let tag = match self.front.tag(snapshot.generations(), parts, &base_url) {
            Ok(tag) => tag,
            Err(not_modified) => return Ok(Execution::Inline(not_modified)),
        };
        let context = Context { snapshot, query, is_strict, base_url };
        let cancel = CancelOnDrop::new(&context.snapshot);
        let is_quick = route.is_quick(&context);
        let snapshot = context.snapshot.clone();
        let read = move || tag.clone().tag(access.respond(route.answer(&context)));
        let refuse = move |refusal| access.respond(Err(Refusal::from(refusal)));
        Ok(self.execute(is_quick, snapshot, cancel, read, refuse))
    }
}
