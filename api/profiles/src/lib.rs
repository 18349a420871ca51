#![doc = include_str!("../README.md")]

mod answer;
mod audit;
mod authentication;
mod context;
mod error_body;
mod headers;
mod openapi;
mod operations;
mod problem;
mod rules;
mod services;
mod sources;
#[cfg(test)]
mod tests;
pub mod tokens;
mod wire;

pub use audit::{AuditLimits, AuditLog, ErasureByCommand};
pub use services::{ProfileConfig, ProfileServices};
pub use sources::directory::{LocalDirectory, Outdated, current_directory};
pub use sources::local::LocalProfiles;
pub use sources::schema_source::{SchemaHost, SchemaSource};

use std::sync::Arc;

use api_http::access::{Access, RouteLabel};
use api_http::docs::Docs;
use api_http::error::Problem;
use api_http::execution::Execution;
use api_http::front::{Answered, Front, Methods, Policy};
use api_http::{ServiceConfig, paths};
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::response::IntoResponse;
use tracing::Instrument;

use self::audit::Action;
use self::audit::entry::audited;
use self::context::Context;
use self::operations::{Operation, Work};
use self::problem::{ProfileProblem, ProfileResult};

/// The methods of a profile. A `POST` is only allowed in place of a `PATCH`.
const PROFILE_METHODS: &str = "GET,HEAD,PUT,PATCH,DELETE";

/// The service: profiles of users and domains, and its documentation.
pub struct ProfileService {
    is_served: bool,
    services: Option<Arc<ProfileServices>>,
    front: Front,
    docs: Docs,
}

impl ProfileService {
    /// Makes the service. Without services every request is answered 401.
    pub fn new(services: Option<&ProfileServices>, config: &ServiceConfig) -> Self {
        let profile_config = services.map(|services| services.config.clone()).unwrap_or_default();
        Self {
            is_served: config.has_profiles,
            services: services.cloned().map(Arc::new),
            front: Front::new(config),
            docs: Docs::new(paths::PROFILES, move || openapi::description(&profile_config), config),
        }
    }

    /// Answers a request to a path below one of the prefixes.
    pub async fn answer(&self, parts: &Parts, body: Body, access: Access) -> Answered {
        let path = parts.uri.path();
        let file = paths::below(path, paths::PROFILES).and_then(Docs::find);
        let found = operations::find(path);
        let route = match (file, found) {
            (Some(file), _) => RouteLabel::Docs(paths::PROFILES, file),
            (None, Some(route)) => RouteLabel::Static(route.label.trim_end_matches('/')),
            (None, None) => RouteLabel::NONE,
        };
        // Only the documentation is compressed: other answers have strong tags.
        let (is_compressed, methods) = (file.is_some(), file.map(|_| Methods::READ));
        let policy = Policy { route, methods, cross_origin: None, varies: false, is_compressed };
        let begin = || match file {
            Some(file) => Execution::Inline(self.docs.answer(file, parts)),
            None => Execution::Offloaded(Box::pin(async move {
                let operations = found.map(|route| route.target);
                let operating = self.operate(operations, parts, body, access).instrument(access.span());
                access.respond(operating.await)
            })),
        };
        let mut answered = self.front.answer(policy, parts, access, begin, IntoResponse::into_response).await;
        let address = || self.front.base_url.link(&parts.headers, path);
        answered.response = headers::complete(answered.response, address);
        // A request with another method gets the allowed methods, even if it has other problems.
        if let Some(route) =
            found.filter(|route| file.is_none() && find_operation(route.target, &parts.method).is_none())
            && let Ok(allowed) = HeaderValue::from_str(&method_names(route.target))
        {
            answered.response.headers_mut().insert(header::ALLOW, allowed);
        }
        answered
    }

    /// Admits the caller, and answers by the operation of the method.
    async fn operate(
        &self,
        operations: Option<&[Operation]>,
        parts: &Parts,
        body: Body,
        access: Access,
    ) -> ProfileResult {
        let context = Arc::new(self.admit(parts, access)?);
        let operations = operations.ok_or_else(|| Problem::NoSuchPath(parts.uri.path().to_owned()))?;
        match find_operation(operations, &parts.method).map(|operation| operation.work) {
            None => Err(Problem::MethodNotAllowed(parts.method.clone()).into()),
            Some(Work::Read(answer)) => answer(&context).await,
            Some(Work::Audited(Action::Merge, _)) if parts.method == Method::POST && !stands_for_patch(&context) => {
                Err(ProfileProblem::no_such_method(PROFILE_METHODS))
            }
            Some(Work::Audited(action, answer)) => Ok(audited(context, action, body, answer).await),
        }
    }
}

/// Returns the operation of a method.
fn find_operation<'a>(operations: &'a [Operation], method: &Method) -> Option<&'a Operation> {
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    operations.iter().find(|operation| operation.method == method)
}

/// Returns whether a `POST` stands for a `PATCH`.
fn stands_for_patch(context: &Context) -> bool {
    context.parameter("_method").is_some_and(|name| name.eq_ignore_ascii_case("patch"))
}

/// Returns the methods of some operations, as headers list them.
fn method_names(operations: &[Operation]) -> String {
    let names =
        operations.iter().map(|operation| if operation.method == "GET" { "GET,HEAD" } else { operation.method });
    names.collect::<Vec<_>>().join(",")
}
