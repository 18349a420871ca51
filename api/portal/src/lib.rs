#![doc = include_str!("../README.md")]

mod context;
mod pages;
mod parts;
mod plots;
mod routing;
mod search;
mod similar;
mod v2_details;

pub use context::service::{PortalService, PortalServices};
pub use routing::PortalRoute;

use std::sync::Arc;

use api_http::access::{Access, RouteLabel};
use api_http::blocking::{ANSWER_PATIENCE, in_turn};
use api_http::cross_site::{REFUSED, is_cross_site};
use api_http::error::Problem;
use api_http::execution::Execution;
use api_http::front::{Answered, Policy};
use api_http::posted::Posted;
use api_http::{accept, paths};
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use context::page_context::PageContext;
use context::problem::PortalProblem;
use context::{assets, posted};
use pages::problem_page;

/// Unknown paths that redirect browsers to the portal, without trailing slashes.
const BROWSER_ENTRIES: [&str; 3] = ["", "/metagenomics", "/metagenomics/api"];

/// Allows only contents from this server. Other sites must not embed the pages, because people
/// paste tokens into them.
const PAGE_HEADERS: [(HeaderName, HeaderValue); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
];

impl PortalService {
    /// Finds the route of a request, or returns `None` if the request is for another service.
    pub fn find(parts: &Parts) -> Option<PortalRoute> {
        let path = parts.uri.path();
        if BROWSER_ENTRIES.contains(&path.trim_end_matches('/')) {
            return wants_html(parts).then(PortalRoute::entry);
        }
        let below = if path == paths::ICON { Some(path) } else { paths::below(path, paths::PORTAL) };
        below.map(PortalRoute::find)
    }

    /// Answers a request with a page or a file.
    pub async fn answer(self: &Arc<Self>, route: PortalRoute, parts: &Parts, body: Body, access: Access) -> Answered {
        let label = RouteLabel::Static(route.label());
        let policy = Policy {
            route: label,
            methods: Some(route.methods()),
            cross_origin: None,
            varies: true,
            is_compressed: true,
        };
        let begin = || Execution::Offloaded(Box::pin(self.respond(route, parts, body, access)));
        let refuse = |problem: Problem| self.problem_response(&problem.into(), parts, access);
        let mut answered = self.front.answer(policy, parts, access, begin, refuse).await;
        answered.response.headers_mut().extend(PAGE_HEADERS);
        answered
    }

    async fn respond(self: &Arc<Self>, route: PortalRoute, parts: &Parts, body: Body, access: Access) -> Response {
        let is_posted = parts.method == Method::POST;
        if is_posted && is_cross_site(&parts.headers) {
            return self.problem_response(
                &PortalProblem::Refused(StatusCode::FORBIDDEN, REFUSED.to_owned()),
                parts,
                access,
            );
        }
        if route.is_similar() || is_posted {
            let answered = if route.is_similar() {
                similar::answer(self, route.id(), parts, body, access).await
            } else {
                self.answer_form(route, parts, body, access).await
            };
            let response = answered.unwrap_or_else(|problem| self.problem_response(&problem, parts, access));
            return ([(header::CACHE_CONTROL, "no-store")], response).into_response();
        }
        if let Some(file) = route.file() {
            return assets::answer(file)
                .unwrap_or_else(|| self.problem_response(&PortalProblem::no_page(), parts, access));
        }
        let context = PageContext::new(self, parts, access);
        let tag = self.front.tag(context.generations(), parts, &assets::prefix(context.base()));
        let tag = match tag {
            _ if !route.may_be_cached() => None,
            Ok(tag) => Some(tag),
            Err(not_modified) => return not_modified,
        };
        let _cancel = context.cancel_on_drop();
        let response = match in_turn(ANSWER_PATIENCE, move || page_of(&route, &context)).await {
            Ok(response) => response,
            Err(overloaded) => self.problem_response(&overloaded.into(), parts, access),
        };
        match tag {
            Some(tag) => tag.tag(response),
            None => ([(header::CACHE_CONTROL, "no-store")], response).into_response(),
        }
    }

    /// Answers a form.
    async fn answer_form(
        self: &Arc<Self>,
        route: PortalRoute,
        parts: &Parts,
        body: Body,
        access: Access,
    ) -> Result<Response, PortalProblem> {
        let posted = Posted::arrive(&self.front.limits, &parts.headers, body, posted::BODY).await;
        let context = PageContext::new(self, parts, access);
        let _cancel = context.cancel_on_drop();
        let answer = move |contents| Ok(page_of(&route, &context.with_posted(posted::fields(contents)?)));
        posted.map_err(PortalProblem::of_body)?.in_turn(answer).await?
    }

    /// Answers with a page about a problem.
    fn problem_response(self: &Arc<Self>, problem: &PortalProblem, parts: &Parts, access: Access) -> Response {
        let page =
            access.span().in_scope(|| problem_page::answer(problem, &PageContext::new(self, parts, access), &[]));
        ([(header::CACHE_CONTROL, "no-store")], page).into_response()
    }
}

fn page_of(route: &PortalRoute, context: &PageContext) -> Response {
    let answered = route.answer(context);
    context
        .access
        .span()
        .in_scope(|| answered.unwrap_or_else(|problem| problem_page::answer(&problem, context, route.segments())))
}

/// Returns whether a request comes from a browser rather than from a program.
fn wants_html(parts: &Parts) -> bool {
    accept::preferred(&parts.headers, &[("application", "json", false), ("text", "html", true)]) == Some(true)
}

#[cfg(test)]
mod tests;
