//! The places of samples, for the map.

use api_http::json::json_answer;
use axum::response::Response;

use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::lineage::TOPS;
use crate::plots::{self, map};

/// Answers with the places of the samples selected by the query: as JSON, or as a file of their map
/// or its data.
pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let places = match context.services().catalogue.places(context.catalogue()?, context.query(), &TOPS) {
        Ok(places) => places,
        Err(refused) => return Ok(*refused),
    };
    if context.plot().is_empty() {
        return Ok(json_answer(serde_json::to_vec(&places)?));
    }
    plots::file(context, [&map::plot(&places)])
}
