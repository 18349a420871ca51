//! The second version of the interface: queries that combine conditions, counts, cursors and
//! streams.

mod assemblies;
mod batch;
mod body;
mod contigs;
mod description;
mod facets;
mod gene_files;
mod genes;
mod given;
mod listing;
mod members;
mod neighbours;
mod parameters;
mod reader;
mod record;
mod repeats;
mod search;
mod sequences;
mod sources;
mod suggest;

pub(super) use assemblies::answer as assembly_contigs;
pub use batch::{ACCESSIONS_MAX, Batch, BatchParameters, Item as BatchItem};
pub use body::{BATCH_BYTES_MAX, SIMILAR as SIMILAR_BODY};
pub(super) use body::{batch, pairs as pairs_of_body, search as posted_search};
pub(super) use contigs::contig;
pub(super) use description::description;
pub use facets::{ENRICHMENT_COLUMNS, EnrichmentAnswer, FacetAnswer, TOP_MAX, compared_kind};
pub(super) use facets::{enrichment, facets, neighbourhood};
pub use genes::{ContigItem, GeneItem};
pub(super) use given::Given;
pub(super) use members::answer as members;
pub use members::{MEMBER_COLUMNS, MEMBERS_PART, Member};
pub(super) use neighbours::answer as neighbours;
pub use neighbours::{GENES_DEFAULT, GENES_MAX, NeighbourItem, NeighbourParameters, PlaceItem, places_around};
pub use parameters::QueryParameters;
pub(super) use parameters::{accepted, parse_fields, parse_formulas, refuse_parameters};
pub(super) use reader::{PROBLEMS_MAX, read as read_query, unknown};
pub(super) use record::{fasta, record};
pub(super) use search::{next_url, page_answer};
pub(super) use sequences::lookup;
pub(super) use sources::answer as sources;
pub(super) use suggest::answer as suggest;

use api_http::blocking::Turn;
use axum::http::HeaderMap;
use store_proteins::{LONG_BUDGET, PAGE_BUDGET};

use super::question::{BudgetedAnswer, Question};
use search::Query;

/// The most work of a page in place: some tens of microseconds.
pub(super) const QUICK_BUDGET: u64 = 20_000;

/// The limits of a query part that is read in place, in bytes and separators. Each error in it is
/// compared with all lineages.
const QUICK_BYTES: usize = 512;
const QUICK_SEPARATORS: usize = 16;

/// Returns the format and the base URL of links, by which answers to one address differ.
pub(super) fn variant(headers: &HeaderMap, base: &str) -> String {
    format!("{:?} {base}", accepted(headers))
}

/// Answers a search.
pub(super) fn search(question: &Question, budget: u64) -> BudgetedAnswer {
    let (release, text, accepted) = (&question.release, question.query(), accepted(&question.parts.headers));
    let parameters = if budget < PAGE_BUDGET {
        QueryParameters::parse_quickly(release, text, accepted)?
    } else {
        Some(QueryParameters::parse_in(release, text, accepted)?)
    };
    let Some(parameters) = parameters else { return Ok(None) };
    let url = question.url();
    Query { data: &release.data, parameters, url: &url, text, conditions: text }.answer(budget)
}

/// Returns the most work of an answer in a turn.
pub const fn budget(turn: Turn) -> u64 {
    match turn {
        Turn::Short => PAGE_BUDGET,
        Turn::Long => LONG_BUDGET,
    }
}

/// Returns whether a query part is read in less than a moment, whatever errors it has.
pub(super) fn is_short(text: &str) -> bool {
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'=' | b'.' | b'-');
    text.len() <= QUICK_BYTES && text.bytes().filter(|byte| !is_in_word(byte)).count() <= QUICK_SEPARATORS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_query_parts_and_those_with_many_separators_are_not_short() {
        for (text, expected) in [
            ("", true),
            ("biome=root:Environmental:Aquatic:Marine&pfam=PF00005&limit=50", true),
            ("q=pfam:PF00005+AND+biome:%22root:Host-associated%22+AND+NOT+length:%5B1+TO+50%5D", true),
            (&*"biome=x&".repeat(20), false),
            (&*format!("q={}", "biome:x%20OR%20".repeat(10)), false),
            (&*"a".repeat(600), false),
        ] {
            assert_eq!(is_short(text), expected, "{text}");
        }
    }
}
