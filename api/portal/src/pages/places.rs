//! The places of samples, for the map.

use axum::response::Response;

use crate::context::problem::PortalProblem;
use crate::context::visit::Visit;
use crate::parts::lineage::TOPS;

/// Answers with the places of the samples that the filters of the query choose, in JSON.
pub(crate) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    visit.places(&TOPS)
}
