//! The service of profiles.

mod answer;
mod attribute_rules;
mod audit;
mod authentication;
mod bearer;
mod body;
mod change;
mod context;
mod creation;
mod directory;
mod error_body;
mod export;
mod headers;
mod local;
mod openapi;
mod path_key;
mod precondition;
mod problem;
mod provisioning;
mod reading;
mod schema_source;
mod search;
mod source;
#[cfg(test)]
mod tests;
mod trail;
mod wire;

pub use audit::{AuditLimits, AuditLog};
pub use directory::{DirectorySnapshot, DirectorySource, LocalDirectory, Outdated};
pub use local::LocalProfiles;
pub use schema_source::{SchemaHost, SchemaSource};
pub use source::{ProfileFault, ProfileSource, WriteFault};

use std::sync::Arc;

use axum::routing::{any, get};
use axum::{Router, middleware};
use store::SchemaLimits;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use self::authentication::Guard;
use crate::base_url::BaseUrl;
use crate::limits::{self, Limits};
use crate::tokens::TokenVerifier;
use crate::{ServiceConfig, compression, docs, mount, paths};

/// What the service of profiles needs.
#[derive(Clone)]
pub struct ProfileServices {
    /// The profiles.
    pub profiles: Arc<dyn ProfileSource>,
    /// Who belongs to which domain.
    pub directory: Arc<dyn DirectorySource>,
    /// Who may ask.
    pub tokens: Arc<TokenVerifier>,
    /// Where schemas that are given by URL come from.
    pub schemas: Arc<SchemaSource>,
    /// Who wrote or searched what.
    pub audit: Arc<AuditLog>,
    /// The settings.
    pub config: ProfileConfig,
}

/// The settings of the service of profiles.
#[derive(Clone, Debug)]
pub struct ProfileConfig {
    /// Tokens with this group may read and change every profile.
    pub admin_group: String,
    /// Tokens with this group may search.
    pub search_group: String,
    /// The most bytes of a request's body.
    pub body_bytes_max: usize,
    /// The most attributes of a profile.
    pub attributes_max: usize,
    /// The most characters of a key.
    pub key_chars_max: usize,
    /// The most characters of a value.
    pub value_chars_max: usize,
    /// The limits of a schema.
    pub schema: SchemaLimits,
}

impl Default for ProfileConfig {
    fn default() -> Self {
        Self {
            admin_group: "svc.admin".to_owned(),
            search_group: "svc.profile.search".to_owned(),
            body_bytes_max: 256 << 10,
            attributes_max: 200,
            key_chars_max: 255,
            value_chars_max: 4096,
            schema: SchemaLimits { bytes_max: 32 << 10, properties_max: 200 },
        }
    }
}

/// Returns the routes of the service, at their full paths. Without services every request is 401.
pub(crate) fn router(services: Option<&ProfileServices>, config: &ServiceConfig, limits: &Limits) -> Router {
    let base_url = BaseUrl::new(config);
    let guard = Guard { services: services.cloned().map(Arc::new), base_url: base_url.clone(), limits: limits.clone() };
    let (operations, description) = described_operations().split_for_parts();
    let description =
        openapi::description(description, &services.map(|services| services.config.clone()).unwrap_or_default());
    let operations = operations.merge(operations_with_slash()).method_not_allowed_fallback(mount::method_not_allowed);
    let unknown = || Router::new().fallback(mount::not_found);
    let operations = paths::OF_PROFILES.into_iter().fold(operations, |routes, prefix| routes.nest(prefix, unknown()));
    let guarded = operations.layer(middleware::from_fn_with_state(guard, authentication::authenticate));
    let docs = docs::router(description, config).method_not_allowed_fallback(mount::method_not_allowed);
    // The documentation alone is compressed: other answers have strong tags.
    let docs = mount::compressed(compression::negotiated(docs)).layer(middleware::map_response(headers::mark_public));
    mount::limited(guarded.nest(paths::PROFILES, docs), limits.clone())
        .layer(middleware::from_fn_with_state(base_url, headers::complete))
        .layer(middleware::from_fn(limits::hold_until_sent))
}

/// Returns the operations, those of one path together.
fn operations() -> [UtoipaMethodRouter; 11] {
    [
        routes!(reading::get_my_profile),
        routes!(reading::get_user_profile),
        routes!(reading::get_user_attribute),
        routes!(search::search_users),
        routes!(reading::get_domain_profile),
        routes!(reading::get_domain_attribute),
        routes!(creation::create_profile),
        routes!(reading::get_profile, change::replace_attributes, change::merge_attributes, change::post_to_profile),
        routes!(reading::get_attribute, change::remove_attribute),
        routes!(reading::get_service_info),
        routes!(export::export_profiles),
    ]
}

/// Returns the operations with their description.
fn described_operations() -> OpenApiRouter {
    operations().into_iter().fold(OpenApiRouter::new(), OpenApiRouter::routes)
}

/// Returns the operations at their paths with a slash at the end. Where a key may follow, the slash is the beginning of one, which is empty;
/// everywhere else it is as if it were not there.
fn operations_with_slash() -> Router {
    let with_empty_key = [
        ("/users/{user_reference}/profile", get(reading::get_user_attribute)),
        ("/users/profile", get(search::search_users)),
        ("/domains/{domain_reference}/profile", get(reading::get_domain_attribute)),
        (
            "/profiles/{profile_reference}",
            get(reading::get_attribute)
                .delete(change::remove_attribute)
                .put(change::replace_attributes)
                .patch(change::merge_attributes)
                .post(change::post_to_profile),
        ),
    ];
    let has_key = with_empty_key.clone().map(|(path, _)| path);
    let with_empty_key = with_empty_key.into_iter().map(|(path, methods)| (path.to_owned(), methods));
    let others = operations()
        .into_iter()
        .flat_map(|(_, described, methods)| described.paths.into_keys().map(move |path| (path, methods.clone())));
    let others = others.filter(|(path, _)| !has_key.contains(&path.as_str()));
    // A prefix does not lead to its service by itself if a slash follows and nothing else.
    let prefixes = [paths::USERS, paths::MY, paths::DOMAINS].map(|path| (path.to_owned(), any(mount::not_found)));
    with_empty_key
        .chain(others)
        .chain(prefixes)
        .fold(Router::new(), |routes, (path, methods)| routes.route(&format!("{path}/"), methods))
}
