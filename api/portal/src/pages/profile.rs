//! Pages of profiles. A script reads and writes them with a token that stays in the memory of the browser.

use api_http::error::shown;
use api_http::paths;
use askama::Template;
use axum::response::Response;

use crate::context::layout::Layout;
use crate::context::problem::PortalProblem;
use crate::context::visit::{Visit, page};

#[derive(Template)]
#[template(path = "profile.html")]
struct ProfilePage {
    layout: Layout,
    /// The path of the profile in the interface.
    path: String,
    /// The domain, of a profile of one.
    domain: String,
}

pub(crate) fn own(visit: &Visit) -> Result<Response, PortalProblem> {
    of(visit, "My profile", &format!("{}/profile", paths::MY), String::new())
}

pub(crate) fn of_domain(visit: &Visit, domain: &str) -> Result<Response, PortalProblem> {
    if domain.parse::<store::DomainReference>().is_err() {
        return Err(PortalProblem::NotFound(format!("“{}” is not the reference of a group.", shown(domain))));
    }
    let path = format!("{}/{domain}/profile", paths::DOMAINS);
    of(visit, &format!("Profile of {domain}"), &path, domain.to_owned())
}

fn of(visit: &Visit, title: &str, path: &str, domain: String) -> Result<Response, PortalProblem> {
    if !visit.asked().has_profiles {
        return Err(PortalProblem::NotFound("This server has no profiles.".to_owned()));
    }
    let layout = visit.layout(title).section("profile").scripts(&["profile"]).call_with_token(
        "This profile",
        visit.base(),
        path,
    );
    page(&ProfilePage { layout, path: format!("{}{path}", visit.root()), domain })
}
