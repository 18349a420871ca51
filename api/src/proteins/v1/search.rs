//! The search for proteins.

use axum::response::Response;
use store::SearchAnswer;

use super::parameters::SearchParameters;
use crate::http::json::json_answer;
use crate::proteins::problem::ProteinProblem;
use crate::proteins::shared::wire;
use crate::proteins::source::ProteinSnapshot;

pub(crate) fn answer(
    snapshot: &dyn ProteinSnapshot,
    parameters: &SearchParameters,
) -> Result<Response, ProteinProblem> {
    match snapshot.search(&parameters.filter, parameters.limit)? {
        SearchAnswer::Hits(hits) => Ok(json_answer(wire::hits_json(&hits))),
        SearchAnswer::UnknownLineage(unknown) => Err(ProteinProblem::UnknownLineage(unknown)),
    }
}
