//! The page that tells a problem.

use api_http::error::{self, Problem};
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::layout::Layout;
use super::problem::PortalProblem;
use super::visit::Visit;

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    layout: Layout,
    status: u16,
    detail: String,
    request_id: String,
}

/// Returns the page that tells a problem. Faults are logged.
pub(super) fn answer(problem: &PortalProblem, visit: &Visit) -> Response {
    let (status, detail) = (problem.status(), problem.detail());
    let title = status.canonical_reason().unwrap_or("Problem").to_owned();
    let request_id = visit.access.id().0;
    let page = ProblemPage { layout: visit.layout(title), status: status.as_u16(), detail, request_id };
    let Ok(text) = page.render() else { return Problem::Internal.into_response() };
    let mut response = (status, Html(text)).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(error::RETRY_AFTER_S));
    }
    response
}
