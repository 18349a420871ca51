//! The first version of the interface: search by one biome or family.

pub(super) mod description;
pub(super) mod parameters;

use api_http::json::json_answer;

use crate::question::{Answer, Question};
use crate::shared::{detail, wire};
use parameters::SearchParameters;

/// Answers a search.
pub(crate) fn search(question: &Question) -> Answer {
    let data = &question.release.data;
    let SearchParameters { query, limit } = SearchParameters::parse(question.query(), data.biomes())?;
    Ok(json_answer(wire::hits_json(&data.search(&query, limit)?)))
}

/// Answers with the record of a protein.
pub(crate) fn record(question: &Question) -> Answer {
    detail::answer(&question.release.data, &question.segment, &question.base)
}
