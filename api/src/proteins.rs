//! The protein service.

mod local;
mod problem;
pub(crate) mod shared;
mod source;
mod v1;
mod v2;

pub use local::LocalProteins;
pub(crate) use problem::{ParameterProblem, ProteinProblem};
pub(crate) use shared::detail::find as find_protein;
pub use shared::results::{ResultField, ResultFormat, ResultWriter, write_fasta_with};
pub use shared::wire::{ProteinDetail, ProteinSearchResult, hits_json};
pub use source::{ProteinSnapshot, ProteinSource};
pub(crate) use v2::QueryParameters;

use std::sync::Arc;

use axum::Router;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};

use crate::http::access::{Access, RouteLabel};
use crate::http::base_url::BaseUrl;
use crate::http::conditional::{EntityTag, Tagging, cache_control};
use crate::http::cors::CrossOrigin;
use crate::http::door::{Door, Passing};
use crate::http::error::Problem;
use crate::http::limits::Limits;
use crate::http::reading::Answered;
use crate::http::{docs, fallback, mount, reading};
use crate::{ServiceConfig, paths};
use store::ProteinGeneration;
use v1::parameters::SearchParameters;

const HOW_TO_LOAD: &str =
    "No proteins are loaded. Run `mgdex index --data DIR --portal FILE… --biomes TSV --pfam TSV`.";

const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD");

const CROSS_ORIGIN: CrossOrigin = CrossOrigin {
    methods: "GET,HEAD,OPTIONS",
    exposed_headers: "content-disposition,etag,link,location,retry-after,x-request-id",
};

/// The service: search and record of proteins, and its documentation.
pub(crate) struct ProteinService {
    source: Arc<dyn ProteinSource>,
    base_url: BaseUrl,
    cache_control: HeaderValue,
    limits: Limits,
    door: Door,
    docs: Router,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation<'a> {
    Search,
    Detail(&'a str),
    V2(v2::Operation<'a>),
}

/// A version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V1,
    V2,
}

impl<'a> Operation<'a> {
    /// Returns the operation of a path below the prefix of a version. A slash at the end is as if it were not there.
    fn at(version: Version, path: &'a str) -> Option<Self> {
        if version == Version::V2 {
            return v2::Operation::at(path).map(Self::V2);
        }
        let segment = path.strip_prefix("/protein/")?;
        match segment.strip_suffix('/').unwrap_or(segment) {
            "search" => Some(Self::Search),
            segment if segment.is_empty() || segment.contains('/') => None,
            segment => Some(Self::Detail(segment)),
        }
    }

    fn route(self) -> RouteLabel {
        RouteLabel::Static(match self {
            Self::Search => paths::PROTEIN_SEARCH_ROUTE,
            Self::Detail(_) => paths::PROTEIN_DETAIL_ROUTE,
            Self::V2(operation) => operation.route(),
        })
    }
}

impl ProteinService {
    pub(crate) fn new(source: Arc<dyn ProteinSource>, config: &ServiceConfig) -> Self {
        let versions = [(paths::PROTEINS, v1::description::description()), (paths::PROTEINS_V2, v2::description())];
        let docs = versions.into_iter().fold(Router::new(), |routes, (prefix, description)| {
            let docs = docs::router(description, config).method_not_allowed_fallback(fallback::method_not_allowed);
            routes.nest(prefix, docs)
        });
        let docs = docs.fallback(fallback::not_found);
        Self {
            source,
            base_url: BaseUrl::new(config),
            cache_control: cache_control(config.max_age),
            limits: Limits::new(config),
            door: Door::default(),
            docs: mount::with_route(docs),
        }
    }

    pub(crate) async fn answer(&self, version: Version, path: &str, parts: &Parts, access: Access) -> Answered {
        let operation = Operation::at(version, path);
        let route = operation.map(Operation::route);
        let (mut response, permit) = if parts.method == Method::OPTIONS {
            let mut preflight = Response::default();
            CROSS_ORIGIN.add_permissions(preflight.headers_mut());
            (preflight, None)
        } else {
            let make = || match operation {
                Some(operation) => self.read(operation, parts, access).unwrap_or_else(Passing::Done),
                None => Passing::Elsewhere(Box::pin(mount::ask(&self.docs, parts))),
            };
            reading::answer(&self.limits, parts, access, make, IntoResponse::into_response).await
        };
        CROSS_ORIGIN.add_origin(response.headers_mut());
        if version == Version::V2 {
            response.headers_mut().insert(header::VARY, self.base_url.vary());
        }
        let route = route.unwrap_or_else(|| RouteLabel::of(&response));
        Answered { response, route, permit }
    }

    /// Answers a request to an operation, all of it from one snapshot.
    ///
    /// # Errors
    ///
    /// * The answer is known without asking the snapshot.
    fn read(&self, operation: Operation<'_>, parts: &Parts, access: Access) -> Result<Passing<'_, Response>, Response> {
        if parts.method != Method::GET && parts.method != Method::HEAD {
            let mut refusal = Problem::MethodNotAllowed(parts.method.clone()).into_response();
            refusal.headers_mut().insert(header::ALLOW, METHODS);
            return Err(refusal);
        }
        Ok(match operation {
            Operation::Search => {
                let (snapshot, respond) = self.snapshot(parts, access)?;
                match SearchParameters::parse(parts.uri.query().unwrap_or_default()) {
                    Ok(parameters) => self.door.pass(move || respond(v1::search::answer(&*snapshot, &parameters))),
                    Err(problems) => Passing::Done(respond(Err(ProteinProblem::Parameters(problems)))),
                }
            }
            Operation::Detail(segment) => {
                let (snapshot, respond) = self.snapshot(parts, access)?;
                let (segment, base) = (segment.to_owned(), self.base_url.link(&parts.headers, ""));
                self.door.pass(move || respond(shared::detail::answer(&*snapshot, &segment, &base)))
            }
            Operation::V2(operation) => {
                let data = self.source.generation().ok_or_else(|| absence(&*self.source).into_response())?;
                let base = self.base_url.link(&parts.headers, "");
                let tag =
                    EntityTag::new(data.name(), &parts.uri, &v2::variant(&parts.headers, &base), &self.cache_control);
                let respond = responding(tag.unless_shown(&parts.method, &parts.headers)?, access);
                v2::read(operation, data, parts, base, &self.door, respond)
            }
        })
    }

    /// Returns the snapshot that a request of the first version asks, and what completes the answer.
    fn snapshot(
        &self,
        parts: &Parts,
        access: Access,
    ) -> Result<(Arc<dyn ProteinSnapshot>, impl Respond + use<>), Response> {
        let snapshot = self.source.snapshot().ok_or_else(|| absence(&*self.source).into_response())?;
        let tag = EntityTag::new(snapshot.generation(), &parts.uri, "", &self.cache_control);
        let respond = responding(tag.unless_shown(&parts.method, &parts.headers)?, access);
        Ok((snapshot, respond))
    }
}

/// Completes an answer.
trait Respond: FnOnce(Result<Response, ProteinProblem>) -> Response + Send + 'static {}

impl<F: FnOnce(Result<Response, ProteinProblem>) -> Response + Send + 'static> Respond for F {}

/// Returns the answer where there are no proteins.
pub(crate) fn absence(source: &dyn ProteinSource) -> Problem {
    source.supply().absence::<ProteinGeneration>(source.problem().is_some(), HOW_TO_LOAD)
}

/// Returns what tags an answer, and logs faults.
fn responding(tagging: Tagging, access: Access) -> impl Respond {
    move |made: Result<Response, ProteinProblem>| {
        tagging.tag(made.unwrap_or_else(|problem| access.span().in_scope(|| problem.into_response())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_operations() {
        for (path, expected) in [
            ("/protein/search", Some(Operation::Search)),
            ("/protein/search/", Some(Operation::Search)),
            ("/protein/12", Some(Operation::Detail("12"))),
            ("/protein/12/", Some(Operation::Detail("12"))),
            ("/protein/", None),
            ("/protein//", None),
            ("/protein/12/x", None),
            ("/protein", None),
            ("/docs", None),
            ("", None),
        ] {
            assert_eq!(Operation::at(Version::V1, path), expected, "{path}");
        }
    }
}
