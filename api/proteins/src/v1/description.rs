//! The description of the service.

use api_http::docs::ErrorForm;
use api_http::error::ErrorDetail;
use api_http::paths;
use utoipa::OpenApi;

use super::parameters::{LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN};
use crate::problem::UnprocessableDetail;
use crate::shared::wire::{ProteinDetail, ProteinSearchResult};

pub(crate) const ERRORS: ErrorForm = ErrorForm { schema: "ErrorDetail", content_type: "application/json" };

pub(crate) const COMMON_ERRORS: [(&str, &str); 4] = [
    ("405", "The path does not have this method; `Allow` names those that it has."),
    ("414", "The URI is too long."),
    ("500", "A fault of the server; its log says more under the `x-request-id` of the answer."),
    (
        "503",
        "No data are loaded, the server is overloaded, or the request took too long; `Retry-After` says when to come again.",
    ),
];

#[derive(OpenApi)]
#[openapi(
    paths(search_proteins, get_protein_detail),
    info(
        title = "MGnify proteins, served by mgdex",
        version = "1.0",
        license(name = "MIT OR Apache-2.0"),
        description = "Search of metagenomic protein records by biome or Pfam family, and the full record of one protein.\n\n\
        Hits ascend by accession, and the same request to the same release gives the same answer. Answers carry an `ETag` \
        and honour `If-None-Match`; `HEAD` works wherever `GET` does. Unknown query parameters are ignored; of a repeated \
        parameter the last value counts. All positions are 1-based and inclusive. [The second version](../../v2/docs/) combines \
        conditions, counts, and streams all hits."
    )
)]
struct Description;

pub(crate) fn description() -> utoipa::openapi::OpenApi {
    let mut description = utoipa::openapi::OpenApi::default().nest(paths::PROTEINS, Description::openapi());
    description.info = Description::openapi().info;
    ERRORS.add_to_all(&mut description, &COMMON_ERRORS);
    description
}

const _: () = assert!(LIMIT_MIN == 1 && LIMIT_MAX == 1000 && LIMIT_DEFAULT == 50, "the description below says so");

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
#[expect(dead_code, reason = "it is a description")]
fn search_proteins() {}

/// Get protein detail
///
/// Returns the full record of one protein. The accession may be in any letter case, unpadded, or a bare number; the answer has
/// the canonical form. An accession that a later release replaced is answered with the address of its replacement.
#[utoipa::path(
    get,
    path = "/protein/{mgyp}",
    operation_id = "get_protein_detail",
    tag = "proteins",
    params(("mgyp" = String, Path, description = "The accession.", example = "MGYP000261684433")),
    responses(
        (status = 200, description = "The record.", body = ProteinDetail),
        (
            status = 302, description = "The protein was replaced by another.", body = ErrorDetail,
            headers(("Location" = String, description = "The address of the protein that replaces this one.")),
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (
            status = 404, body = ErrorDetail,
            description = "There is no such protein; if another one replaces it that is not here either, the text names that one.",
        ),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn get_protein_detail() {}
