//! The protein service.

mod problem;
mod refget;
pub(crate) mod shared;
mod v1;
mod v2;

pub(crate) use problem::{NO_CHECKSUMS, ParameterProblem, ProteinProblem};
pub(crate) use shared::detail::find as find_protein;
pub use shared::lookup::SequenceLookup;
pub use shared::names::Names;
pub use shared::release::Release;
pub use shared::result_stream::ResultStream;
pub use shared::results::{ResultField, ResultFormat, ResultWriter, write_fasta_with};
pub use shared::wire::{ProteinDetail, ProteinSearchResult, hits_json};
pub(crate) use v2::QueryParameters;
pub use v2::{FacetAnswer, FacetTotal, FacetValue};

use std::sync::Arc;

use axum::body::Body;
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use store::ProteinGeneration;

use crate::catalogue::LocalCatalogue;
use crate::following::Following;
use crate::http::access::{Access, RouteLabel};
use crate::http::blocking::{ANSWER_PATIENCE, in_turn};
use crate::http::docs::Docs;
use crate::http::error::Problem;
use crate::http::execution::Execution;
use crate::http::front::{Answered, CrossOrigin, Front, Methods, Policy};
use crate::http::json::json_answer;
use crate::http::routes::{self, Route};
use crate::{ServiceConfig, Services, paths};
use refget::RefgetRequest;
use shared::family_counts::CountedFamilies;
use shared::{detail, wire};
use v1::parameters::SearchParameters;

/// The current protein generation of a folder, and newer ones as they are published.
pub type LocalProteins = Following<ProteinGeneration>;

const HOW_TO_LOAD: &str =
    "No proteins are loaded. Run `mgdex index --data DIR --portal FILE… --biomes TSV --pfam TSV`.";

const METHODS: Methods = Methods { allowed: &[Method::GET, Method::HEAD], names: "GET,HEAD" };

const POST: Methods = Methods { allowed: &[Method::POST], names: "POST" };

const CROSS_ORIGIN: CrossOrigin = CrossOrigin {
    methods: "GET,HEAD,OPTIONS",
    exposed_headers: "content-disposition,etag,link,location,retry-after,x-request-id",
    has_all_options: true,
};

const CROSS_ORIGIN_POST: CrossOrigin = CrossOrigin {
    methods: "POST,OPTIONS",
    exposed_headers: "content-disposition,link,retry-after,x-missing,x-request-id",
    ..CROSS_ORIGIN
};

const CROSS_ORIGIN_REFGET: CrossOrigin = CrossOrigin {
    exposed_headers: "accept-ranges,content-range,etag,location,retry-after,x-request-id",
    ..CROSS_ORIGIN
};

/// The service: search and record of proteins, and its documentation.
pub(crate) struct ProteinService {
    source: Arc<LocalProteins>,
    catalogue: Arc<LocalCatalogue>,
    families: Arc<CountedFamilies>,
    front: Front,
    /// By version.
    docs: [Docs; 3],
}

/// A version of the interface, or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V1,
    V2,
    Refget,
}

/// An operation. The second segment of the path of a protein is its accession.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Search,
    /// The parameters are in the body.
    PostedSearch,
    /// The accessions are in the body.
    Batch,
    /// The sequences are in the body.
    Lookup,
    Suggest,
    Facets,
    Enrichment,
    Record,
    Fasta,
    Refget(refget::Part),
}

impl Operation {
    /// Returns its methods, and what pages of other origins may do with it.
    fn methods(self) -> (Methods, CrossOrigin) {
        match self {
            Self::PostedSearch | Self::Batch | Self::Lookup => (POST, CROSS_ORIGIN_POST),
            Self::Refget(_) => (METHODS, CROSS_ORIGIN_REFGET),
            _ => (METHODS, CROSS_ORIGIN),
        }
    }
}

const ROUTES_V1: [Route<Operation>; 2] = [
    Route::new("/protein/search", paths::PROTEIN_SEARCH_ROUTE, Operation::Search),
    Route::new("/protein/{mgyp}", paths::PROTEIN_DETAIL_ROUTE, Operation::Record),
];

const ROUTES_V2: [Route<Operation>; 9] = [
    Route::new("/proteins", paths::PROTEINS_ROUTE, Operation::Search),
    Route::new("/proteins/search", paths::PROTEINS_SEARCH_ROUTE, Operation::PostedSearch),
    Route::new("/proteins/batch", paths::PROTEINS_BATCH_ROUTE, Operation::Batch),
    Route::new("/sequences/search", paths::SEQUENCES_SEARCH_ROUTE, Operation::Lookup),
    Route::new("/facets", paths::FACETS_ROUTE, Operation::Facets),
    Route::new("/enrichment", paths::ENRICHMENT_ROUTE, Operation::Enrichment),
    Route::new("/proteins/{accession}.fasta", paths::PROTEIN_FASTA_ROUTE, Operation::Fasta),
    Route::new("/proteins/{accession}", paths::PROTEIN_ROUTE, Operation::Record),
    Route::new("/suggest", paths::SUGGEST_ROUTE, Operation::Suggest),
];

const ROUTES_REFGET: [Route<Operation>; 3] = [
    Route::new("/sequence/service-info", paths::REFGET_SERVICE_ROUTE, Operation::Refget(refget::Part::Service)),
    Route::new("/sequence/{id}", paths::REFGET_SEQUENCE_ROUTE, Operation::Refget(refget::Part::Sequence)),
    Route::new("/sequence/{id}/metadata", paths::REFGET_METADATA_ROUTE, Operation::Refget(refget::Part::Metadata)),
];

/// The most segments of a path.
const SEGMENTS_MAX: usize = 3;

impl Version {
    pub(crate) const ALL: [Self; 3] = [Self::V1, Self::V2, Self::Refget];

    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::V1 => paths::PROTEINS,
            Self::V2 => paths::PROTEINS_V2,
            Self::Refget => paths::REFGET,
        }
    }

    /// Finds the route of a path below the prefix, and its second segment, or the only one. A slash at the end is ignored.
    fn find(self, path: &str) -> Option<(&'static Route<Operation>, &str)> {
        let routes: &[_] = match self {
            Self::V1 => &ROUTES_V1,
            Self::V2 => &ROUTES_V2,
            Self::Refget => &ROUTES_REFGET,
        };
        let mut segments = [""; SEGMENTS_MAX];
        let mut num_segments = 0;
        for segment in path.strip_suffix('/').unwrap_or(path).strip_prefix('/')?.split('/') {
            *segments.get_mut(num_segments)? = segment;
            num_segments += 1;
        }
        let route = routes::find(routes, &segments[..num_segments])?;
        Some((route, segments[usize::from(num_segments > 1)]))
    }
}

impl ProteinService {
    pub(crate) fn new(services: &Services, families: Arc<CountedFamilies>, config: &ServiceConfig) -> Self {
        let docs = [v1::description::description(), v2::description(), refget::description::description()]
            .map(|docs| Docs::new(docs, config));
        let (source, catalogue) = (Arc::clone(&services.proteins), Arc::clone(&services.catalogue));
        Self { source, catalogue, families, front: Front::new(config), docs }
    }

    pub(crate) async fn answer(
        &self,
        version: Version,
        path: &str,
        parts: &Parts,
        body: Body,
        access: Access,
    ) -> Answered {
        let found = version.find(path);
        let (methods, cross_origin) = found.map_or((METHODS, CROSS_ORIGIN), |(route, _)| route.target.methods());
        let file = if found.is_none() { Docs::find(path) } else { None };
        let (route, methods) = match (found, file) {
            (Some((route, _)), _) => (RouteLabel::Static(route.label), Some(methods)),
            (None, Some(file)) => (RouteLabel::Docs(version.prefix(), file), Some(methods)),
            (None, None) => (RouteLabel::NONE, None),
        };
        let policy = Policy { route, methods, cross_origin: Some(cross_origin), varies: version != Version::V1 };
        let begin = || match (found, file) {
            (Some((route, segment)), _) => {
                self.begin(version, route.target, segment, (parts, body), access).unwrap_or_else(Execution::Inline)
            }
            (None, Some(file)) => Execution::Inline(self.docs[version as usize].answer(file, parts)),
            (None, None) => Execution::Inline(Problem::NoSuchPath(parts.uri.path().to_owned()).into_response()),
        };
        self.front.answer(policy, parts, access, begin, IntoResponse::into_response).await
    }

    /// Begins an operation, all of it on one generation.
    ///
    /// # Errors
    ///
    /// * The answer is known without asking the generation.
    fn begin<'a>(
        &'a self,
        version: Version,
        operation: Operation,
        segment: &str,
        (parts, body): (&'a Parts, Body),
        access: Access,
    ) -> Result<Execution<'a, Response>, Response> {
        let data = self.source.current().ok_or_else(|| absence(&self.source).into_response())?;
        let front = &self.front;
        if let Operation::Refget(part) = operation {
            let base = front.base_url.link(&parts.headers, "");
            let tag = front.tag(data.name(), parts, &refget::variant(&parts.headers, &base))?;
            let request = RefgetRequest::new(part, segment, parts, base);
            // Metadata name all proteins of a sequence.
            return Ok(if part == refget::Part::Metadata {
                let answer = in_turn(ANSWER_PATIENCE, move || request.answer(&data));
                Execution::Offloaded(Box::pin(async move {
                    tag.tag(access.respond(answer.await.map_err(ProteinProblem::from).flatten()))
                }))
            } else {
                front.executor.run(move || tag.tag(access.respond(request.answer(&data))))
            });
        }
        if version == Version::V2 {
            let base = front.base_url.link(&parts.headers, "");
            if let Operation::Batch | Operation::Lookup = operation {
                let request = (&front.limits, parts, body);
                return Ok(Execution::Offloaded(Box::pin(async move {
                    access.respond(if operation == Operation::Batch {
                        v2::batch(data, request, base).await
                    } else {
                        v2::lookup(data, request).await
                    })
                })));
            }
            let variant = v2::variant(&parts.headers, &base);
            let release = Release::served(Arc::clone(&data), self.catalogue.current(), &self.families);
            if operation == Operation::PostedSearch {
                let request = (&front.limits, parts, body);
                let answer = async move { access.respond(v2::posted_search(release, request, base).await) };
                return Ok(Execution::Offloaded(Box::pin(answer)));
            }
            // Only a record has nothing of the catalogue.
            let tag = match operation {
                Operation::Record | Operation::Fasta => front.tag(data.name(), parts, &variant)?,
                _ => front.tag(release.generations(), parts, &variant)?,
            };
            let respond = move |made| tag.tag(access.respond(made));
            match operation {
                Operation::Search => return Ok(v2::search(release, parts, base, &front.executor, respond)),
                Operation::Facets => return Ok(v2::counted(release, parts, v2::facets, respond)),
                Operation::Enrichment => return Ok(v2::counted(release, parts, v2::enrichment, respond)),
                Operation::Suggest => return Ok(v2::suggest(release, parts, respond)),
                _ => {}
            }
            let allowed = v2::none_allowed(parts.uri.query().unwrap_or_default());
            let (segment, is_fasta) = (segment.to_owned(), operation == Operation::Fasta);
            let answer = move || allowed.and_then(|()| v2::record(&data, &segment, is_fasta, &base));
            return Ok(front.executor.run(move || respond(answer())));
        }
        let tag = front.tag(data.name(), parts, "")?;
        Ok(if operation == Operation::Search {
            let parameters = SearchParameters::parse(parts.uri.query().unwrap_or_default(), data.biomes());
            front
                .executor
                .run(move || tag.tag(access.respond(parameters.and_then(|parameters| search(&data, &parameters)))))
        } else {
            let (segment, base) = (segment.to_owned(), front.base_url.link(&parts.headers, ""));
            front.executor.run(move || tag.tag(access.respond(detail::answer(&data, &segment, &base))))
        })
    }
}

fn search(
    data: &ProteinGeneration,
    SearchParameters { query, limit }: &SearchParameters,
) -> Result<Response, ProteinProblem> {
    Ok(json_answer(wire::hits_json(&data.search(query, *limit)?)))
}

/// Returns the answer where there are no proteins.
pub(crate) fn absence(source: &LocalProteins) -> Problem {
    source.origin().absence::<ProteinGeneration>(source.problem().is_some(), HOW_TO_LOAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_operations() {
        let (search, record, fasta) = (Operation::Search, Operation::Record, Operation::Fasta);
        for (version, path, expected) in [
            (Version::V1, "/protein/search", Some((search, "search"))),
            (Version::V1, "/protein/search/", Some((search, "search"))),
            (Version::V1, "/protein/12", Some((record, "12"))),
            (Version::V1, "/protein/12/", Some((record, "12"))),
            (Version::V1, "/protein/", None),
            (Version::V1, "/protein//", None),
            (Version::V1, "/protein/12/x", None),
            (Version::V1, "/protein", None),
            (Version::V1, "//protein/12", None),
            (Version::V1, "", None),
            (Version::V2, "/proteins", Some((search, "proteins"))),
            (Version::V2, "/proteins/", Some((search, "proteins"))),
            (Version::V2, "/proteins/12", Some((record, "12"))),
            (Version::V2, "/proteins/12/", Some((record, "12"))),
            (Version::V2, "/proteins/MGYP12.fasta", Some((fasta, "MGYP12.fasta"))),
            (Version::V2, "/proteins/12/x", None),
            (Version::V2, "/proteins/12/x/y", None),
            (Version::V2, "/sequences/search", Some((Operation::Lookup, "search"))),
            (
                Version::Refget,
                "/sequence/service-info",
                Some((Operation::Refget(refget::Part::Service), "service-info")),
            ),
            (Version::Refget, "/sequence/SQ.x", Some((Operation::Refget(refget::Part::Sequence), "SQ.x"))),
            (Version::Refget, "/sequence/12/metadata/", Some((Operation::Refget(refget::Part::Metadata), "12"))),
            (Version::Refget, "/sequence", None),
            (Version::Refget, "/sequence/12/x", None),
            (Version::V2, "/proteinss", None),
            (Version::V2, "/docs", None),
            (Version::V2, "", None),
        ] {
            let found = version.find(path).map(|(route, segment)| (route.target, segment));
            assert_eq!(found, expected, "{path}");
        }
    }
}
