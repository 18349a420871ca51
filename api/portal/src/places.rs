//! The places of samples, for the map.

use axum::response::Response;

use super::problem::PortalProblem;
use super::visit::Visit;

/// Answers with the places of the samples that the filters of the query choose, in JSON.
pub(super) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    visit.places()
}
