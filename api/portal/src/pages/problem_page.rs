//! The page about a problem.

use api_http::error::{self, Problem};
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::words::label;

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    layout: Layout,
    status: u16,
    detail: String,
    request_id: String,
}

/// Returns the page about a problem. Internal errors are logged.
pub(crate) fn answer(problem: &PortalProblem, context: &PageContext) -> Response {
    let (status, detail) = (problem.status(), detail_of(problem));
    let title = status.canonical_reason().unwrap_or("Problem").to_owned();
    let request_id = context.access.id();
    let page = ProblemPage { layout: context.layout(title), status: status.as_u16(), detail, request_id };
    let Ok(text) = page.render() else { return Problem::Internal.into_response() };
    let mut response = (status, Html(text)).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(error::RETRY_AFTER_S));
    }
    response
}

/// Returns the text of a problem. Internal errors are logged.
fn detail_of(problem: &PortalProblem) -> String {
    match problem {
        PortalProblem::NotFound(detail) | PortalProblem::Refused(_, detail) => detail.clone(),
        PortalProblem::Parameters(_, problems) => {
            problems.iter().map(|(name, detail)| format!("{}: {detail}", label(name))).collect::<Vec<_>>().join(" ")
        }
        PortalProblem::Common(problem) => problem.detail(),
    }
}
