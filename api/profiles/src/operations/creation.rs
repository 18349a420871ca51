//! Creating profiles: on request, and those of users when they first read their own profile.

mod request;
mod schema;

use std::sync::Arc;

use api_http::error::{Problem, shown};
use axum::body::Body;
use axum::http::StatusCode;
use store::{DomainReference, Owner, UserReference};
use store_profiles::{Attributes, NewProfile, Profile, ProfileFault, ProfileWrite, Refusal};

use self::request::{NewOwner, NewProfileRequest};
use crate::answer;
use crate::audit::Action;
use crate::audit::entry::{AuditEntry, run_to_end};
use crate::context::{Context, domain_not_found};
use crate::problem::{ProfileProblem, ProfileResult};
use crate::rules::attribute_rules::check_value;
use crate::rules::body;
use crate::services::ProfileConfig;
use crate::tokens::Claims;

/// Creates a profile. Checks the shape of the request first, then the owner, the permission, an
/// existing profile, and the schema.
pub(super) async fn create(context: &Arc<Context>, body: Body, entry: &mut AuditEntry) -> ProfileResult {
    let request = NewProfileRequest::parse(body::members(context, body).await?, context.config().schema.bytes_max)?;
    let attributes = body::checked(context, request.attributes, entry)?;
    let owner = existing_owner(context, &request.owner)?;
    entry.owner = Some(owner.clone());
    context.authorise(Action::Create, &owner)?;
    if let Some(profile) = context.profiles().find(owner.clone()).await? {
        entry.set_subject(&profile);
        return Err(ProfileProblem::exists(profile.reference));
    }
    let schema = match request.schema {
        Some(schema) => Some(schema::read(context, &schema).await?),
        None => None,
    };
    let profile = NewProfile { owner, schema, attributes }.into_profile();
    let created = entry.write(ProfileWrite::Create(profile), None).await;
    let profile = created.map_err(|fault| entry.write_failed(fault))?;
    answer::created(context, &profile)
}

/// Returns the owner of a new profile: a domain of the directory, or any user, since the directory
/// may lack users who have tokens.
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

/// Creates the profile of the caller, or returns the one that another request has created
/// meanwhile.
pub(crate) async fn provision(context: &Arc<Context>) -> Result<Profile, ProfileProblem> {
    let context = Arc::clone(context);
    let mut entry = AuditEntry::new(&context, Action::Provision);
    run_to_end(async move {
        let attributes = attributes(&context.caller.claims, context.config());
        let owner = Owner::User(context.caller.claims.user);
        entry.owner = Some(owner.clone());
        entry.keys = attributes.iter().map(|(key, _)| key.to_owned()).collect();
        let profile = NewProfile { owner, schema: None, attributes }.into_profile();
        match entry.write(ProfileWrite::Create(profile), None).await {
            Ok(profile) => {
                entry.end(StatusCode::OK);
                Ok(profile)
            }
            Err(ProfileFault::Refused(Refusal::Exists(reference))) => {
                // Another request was faster.
                entry.end(StatusCode::CONFLICT);
                let profile = context.profiles().get(reference).await?;
                profile.ok_or(Problem::Internal.into())
            }
            Err(fault) => {
                let problem = entry.write_failed(fault);
                entry.end(problem.status());
                Err(problem)
            }
        }
    })
    .await
}

/// Returns name and email of the token, if they are valid values.
fn attributes(claims: &Claims, config: &ProfileConfig) -> Attributes {
    let claims = [("name", &claims.name), ("email", &claims.email)];
    let claims = claims.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)));
    claims.filter(|(key, value)| check_value(key, value, config).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_from_the_token_within_the_limits() {
        let written = |name: Option<&str>, email: Option<&str>| {
            let user = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4".parse().expect("a reference");
            let (name, email) = (name.map(str::to_owned), email.map(str::to_owned));
            let attributes = attributes(&Claims { user, name, email, groups: Vec::new() }, &ProfileConfig::default());
            serde_json::to_string(&attributes).expect("JSON")
        };
        assert_eq!(written(Some("ajay"), Some("ajay@alibaba.com")), r#"{"name":"ajay","email":"ajay@alibaba.com"}"#);
        assert_eq!(written(None, Some("a@b")), r#"{"email":"a@b"}"#);
        assert_eq!(written(Some("a\0b"), Some(&"e".repeat(4097))), "{}");
    }
}
