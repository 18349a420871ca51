//! The places of samples, for the map.

use axum::response::Response;

use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::lineage::TOPS;

/// Answers with the places of the samples selected by the query, as JSON.
pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    Ok(context.services().catalogue.places(context.catalogue()?, context.query(), &TOPS))
}
