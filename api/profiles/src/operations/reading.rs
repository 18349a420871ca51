//! Reading profiles and single attributes.

use std::sync::Arc;

use store::{DomainReference, Owner, UserReference};
use store_profiles::Profile;

use super::creation;
use crate::answer;
use crate::context::{Context, domain_not_found, profile_not_found};
use crate::problem::{ProfileProblem, ProfileResult};
use crate::wire::ServiceInfo;

/// Clients expect the name of the real service.
const SERVICE_NAME: &str = "aap-profiles-api";

pub(super) async fn get_user_profile(context: &Arc<Context>) -> ProfileResult {
    let profile = user_profile(context, context.reference(profile_not_found)?).await?;
    context.authorise_read(&profile.owner)?;
    answer::read(context, &profile)
}

pub(super) async fn get_my_profile(context: &Arc<Context>) -> ProfileResult {
    let profile = user_profile(context, context.caller.claims.user).await?;
    answer::read(context, &profile)
}

pub(super) async fn get_user_attribute(context: &Arc<Context>) -> ProfileResult {
    let user: UserReference = context.reference(profile_not_found)?;
    let profile = context.profiles().find(Owner::User(user)).await?;
    let profile = profile.ok_or_else(|| profile_not_found(&user.to_string()))?;
    attribute(context, &profile, 3)
}

pub(super) async fn get_domain_profile(context: &Arc<Context>) -> ProfileResult {
    let profile = domain_profile(context).await?;
    context.authorise_read(&profile.owner)?;
    answer::read(context, &profile)
}

pub(super) async fn get_domain_attribute(context: &Arc<Context>) -> ProfileResult {
    let profile = domain_profile(context).await?;
    attribute(context, &profile, 3)
}

pub(super) async fn get_profile(context: &Arc<Context>) -> ProfileResult {
    let profile = context.profile(context.reference(profile_not_found)?).await?;
    context.authorise_read(&profile.owner)?;
    answer::read(context, &profile)
}

pub(super) async fn get_attribute(context: &Arc<Context>) -> ProfileResult {
    let profile = context.profile(context.reference(profile_not_found)?).await?;
    attribute(context, &profile, 2)
}

pub(super) fn service_info() -> ProfileResult {
    answer::json(&ServiceInfo { name: SERVICE_NAME })
}

/// Returns the profile of a user. The caller's own profile is created if it is missing.
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
