//! Pages of profiles. A script reads and writes them with a token kept in the browser's memory.

use api_http::error::shown;
use api_http::paths;
use askama::Template;
use axum::response::Response;

use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, render};
use crate::context::problem::PortalProblem;

#[derive(Template)]
#[template(path = "profile.html")]
struct ProfilePage {
    layout: Layout,
    /// The path of the profile in the API.
    path: String,
    /// The domain; empty for the profile of a user.
    domain: String,
}

pub(crate) fn own(context: &PageContext) -> Result<Response, PortalProblem> {
    of(context, "My profile", &format!("{}/profile", paths::MY), String::new())
}

pub(crate) fn of_domain(context: &PageContext, domain: &str) -> Result<Response, PortalProblem> {
    if domain.parse::<store::DomainReference>().is_err() {
        return Err(PortalProblem::NotFound(format!("“{}” is not the reference of a group.", shown(domain))));
    }
    let path = format!("{}/{domain}/profile", paths::DOMAINS);
    of(context, &format!("Profile of {domain}"), &path, domain.to_owned())
}

fn of(context: &PageContext, title: &str, path: &str, domain: String) -> Result<Response, PortalProblem> {
    if !context.services().has_profiles {
        return Err(PortalProblem::NotFound("This server has no profiles.".to_owned()));
    }
    let layout = context.layout(title).section("profile").scripts(&["profile"]).call_with_token("This profile", path);
    render(&ProfilePage { layout, path: format!("{}{path}", context.root()), domain })
}
