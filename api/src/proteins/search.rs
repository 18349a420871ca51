//! The search for proteins.

use axum::response::Response;
use store::SearchAnswer;

use super::parameters::SearchParameters;
use super::problem::ProteinProblem;
use super::source::ProteinSnapshot;
use super::wire;
use crate::http::json::json_answer;

pub(super) fn answer(
    snapshot: &dyn ProteinSnapshot,
    parameters: &SearchParameters,
) -> Result<Response, ProteinProblem> {
    match snapshot.search(&parameters.filter, parameters.limit)? {
        SearchAnswer::Hits(hits) => Ok(json_answer(wire::hits_json(&hits))),
        SearchAnswer::UnknownLineage(unknown) => Err(ProteinProblem::UnknownLineage(unknown)),
    }
}
