//! The portal: pages for people, made of the generations and the answers that the services give to programs.

mod address;
mod assets;
mod biome;
mod biome_tree;
mod clan;
mod columns;
mod common_families;
mod compare;
mod completion;
mod document;
mod family;
mod family_shares;
mod find;
mod histogram;
mod home;
mod layout;
mod number;
mod places;
mod problem;
mod problem_page;
mod profile;
mod protein;
mod residues;
mod resource;
mod resources;
mod routing;
mod search;
mod status;
mod visit;

use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::catalogue::CatalogueService;
use crate::http::accept;
use crate::http::access::{Access, RouteLabel};
use crate::http::base_url::BaseUrl;
use crate::http::blocking::{ANSWER_PATIENCE, in_turn};
use crate::http::conditional::{EntityTag, cache_control};
use crate::http::door::Passing;
use crate::http::error::Problem;
use crate::http::limits::Limits;
use crate::http::reading;
use crate::http::reading::Answered;
use crate::{ServiceConfig, Services, paths};
use common_families::CommonFamilies;
use problem::PortalProblem;
use routing::Route;
use visit::Visit;

/// Paths without an answer of their own, which lead browsers to the portal, without slashes at their ends.
const FOR_BROWSERS: [&str; 3] = ["", "/metagenomics", "/metagenomics/api"];

/// What pages may load and do: only what comes from this server. No other page may embed them, since people paste tokens there.
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

/// What a request asks of the portal; `None` is a page that there is not.
pub(crate) struct Asked(Option<Route>);

/// The pages, and the files that they need.
pub(crate) struct PortalService {
    services: Services,
    catalogue: Arc<CatalogueService>,
    base_url: BaseUrl,
    cache_control: HeaderValue,
    limits: Limits,
    families: CommonFamilies,
}

impl PortalService {
    pub(crate) fn new(services: &Services, catalogue: Arc<CatalogueService>, config: &ServiceConfig) -> Self {
        Self {
            services: services.clone(),
            catalogue,
            base_url: BaseUrl::new(config),
            cache_control: cache_control(config.max_age),
            limits: Limits::new(config),
            families: CommonFamilies::default(),
        }
    }

    /// Returns what a request asks of the portal, or `None` if it asks another service.
    pub(crate) fn asked(parts: &Parts) -> Option<Asked> {
        let path = parts.uri.path();
        if FOR_BROWSERS.contains(&path.trim_end_matches('/')) {
            return wants_html(parts).then_some(Asked(Some(Route::Entry)));
        }
        let below = if path == paths::ICON { Some(path) } else { paths::below(path, paths::PORTAL) };
        below.map(|below| Asked(Route::at(below)))
    }

    pub(crate) async fn answer(self: &Arc<Self>, Asked(route): Asked, parts: &Parts, access: Access) -> Answered {
        let label = route.as_ref().map_or(RouteLabel::NONE, |route| RouteLabel::Static(route.label()));
        let make = || Passing::Elsewhere(Box::pin(self.respond(route, parts, access)));
        let refuse = |problem: Problem| self.tell(&PortalProblem::Common(problem), parts, access);
        let (mut response, permit) = reading::answer(&self.limits, parts, access, make, refuse).await;
        response.headers_mut().extend(PAGE_HEADERS);
        response.headers_mut().insert(header::VARY, self.base_url.vary());
        Answered { response, route: label, permit }
    }

    async fn respond(self: &Arc<Self>, route: Option<Route>, parts: &Parts, access: Access) -> Response {
        if parts.method != Method::GET && parts.method != Method::HEAD {
            let problem = PortalProblem::Common(Problem::MethodNotAllowed(parts.method.clone()));
            let mut refusal = self.tell(&problem, parts, access);
            refusal.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
            return refusal;
        }
        let Some(route) = route else { return self.tell(&PortalProblem::no_page(), parts, access) };
        if let Route::Asset(name) = &route {
            return assets::answer(name).unwrap_or_else(|| self.tell(&PortalProblem::no_page(), parts, access));
        }
        let visit = Visit::new(self, parts, access);
        let tag = EntityTag::new(visit.generations(), &parts.uri, &assets::prefix(visit.base()), &self.cache_control);
        let tagging = match tag.unless_shown(&parts.method, &parts.headers) {
            Ok(tagging) if route.may_be_kept() => Some(tagging),
            Err(not_modified) if route.may_be_kept() => return not_modified,
            _ => None,
        };
        let _cancel = visit.cancel_on_drop();
        let make = move || {
            let answered = route.answer(&visit);
            access.span().in_scope(|| answered.unwrap_or_else(|problem| problem_page::answer(&problem, &visit)))
        };
        let response = match in_turn(ANSWER_PATIENCE, make).await {
            Ok(response) => response,
            Err(overloaded) => self.tell(&overloaded.into(), parts, access),
        };
        match tagging {
            Some(tagging) => tagging.tag(response),
            None => ([(header::CACHE_CONTROL, "no-store")], response).into_response(),
        }
    }

    /// Answers with a page that tells a problem.
    fn tell(self: &Arc<Self>, problem: &PortalProblem, parts: &Parts, access: Access) -> Response {
        let page = access.span().in_scope(|| problem_page::answer(problem, &Visit::new(self, parts, access)));
        ([(header::CACHE_CONTROL, "no-store")], page).into_response()
    }
}

/// Tells whether a request comes from a browser rather than from a program.
fn wants_html(parts: &Parts) -> bool {
    accept::preferred(&parts.headers, &[("application", "json", false), ("text", "html", true)]) == Some(true)
}

/// Leads to another page.
fn lead_to(location: &str) -> Response {
    match HeaderValue::try_from(location) {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}
