#![doc = include_str!("../README.md")]

mod answer;
mod audit;
mod authentication;
mod context;
mod described;
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

use api_http::base_url::BaseUrl;
use api_http::docs::Docs;
use api_http::error::{method_not_allowed, not_found};
use api_http::limits::Limits;
use api_http::{ServiceConfig, compression, limits, paths};
use axum::routing::any;
use axum::{Router, middleware};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use self::authentication::Guard;

/// Returns the routes of the service, at their full paths. Without services every request is answered 401.
pub fn router(services: Option<&ProfileServices>, config: &ServiceConfig, limits: &Limits) -> Router {
    let base_url = BaseUrl::new(config);
    let guard = Guard {
        is_served: config.has_profiles,
        services: services.cloned().map(Arc::new),
        base_url: base_url.clone(),
        limits: limits.clone(),
    };
    let (operations, description) =
        operations().into_iter().fold(OpenApiRouter::new(), OpenApiRouter::routes).split_for_parts();
    let profile_config = services.map(|services| services.config.clone()).unwrap_or_default();
    let operations = operations.merge(operations_with_slash()).method_not_allowed_fallback(method_not_allowed);
    let unknown = || Router::new().fallback(not_found);
    let operations = paths::OF_PROFILES.into_iter().fold(operations, |routes, prefix| routes.nest(prefix, unknown()));
    let guarded = operations.layer(middleware::from_fn_with_state(guard, authentication::authenticate));
    let docs = Docs::new(move || openapi::description(description, &profile_config), config);
    let docs = docs.into_router().method_not_allowed_fallback(method_not_allowed);
    // The documentation alone is compressed: other answers have strong tags.
    limits::limited(guarded.nest(paths::PROFILES, compression::compressed(docs)), limits.clone())
        .layer(middleware::from_fn_with_state(base_url, headers::complete))
}

/// Ends the path of an attribute.
const KEY: &str = "/{attribute_key}";

/// The operations. Each group has one path, and those that read or delete are apart from those that change if a key may follow.
fn operations() -> [UtoipaMethodRouter; 13] {
    [
        routes!(operations::reading::get_my_profile),
        routes!(operations::reading::get_user_profile),
        routes!(operations::reading::get_user_attribute),
        routes!(operations::search::search_users),
        routes!(operations::reading::get_domain_profile),
        routes!(operations::reading::get_domain_attribute),
        routes!(operations::creation::create_profile),
        routes!(operations::reading::get_profile),
        routes!(
            operations::change::replace_attributes,
            operations::change::merge_attributes,
            operations::change::merge_attributes_by_post
        ),
        routes!(operations::erasure::erase_profile),
        routes!(operations::reading::get_attribute, operations::change::remove_attribute),
        routes!(operations::reading::get_service_info),
        routes!(operations::export::export_profiles),
    ]
}

/// Returns the operations at their paths with a slash at the end. If a key may follow, the slash begins an empty key; anywhere else it changes
/// nothing.
fn operations_with_slash() -> Router {
    let operations: Vec<_> = operations()
        .into_iter()
        .flat_map(|(_, described, methods)| described.paths.into_iter().map(move |path| (path, methods.clone())))
        .collect();
    let may_have_key = |path: &str| operations.iter().any(|((other, _), _)| other.strip_suffix(KEY) == Some(path));
    // Nested routers do not match their prefix with only a slash behind it.
    let prefixes = [paths::USERS, paths::MY, paths::DOMAINS].map(|path| format!("{path}/"));
    let routes = prefixes.iter().fold(Router::new(), |routes, path| routes.route(path, any(not_found)));
    operations.iter().fold(routes, |routes, ((path, described), methods)| match path.strip_suffix(KEY) {
        // Reads and removals there are of the attribute with the empty key.
        None if (described.get.is_some() || described.delete.is_some()) && may_have_key(path) => routes,
        None => routes.route(&format!("{path}/"), methods.clone()),
        Some(path) => {
            routes.route(&format!("{path}/"), methods.clone()).route(&format!("{path}{KEY}/"), methods.clone())
        }
    })
}
