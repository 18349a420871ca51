//! The page about a problem.

use api_http::error::{self, Problem};
use api_proteins::suggestions::Kind;
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::attribute::archive_url;
use crate::parts::completion::{Completion, completions};
use crate::parts::words::{cells, label};

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    layout: Layout,
    status: u16,
    detail: String,
    request_id: String,
    help: Option<Help>,
}

/// Help for a thing that is missing.
struct Help {
    id: String,
    is_accession: bool,
    /// The first segment of the paths of such things.
    of: &'static str,
    /// The site that may have it: the prefix of its addresses there, and the name of the site.
    site: &'static str,
    site_name: &'static str,
    /// The page to continue with, and its title.
    page: &'static str,
    title: &'static str,
    archive: Option<String>,
    /// Names that may be meant.
    near: Vec<Completion>,
}

/// Returns the page about a problem of the page with these segments of its path. Internal errors
/// are logged.
pub(crate) fn answer(problem: &PortalProblem, context: &PageContext, segments: &[String]) -> Response {
    let (status, detail) = (problem.status(), detail_of(problem));
    let (title, help) = match (status, segments) {
        (StatusCode::NOT_FOUND, [of, id]) => ("Not found", Help::new(context, of, id)),
        (StatusCode::NOT_FOUND, _) => ("Not found", None),
        _ => (status.canonical_reason().unwrap_or("Problem"), None),
    };
    let request_id = context.access.id();
    let page = ProblemPage { layout: context.layout(title), status: status.as_u16(), detail, request_id, help };
    let Ok(text) = page.render() else { return Problem::Internal.into_response() };
    let mut response = (status, Html(text)).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(error::RETRY_AFTER_S));
    }
    response
}

impl Help {
    fn new(context: &PageContext, of: &str, id: &str) -> Option<Self> {
        let mut rows = include_str!("help.tsv").lines().map(cells);
        let [of, kind, site, site_name, page, title] = rows.find(|row: &[&str; 6]| row[0] == of)?;
        // The last level of a lineage is its name.
        let words = id.rsplit(':').next().unwrap_or_default();
        Some(Self {
            near: completions(context, Kind::named(kind).as_slice(), words).ok()?,
            is_accession: id.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && id.ends_with(|letter: char| letter.is_ascii_digit()),
            archive: archive_url(id),
            id: id.to_owned(),
            of,
            site,
            site_name,
            page,
            title,
        })
    }
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
