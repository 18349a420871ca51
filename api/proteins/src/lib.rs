#![doc = include_str!("../README.md")]

mod problem;
mod refget;
mod routing;
mod shared;
pub mod similar;
mod v1;
mod v2;

pub use api_tables::push_tsv_text;
pub use problem::{NO_CHECKSUMS, ParameterProblem, ProteinProblem};
pub use routing::Version;
pub use shared::detail::find as find_protein;
pub use shared::family_counts::{CountedFamilies, FamilyCounts};
pub use shared::lookup::SequenceLookup;
pub use shared::named::told_sources;
pub use shared::names::Names;
pub use shared::release::Release;
pub use shared::result_field::ResultField;
pub use shared::result_stream::ResultStream;
pub use shared::results::{ResultFormat, ResultWriter, write_fasta, write_fasta_with};
pub use shared::suggestions;
pub use shared::wire::{ProteinDetail, ProteinSearchResult, hits_json};
pub use shared::words::{Fit, Words};
pub use similar::{HitFormat, HitWriter, NamedQuery, Similarity};
pub use v2::{
    ACCESSIONS_MAX, BATCH_BYTES_MAX, Batch, BatchItem, BatchParameters, FacetAnswer, FacetTotal, FacetValue,
    QueryParameters, SIMILAR_BODY, budget,
};

use std::sync::Arc;

use api_catalogue::LocalCatalogue;
use api_http::ServiceConfig;
use api_http::access::{Access, RouteLabel};
use api_http::blocking::{ANSWER_PATIENCE, blocking, in_turn};
use api_http::cross_site::{REFUSED, is_cross_site};
use api_http::docs::Docs;
use api_http::error::Problem;
use api_http::execution::Execution;
use api_http::following::Following;
use api_http::front::{Answered, Front, Policy};
use api_http::json::json_answer;
use api_http::posted::JSON;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use store::ProteinGeneration;

use refget::RefgetRequest;
use routing::{CROSS_ORIGIN, METHODS, Operation};
use shared::{detail, wire};
use v1::parameters::SearchParameters;

/// The current protein generation of a folder, and newer ones as they are published.
pub type LocalProteins = Following<ProteinGeneration>;

const HOW_TO_LOAD: &str =
    "No proteins are loaded. Run `mgdex index --data DIR --portal FILE… --biomes TSV --pfam TSV`.";

/// The service: search and record of proteins, and its documentation.
pub struct ProteinService {
    source: Arc<LocalProteins>,
    catalogue: Arc<LocalCatalogue>,
    similarity: Arc<Similarity>,
    families: Arc<CountedFamilies>,
    front: Front,
    /// By version.
    docs: [Docs; 3],
}

impl ProteinService {
    /// Makes the service over proteins, the catalogue that names things in them, and searches for similar ones.
    pub fn new(
        source: Arc<LocalProteins>,
        catalogue: Arc<LocalCatalogue>,
        similarity: Arc<Similarity>,
        families: Arc<CountedFamilies>,
        config: &ServiceConfig,
    ) -> Self {
        let docs: [fn() -> _; 3] = [v1::description::description, v2::description, refget::description::description];
        let docs = docs.map(|describe| Docs::new(describe, config));
        Self { source, catalogue, similarity, families, front: Front::new(config), docs }
    }

    /// Answers a request to a path below the prefix of a version.
    pub async fn answer(&self, version: Version, path: &str, parts: &Parts, body: Body, access: Access) -> Answered {
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
            if let Operation::Similar | Operation::SearchState | Operation::SearchHits = operation {
                return Ok(self.of_similar(operation, release, segment, (parts, body), base, access));
            }
            // Records and sources have nothing of the catalogue.
            let tag = match operation {
                Operation::Record | Operation::Fasta | Operation::Sources => front.tag(data.name(), parts, &variant)?,
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
            let is_list = operation == Operation::Sources;
            let hint = if is_list { "" } else { v2::NONE_OF_PROTEIN };
            let allowed = v2::none_allowed(parts.uri.query().unwrap_or_default(), hint);
            if is_list {
                return Ok(front.executor.run(move || respond(allowed.and_then(|()| v2::sources(&data)))));
            }
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

impl ProteinService {
    /// Begins an operation on searches for similar proteins.
    fn of_similar<'a>(
        &'a self,
        operation: Operation,
        release: Release,
        id: &str,
        (parts, body): (&'a Parts, Body),
        base: String,
        access: Access,
    ) -> Execution<'a, Response> {
        let (limits, similarity, id) = (&self.front.limits, Arc::clone(&self.similarity), id.to_owned());
        let query = parts.uri.query().unwrap_or_default();
        Execution::Offloaded(Box::pin(async move {
            let is_json = parts
                .headers
                .get(header::CONTENT_TYPE)
                .is_some_and(|value| value.as_bytes().starts_with(JSON.as_bytes()));
            if is_cross_site(&parts.headers)
                && (parts.method == Method::DELETE || parts.method == Method::POST && !is_json)
            {
                let refused = ProteinProblem::Refused { status: StatusCode::FORBIDDEN, detail: REFUSED.to_owned() };
                return access.respond(Err(refused));
            }
            match (operation, &parts.method) {
                (Operation::Similar, _) => {
                    access.respond(v2::similar(similarity, release, (limits, parts, body), base).await)
                }
                (Operation::SearchState, &Method::DELETE) => {
                    let secret =
                        parts.headers.get(similar::SECRET).map_or_else(Vec::new, |secret| secret.as_bytes().to_vec());
                    access.respond(blocking(move || similar::remove(&similarity, &id, &secret)).await)
                }
                (Operation::SearchState, _) => {
                    access.respond(similar::state(similarity, limits, id, query, base).await)
                }
                _ => match self.front.tag(release.data.name(), parts, &v2::variant(&parts.headers, &base)) {
                    Ok(tag) => {
                        let (query, url) = (query.to_owned(), base + parts.uri.path());
                        let asked = (query, v2::accepted(&parts.headers));
                        let hits = move || similar::hits(&similarity, &release.data, &id, asked, &url);
                        tag.tag(
                            access
                                .respond(in_turn(ANSWER_PATIENCE, hits).await.map_err(ProteinProblem::from).flatten()),
                        )
                    }
                    // Who has the hits of a search that is gone is told so.
                    Err(not_modified) => {
                        access.respond(blocking(move || similarity.served()?.find(&id).map(|_| not_modified)).await)
                    }
                },
            }
        }))
    }
}

fn search(
    data: &ProteinGeneration,
    SearchParameters { query, limit }: &SearchParameters,
) -> Result<Response, ProteinProblem> {
    Ok(json_answer(wire::hits_json(&data.search(query, *limit)?)))
}

/// Returns the answer where there are no proteins.
pub fn absence(source: &LocalProteins) -> Problem {
    source.origin().absence::<ProteinGeneration>(source.problem(), HOW_TO_LOAD)
}
