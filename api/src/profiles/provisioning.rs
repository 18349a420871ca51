//! Creating the own profile of users when they first read it.

use std::sync::Arc;

use axum::http::StatusCode;
use store::{Attributes, NewProfile, Owner, Profile, Refusal};

use super::attribute_rules::check_value;
use super::audit::Action;
use super::context::Context;
use super::creation;
use super::problem::ProfileProblem;
use super::services::ProfileConfig;
use super::source::ProfileFault;
use super::trail::{Trail, to_the_end};
use crate::error::Problem;
use crate::tokens::Claims;

/// Creates the profile of the caller, or returns the one that another request created meanwhile.
pub(super) async fn provision(context: &Arc<Context>) -> Result<Profile, ProfileProblem> {
    let context = Arc::clone(context);
    let mut trail = Trail::new(&context, Action::Provision);
    to_the_end(async move {
        let attributes = attributes(&context.caller.claims, context.config());
        let owner = Owner::User(context.caller.claims.user);
        trail.owner = Some(owner.clone());
        trail.keys = attributes.iter().map(|(key, _)| key.to_owned()).collect();
        match creation::write(&context, NewProfile { owner, schema: None, attributes }, &mut trail).await {
            Ok(profile) => {
                trail.end(StatusCode::OK);
                Ok(profile)
            }
            Err(ProfileFault::Refused(Refusal::Exists(reference))) => {
                // Another request was first.
                trail.end(StatusCode::CONFLICT);
                let profile = context.profiles().get(reference).await?;
                profile.ok_or(Problem::Internal.into())
            }
            Err(fault) => {
                let problem = trail.write_failed(fault);
                trail.end(problem.status());
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
    fn attributes_are_what_the_token_tells_within_the_limits() {
        let told = |name: Option<&str>, email: Option<&str>| {
            let user = "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4".parse().expect("a reference");
            let (name, email) = (name.map(str::to_owned), email.map(str::to_owned));
            let attributes = attributes(&Claims { user, name, email, groups: Vec::new() }, &ProfileConfig::default());
            serde_json::to_string(&attributes).expect("JSON")
        };
        assert_eq!(told(Some("ajay"), Some("ajay@alibaba.com")), r#"{"name":"ajay","email":"ajay@alibaba.com"}"#);
        assert_eq!(told(None, Some("a@b")), r#"{"email":"a@b"}"#);
        assert_eq!(told(Some("a\0b"), Some(&"e".repeat(4097))), "{}");
    }
}
