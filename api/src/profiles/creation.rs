//! Creating profiles.

mod request;
mod schema;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Extension;
use axum::response::Response;
use futures_util::FutureExt;
use store::{DomainReference, NewProfile, Owner, Profile, Refusal, UserReference};

use self::request::{NewOwner, NewProfileRequest};
use super::audit::Action;
use super::context::{Context, domain_not_found};
use super::described::CreationResponses;
use super::problem::{ProfileProblem, ProfileResult};
use super::source::ProfileFault;
use super::trail::{Trail, recorded};
use super::{answer, body};
use crate::error::shown;

/// Create a profile
///
/// One of `user` and `domain` is the owner. Users create their own profile, managers those of their domains, administrators those of users.
/// Besides, only `attributes` and `schema` are read; other fields, such as `reference` and names, are ignored. A profile of a domain may have a
/// schema, which its attributes must always conform to and which never changes.
#[utoipa::path(post, path = "/profiles", tag = "profiles", responses(CreationResponses))]
pub(super) async fn create_profile(Extension(context): Extension<Arc<Context>>, body: Body) -> Response {
    recorded(context, Action::Create, |context, trail| create(context, body, trail).boxed()).await
}

/// Creates a profile. Checks the shape of the request first, then the owner, the permission, an existing profile, and the schema.
async fn create(context: &Arc<Context>, body: Body, trail: &mut Trail) -> ProfileResult {
    let request = NewProfileRequest::parse(body::object(context, body).await?, context.config().schema.bytes_max)?;
    let attributes = body::checked(context, request.attributes, trail)?;
    let owner = existing_owner(context, &request.owner)?;
    trail.owner = Some(owner.clone());
    context.authorise(Action::Create, &owner)?;
    if let Some(profile) = context.profiles().find(owner.clone()).await? {
        trail.concerns(&profile);
        return Err(ProfileProblem::exists(profile.reference));
    }
    let schema = match request.schema {
        Some(schema) => Some(schema::read(context, &schema).await?),
        None => None,
    };
    let created = write(context, NewProfile { owner, schema, attributes }, trail).await;
    let profile = created.map_err(|fault| trail.write_failed(fault))?;
    answer::created(context, &profile)
}

/// Writes a new profile, and notes which one the owner has.
pub(super) async fn write(
    context: &Arc<Context>,
    profile: NewProfile,
    trail: &mut Trail,
) -> Result<Profile, ProfileFault> {
    let permission = context.permission(trail.action, &profile.owner);
    let created = context.profiles().create(profile, permission).await;
    match &created {
        Ok(profile) => trail.concerns(profile),
        Err(ProfileFault::Refused(Refusal::Exists(profile))) => trail.profile = Some(*profile),
        Err(_) => {}
    }
    created
}

/// Returns the owner of a new profile: a domain of the directory, or any user, since the directory may lack users who have tokens.
fn existing_owner(context: &Context, owner: &NewOwner) -> Result<Owner, ProfileProblem> {
    match owner {
        NewOwner::User(text) => match text.parse::<UserReference>() {
            Ok(user) => Ok(Owner::User(user)),
            Err(_) => Err(ProfileProblem::not_found(format!("No user with reference {}", shown(text)))),
        },
        NewOwner::Domain(text) => {
            let domain = text.parse::<DomainReference>().ok().filter(|domain| context.has_domain(domain));
            domain.map(Owner::Domain).ok_or_else(|| domain_not_found(text))
        }
    }
}
