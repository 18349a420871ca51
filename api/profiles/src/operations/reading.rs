//! Reading profiles and single attributes.

use std::sync::Arc;

use axum::extract::Extension;
use store::{DomainReference, Owner, UserReference};
use store_profiles::Profile;

use super::creation;
use crate::answer;
use crate::context::{Context, domain_not_found, profile_not_found};
use crate::described::{AttributeKey, AttributeResponses, ProfileResponse, ReadErrors};
use crate::problem::{ProfileProblem, ProfileResult};
use crate::wire::ServiceInfo;

/// Clients expect the name of the real service.
const SERVICE_NAME: &str = "aap-profiles-api";

/// Get the profile of a user
///
/// For the user and for administrators. The own profile of a user is created when it is first read, with `name` and `email` of the token.
#[utoipa::path(
    get, path = "/users/{user_reference}/profile", tag = "users", responses(ProfileResponse, ReadErrors),
    params(("user_reference" = String, Path, description = "The user.", example = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4")),
)]
pub(crate) async fn get_user_profile(Extension(context): Extension<Arc<Context>>) -> ProfileResult {
    let profile = user_profile(&context, context.reference(profile_not_found)?).await?;
    context.authorise_read(&profile.owner)?;
    answer::read(&context, &profile)
}

/// Get one's own profile
///
/// It is created when it is first read, with `name` and `email` of the token.
#[utoipa::path(
    get, path = "/my/profile", tag = "users",
    responses(
        ProfileResponse,
        (status = 304, description = "The profile still has the version whose tag `If-None-Match` shows."),
    ),
)]
pub(crate) async fn get_my_profile(Extension(context): Extension<Arc<Context>>) -> ProfileResult {
    let profile = user_profile(&context, context.caller.claims.user).await?;
    answer::read(&context, &profile)
}

/// Get an attribute of a user
#[utoipa::path(
    get, path = "/users/{user_reference}/profile/{attribute_key}", tag = "users", responses(AttributeResponses, ReadErrors),
    params(
        ("user_reference" = String, Path, description = "The user."),
        AttributeKey,
    ),
)]
pub(crate) async fn get_user_attribute(Extension(context): Extension<Arc<Context>>) -> ProfileResult {
    let user: UserReference = context.reference(profile_not_found)?;
    let profile = context.profiles().find(Owner::User(user)).await?;
    let profile = profile.ok_or_else(|| profile_not_found(&user.to_string()))?;
    attribute(&context, &profile, 3)
}

/// Get the profile of a domain
///
/// For members and managers of the domain, and for administrators.
#[utoipa::path(
    get, path = "/domains/{domain_reference}/profile", tag = "domains", responses(ProfileResponse, ReadErrors),
    params(("domain_reference" = String, Path, description = "The domain.", example = "dom-b38d6175-61e8-4d40-98da-df9188d91c82")),
)]
pub(crate) async fn get_domain_profile(Extension(context): Extension<Arc<Context>>) -> ProfileResult {
    let profile = domain_profile(&context).await?;
    context.authorise_read(&profile.owner)?;
    answer::read(&context, &profile)
}

/// Get an attribute of a domain
#[utoipa::path(
    get, path = "/domains/{domain_reference}/profile/{attribute_key}", tag = "domains",
    responses(AttributeResponses, ReadErrors),
    params(
        ("domain_reference" = String, Path, description = "The domain."),
        AttributeKey,
    ),
)]
pub(crate) async fn get_domain_attribute(Extension(context): Extension<Arc<Context>>) -> ProfileResult {
    let profile = domain_profile(&context).await?;
    attribute(&context, &profile, 3)
}

/// Get a profile
///
/// For the user, for members and managers of the domain, and for administrators.
#[utoipa::path(
    get, path = "/profiles/{profile_reference}", tag = "profiles", responses(ProfileResponse, ReadErrors),
    params(("profile_reference" = String, Path, description = "The profile.", example = "prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90")),
)]
pub(crate) async fn get_profile(Extension(context): Extension<Arc<Context>>) -> ProfileResult {
    let profile = context.profile(context.reference(profile_not_found)?).await?;
    context.authorise_read(&profile.owner)?;
    answer::read(&context, &profile)
}

/// Get an attribute
#[utoipa::path(
    get, path = "/profiles/{profile_reference}/{attribute_key}", tag = "profiles", responses(AttributeResponses, ReadErrors),
    params(
        ("profile_reference" = String, Path, description = "The profile."),
        AttributeKey,
    ),
)]
pub(crate) async fn get_attribute(Extension(context): Extension<Arc<Context>>) -> ProfileResult {
    let profile = context.profile(context.reference(profile_not_found)?).await?;
    attribute(&context, &profile, 2)
}

/// Get the name of the service
#[utoipa::path(
    get, path = "/profiles/info", tag = "profiles",
    responses((status = 200, description = "The name.", body = ServiceInfo, content_type = "application/json;charset=UTF-8")),
)]
pub(crate) async fn get_service_info() -> ProfileResult {
    answer::json(&ServiceInfo { name: SERVICE_NAME })
}

/// Returns the profile of a user; that of the caller is created if it is missing.
async fn user_profile(context: &Arc<Context>, user: UserReference) -> Result<Profile, ProfileProblem> {
    match context.profiles().find(Owner::User(user)).await? {
        Some(profile) => Ok(profile),
        None if user == context.caller.claims.user => creation::provision(context).await,
        None => Err(profile_not_found(&user.to_string())),
    }
}

async fn domain_profile(context: &Context) -> Result<Profile, ProfileProblem> {
    let domain: DomainReference = context.reference(domain_not_found)?;
    let profile = context.profiles().find(Owner::Domain(domain.clone())).await?;
    let not_found = if context.has_domain(&domain) { profile_not_found } else { domain_not_found };
    profile.ok_or_else(|| not_found(domain.as_str()))
}

/// Answers with an attribute, whose key is in a segment of the path.
fn attribute(context: &Context, profile: &Profile, segment: usize) -> ProfileResult {
    context.authorise_read(&profile.owner)?;
    let key = context.key(segment)?;
    answer::attribute(context, profile, &key)
}
