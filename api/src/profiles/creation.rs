//! Creating profiles.

mod request;
mod schema;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Extension;
use axum::response::Response;
use store::{DomainReference, NewProfile, Owner, Refusal, UserReference};

use self::request::{NewOwner, NewProfileRequest};
use super::audit::Action;
use super::context::{Context, domain_not_found};
use super::error_body::ErrorBody;
use super::problem::{ProfileProblem, ProfileResult};
use super::source::ProfileFault;
use super::trail::{Trail, to_the_end};
use super::wire::ProfileBody;
use super::{answer, body};
use crate::error::shown;

/// Create a profile
///
/// One of `user` and `domain` is the owner. Users create their own profile, managers those of their domains, administrators those of users.
/// Besides, only `attributes` and `schema` are read; other fields, such as `reference` and names, are ignored. A profile of a domain may have a
/// schema, which its attributes must always conform to and which never changes.
#[utoipa::path(
    post,
    path = "/profiles",
    operation_id = "create_profile",
    tag = "profiles",
    request_body(
        content = request::NewProfileBody,
        content_type = "application/json",
        examples(
            ("of a user" = (value = json!({
                "user": {"userReference": "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4"},
                "attributes": {"name": "ajay", "email": "ajay@alibaba.com"},
            }))),
            ("of a domain" = (value = json!({
                "domain": {"domainReference": "dom-b38d6175-61e8-4d40-98da-df9188d91c82"},
                "attributes": {"cost_center": "ABC123", "address": "South Building"},
            }))),
            ("of a domain, with a schema" = (value = json!({
                "domain": {"domainReference": "dom-b38d6175-61e8-4d40-98da-df9188d91c82"},
                "schema": "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"title\":\"Billing\",\"type\":\"object\",\"properties\":{\"cost_center\":{\"type\":\"string\",\"minLength\":3,\"pattern\":\"^[A-Z]{3}[0-9]{3}$\"},\"address\":{\"type\":\"string\"}},\"required\":[\"address\"]}",
                "attributes": {"cost_center": "ABC123", "address": "South Building"},
            }))),
        ),
    ),
    responses(
        (
            status = 201, description = "The profile.", body = ProfileBody, content_type = "application/json;charset=UTF-8",
            headers(("Location" = String, description = "Its address."), ("ETag" = String, description = "Its version.")),
        ),
        (
            status = 400,
            description = "The body cannot be used: not exactly one of `user` and `domain`, a schema for a user, a value that is not a string, a duplicate key, a limit.",
            body = ErrorBody,
        ),
        (
            status = 403, description = "The user is somebody else, or the caller does not manage the domain.",
            body = ErrorBody,
        ),
        (status = 404, description = "There is no such domain, or no such user.", body = ErrorBody),
        (status = 409, description = "The user or the domain has a profile.", body = ErrorBody),
        (
            status = 422,
            description = "The schema cannot be used, or the attributes do not conform to it; `details` has a line for each defect.",
            body = ErrorBody,
        ),
    )
)]
pub(super) async fn create_profile(Extension(context): Extension<Arc<Context>>, body: Body) -> Response {
    let mut trail = Trail::new(&context, Action::Create);
    to_the_end(async move {
        let result = create(&context, body, &mut trail).await;
        trail.end(result)
    })
    .await
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
    let permission = context.permission(Action::Create, &owner);
    let created = context.profiles().create(NewProfile { owner, schema, attributes }, permission).await;
    if let Err(ProfileFault::Refused(Refusal::Exists(profile))) = created {
        trail.profile = Some(profile);
    }
    let profile = created.map_err(|fault| trail.write_failed(fault))?;
    trail.concerns(&profile);
    answer::created(context, &profile)
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
