#![doc = include_str!("../README.md")]

mod problem;
mod question;
mod refget;
mod routing;
mod shared;
pub mod similar;
mod v1;
mod v2;

pub use api_catalogue::Formulas;
pub use problem::{NO_CHECKSUMS, NO_CONTIGS, NO_MEMBERS, ParameterProblem, ProteinProblem};
pub use routing::Version;
pub use shared::citation::{Citation, name_release};
pub use shared::detail::find as find_protein;
pub use shared::family_counts::{CountedFamilies, FamilyCounts};
pub use shared::lookup::SequenceLookup;
pub use shared::named::list_sources;
pub use shared::names::Names;
pub use shared::release::Release;
pub use shared::result_field::ResultField;
pub use shared::result_format::ResultFormat;
pub use shared::result_stream::ResultStream;
pub use shared::results::{FASTA_WIDTH, FastaHeader, ResultWriter, write_fasta, write_fasta_with};
pub use shared::suggestions;
pub use shared::values::{write_head, write_rows, write_values};
pub use shared::wire::{ProteinDetail, ProteinSearchResult, hits_json};
pub use shared::words::{Fit, Words};
pub use similar::{HitWriter, NamedQuery, Similarity};
pub use v2::{
    ACCESSIONS_MAX, BATCH_BYTES_MAX, Batch, BatchItem, BatchParameters, ContigItem, ENRICHMENT_COLUMNS,
    EnrichmentAnswer, FacetAnswer, GENES_DEFAULT, GENES_MAX, GeneItem, MEMBER_COLUMNS, MEMBERS_PART, Member,
    NeighbourItem, NeighbourParameters, PlaceItem, QueryParameters, SIMILAR_BODY, TOP_MAX, budget, compared_kind,
    places_around,
};

use std::sync::Arc;

use api_catalogue::LocalCatalogue;
use api_http::ServiceConfig;
use api_http::access::{Access, RouteLabel};
use api_http::blocking::{ANSWER_PATIENCE, in_turn, in_turns};
use api_http::docs::Docs;
use api_http::error::Problem;
use api_http::execution::Execution;
use api_http::following::Following;
use api_http::front::{Answered, Front, Methods, Policy};
use axum::body::Body;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use store_proteins::ProteinGeneration;

use question::{Answer, BudgetedAnswer, Operation, OwnedQuestion, Question, RequestHead, Tagged, Work};
use routing::OPEN;

/// The current protein generation of a folder, and newer ones as they are published.
pub type LocalProteins = Following<ProteinGeneration>;

/// The answer when no proteins are loaded.
pub const HOW_TO_LOAD: &str =
    "No proteins are loaded. Run `mgdex index --data DIR --portal FILE… --biomes TSV --pfam TSV`.";

/// The service: search and record of proteins, and its documentation.
pub struct ProteinService {
    source: Arc<LocalProteins>,
    catalogue: Arc<LocalCatalogue>,
    similarity: Arc<Similarity>,
    families: Arc<CountedFamilies>,
    front: Front,
    /// If set, downloads link to the page of the portal that says how to cite them.
    has_portal: bool,
    /// The documentation of each version.
    docs: [Docs; 3],
}

impl ProteinService {
    /// Creates the service over proteins, the catalogue with their names, and searches for similar
    /// proteins.
    pub fn new(
        source: Arc<LocalProteins>,
        catalogue: Arc<LocalCatalogue>,
        similarity: Arc<Similarity>,
        families: Arc<CountedFamilies>,
        config: &ServiceConfig,
    ) -> Self {
        let docs: [(Version, fn() -> _); 3] = [
            (Version::V1, v1::description::description),
            (Version::V2, v2::description),
            (Version::Refget, refget::description::description),
        ];
        let docs = docs.map(|(version, describe)| Docs::new(version.prefix(), describe, config));
        Self { source, catalogue, similarity, families, front: Front::new(config), has_portal: config.has_portal, docs }
    }

    /// Answers a request to a path below the prefix of a version.
    pub async fn answer(&self, version: Version, path: &str, parts: &Parts, body: Body, access: Access) -> Answered {
        let found = version.find(path);
        let (methods, cross_origin) = found.map_or((Methods::READ, OPEN), |(route, _)| {
            let Operation { methods, cross_origin, .. } = route.target;
            (methods, cross_origin)
        });
        let file = if found.is_none() { Docs::find(path) } else { None };
        let (route, methods) = match (found, file) {
            (Some((route, _)), _) => (RouteLabel::Static(route.label), Some(methods)),
            (None, Some(file)) => (RouteLabel::Docs(version.prefix(), file), Some(methods)),
            (None, None) => (RouteLabel::NONE, None),
        };
        let policy = Policy {
            route,
            methods,
            cross_origin: Some(cross_origin),
            varies: version != Version::V1,
            is_compressed: true,
        };
        let begin = || match (found, file) {
            (Some((route, segment)), _) => {
                self.begin(version, &route.target, segment, parts, body, access).unwrap_or_else(Execution::Inline)
            }
            (None, Some(file)) => Execution::Inline(self.docs[version as usize].answer(file, parts)),
            (None, None) => Execution::Inline(Problem::NoSuchPath(parts.uri.path().to_owned()).into_response()),
        };
        self.front.answer(policy, parts, access, begin, IntoResponse::into_response).await
    }

    /// Begins an operation on a single generation.
    ///
    /// # Errors
    ///
    /// * The answer is known without reading the generation.
    fn begin<'a>(
        &'a self,
        version: Version,
        operation: &'a Operation,
        segment: &'a str,
        parts: &'a Parts,
        body: Body,
        access: Access,
    ) -> Result<Execution<'a, Response>, Response> {
        let data = self.source.current().ok_or_else(|| self.source.absence(HOW_TO_LOAD).into_response())?;
        let release = Release::served(data, self.catalogue.current(), &self.families);
        let base = self.front.base_url.link(&parts.headers, "");
        // Version 1 has no downloads, and sequences of refget are the same in all releases.
        let portal = (self.has_portal && version == Version::V2).then(|| base.clone());
        let question = Question { release, parts: RequestHead::Borrowed(parts), segment: segment.into(), base, access };
        let variant = || version.variant(&question);
        let tag = match operation.tagged {
            Tagged::Proteins => Some(self.front.tag(question.release.data.name(), parts, &variant())?),
            Tagged::Release => Some(self.front.tag(question.release.generations(), parts, &variant())?),
            Tagged::No => None,
        };
        let data = Arc::clone(&question.release.data);
        let respond = move |made| {
            let mut response = access.respond(made);
            name_release(&mut response, &data, portal.as_deref());
            match tag {
                Some(tag) => tag.tag(response),
                None => response,
            }
        };
        Ok(match operation.work {
            Work::Short(answer) => {
                if let Some(answered) = self.front.executor.try_run(|| answer(&question)) {
                    return Ok(Execution::Inline(respond(answered)));
                }
                let question = question.into_owned();
                self.front.executor.run(move || respond(answer(&question)))
            }
            Work::Page(answer) => {
                if v2::is_short(question.query())
                    && let Some(Some(answered)) =
                        self.front.executor.try_run(|| answer(&question, v2::QUICK_BUDGET).transpose())
                {
                    return Ok(Execution::Inline(respond(answered)));
                }
                in_turns_of(question.into_owned(), answer, respond)
            }
            Work::Turns(answer) => in_turns_of(question.into_owned(), answer, respond),
            Work::Turn(answer) => {
                let question = question.into_owned();
                Execution::Offloaded(Box::pin(async move {
                    let answered = in_turn(ANSWER_PATIENCE, move || answer(&question)).await;
                    respond(answered.map_err(ProteinProblem::from).flatten())
                }))
            }
            Work::Waits(answer) => {
                Execution::Offloaded(Box::pin(async move { respond(answer(self, question, body).await) }))
            }
        })
    }
}

fn in_turns_of(
    question: OwnedQuestion,
    answer: fn(&Question, u64) -> BudgetedAnswer,
    respond: impl FnOnce(Answer) -> Response + Send + 'static,
) -> Execution<'static, Response> {
    let answer = move |turn| answer(&question, budget(turn));
    Execution::Offloaded(Box::pin(async move { respond(in_turns(answer).await) }))
}
