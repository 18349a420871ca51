//! The description of the second version.

use api_http::error::ErrorDetail;
use api_http::{docs, paths};
use serde_json::Value;
use store_proteins::{CHOSEN_MAX, SOURCES_MAX};
use utoipa::OpenApi;

use super::assemblies::AssemblyPage;
use super::contigs::ContigPage;
use super::facets::{ACCESSIONS_TOP_MAX, EnrichmentAnswer, FacetAnswer, NeighbourhoodAnswer, TOP_DEFAULT, TOP_MAX};
use super::members::MemberPage;
use super::neighbours::{BASES_MAX, GENES_DEFAULT, GENES_MAX, NeighbourPage, PLACES_DEFAULT, PLACES_MAX};
use super::parameters::{LIMIT_DEFAULT, LIMIT_MAX};
use super::record::ProteinRecord;
use super::sequences::{SEQUENCES_BYTES_MAX, SEQUENCES_MAX};
use super::sources::Sources;
use super::suggest::Suggestions;
use crate::problem::UnprocessableDetail;
use crate::shared::suggestions::SUGGESTED_MAX;
use crate::similar::SearchState;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "MGnify proteins, served by mgdex",
        version = "2.0",
        license(name = "MIT OR Apache-2.0"),
        description = include_str!("description.md")
    ),
    components(schemas(
        AssemblyPage,
        ContigPage,
        EnrichmentAnswer,
        ErrorDetail,
        FacetAnswer,
        MemberPage,
        NeighbourPage,
        NeighbourhoodAnswer,
        ProteinRecord,
        SearchState,
        Sources,
        Suggestions,
        UnprocessableDetail
    ))
)]
struct Description;

const _: () = assert!(SEQUENCES_MAX == 10_000 && SEQUENCES_BYTES_MAX == 8 << 20, "the operations say so");
const _: () = assert!(LIMIT_MAX == 1000 && LIMIT_DEFAULT == 50 && CHOSEN_MAX == 10_000, "the operations say so");
const _: () = assert!(TOP_MAX == 30_000 && ACCESSIONS_TOP_MAX == 1000 && TOP_DEFAULT == 50, "the operations say so");
const _: () = assert!(GENES_DEFAULT == 5 && GENES_MAX == 100 && BASES_MAX == 1_000_000, "the operations say so");
const _: () = assert!(PLACES_DEFAULT == 10 && PLACES_MAX == 100, "the operations say so");
const _: () = assert!(SUGGESTED_MAX == 100 && SOURCES_MAX == 256, "the operations say so");

pub(crate) fn description() -> Value {
    let operations = concat!(include_str!("../shared/answers.md"), include_str!("operations.md"));
    docs::described(&Description::openapi(), paths::PROTEINS_V2, operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_names_a_schema() {
        for document in
            [crate::v1::description::description(), description(), crate::refget::description::description()]
        {
            let text = document.to_string();
            let names: Vec<&str> =
                text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert!(
                names.len() > 10 && names.iter().all(|name| document["components"]["schemas"][name].is_object()),
                "{names:?}"
            );
        }
    }
}
