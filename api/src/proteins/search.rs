//! The search for proteins.

use axum::Json;
use axum::extract::{Extension, RawQuery};
use store::SearchAnswer;

use super::Snapshot;
use super::parameters::{LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN, SearchParameters};
use super::problem::{ProteinProblem, UnprocessableDetail};
use super::wire::ProteinSearchResult;
use crate::blocking::blocking;

/// Search proteins
///
/// Returns the first proteins, ascending by accession, that were found in a biome or have a hit of a Pfam family. Exactly one of
/// `biome_id`, `biome_lineage` and `pfam_accession` is required. There is one page, capped by `limit`.
#[utoipa::path(
    get,
    path = "/protein/search",
    operation_id = "search_proteins",
    tag = "proteins",
    // One filter only has an example: the documentation fills its form with them, and three at once are refused.
    params(
        ("biome_id" = Option<i64>, Query, description = "The biome with this id, such as 132, without the biomes below it."),
        (
            "biome_lineage" = Option<String>, Query, example = "root:Engineered:Wastewater",
            description = "The biome with this full lineage, and all biomes below it.",
        ),
        (
            "pfam_accession" = Option<i64>, Query, minimum = 1,
            description = "The Pfam family with this number, such as 5; `PF00005` and `pf00005` are understood too.",
        ),
        (
            "limit" = Option<i64>, Query, description = "The most hits that are returned; 50 unless it is given.",
            minimum = 1, maximum = 1000, example = 50,
        ),
    ),
    responses(
        (status = 200, description = "The hits, ascending by accession.", body = Vec<ProteinSearchResult>),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (
            status = 422, body = UnprocessableDetail,
            description = "A parameter cannot be used, there is not exactly one filter, or the lineage is that of no biome.",
        ),
    )
)]
pub(super) async fn search_proteins(
    Extension(Snapshot(snapshot)): Extension<Snapshot>,
    RawQuery(query): RawQuery,
) -> Result<Json<Vec<ProteinSearchResult>>, ProteinProblem> {
    const { assert!(LIMIT_MIN == 1 && LIMIT_MAX == 1000 && LIMIT_DEFAULT == 50, "the description above says so") }
    let SearchParameters { filter, limit } =
        SearchParameters::parse(query.as_deref().unwrap_or_default()).map_err(ProteinProblem::Parameters)?;
    match blocking(move || snapshot.search(&filter, limit)).await? {
        SearchAnswer::Hits(hits) => Ok(Json(hits.into_iter().map(Into::into).collect())),
        SearchAnswer::UnknownLineage(unknown) => Err(ProteinProblem::UnknownLineage(unknown)),
    }
}
