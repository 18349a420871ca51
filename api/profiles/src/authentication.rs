//! Authentication: without a valid token every path is answered 401, including unknown ones.

use std::sync::Arc;

use api_http::access::Access;
use api_http::error::Problem;
use api_http::limits::Permit;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::ProfileService;
use super::context::{Caller, Context};
use super::problem::ProfileProblem;
use super::sources::directory::current_directory;
use crate::tokens::TokenProblem;

impl ProfileService {
    /// Checks the token of a request, that the account is not locked, and that it has no more
    /// requests than its share.
    pub(super) fn admit(&self, parts: &Parts, access: Access) -> Result<Context, ProfileProblem> {
        if !self.is_served {
            return Err(Problem::NotLoaded("This server does not serve profiles.".into()).into());
        }
        let token = bearer_token(&parts.headers)?;
        // Without services no token is accepted.
        let services = self.services.as_ref().ok_or(TokenProblem::Foreign)?;
        let claims = services.tokens.verify(token)?;
        let directory = current_directory(&services.directory)?;
        if directory.as_ref().is_some_and(|directory| directory.is_locked(claims.user)) {
            return Err(ProfileProblem::locked());
        }
        // A bearer of many tokens is still one user.
        if Permit::current().is_some_and(|permit| !permit.add_user(claims.user)) {
            return Err(Problem::Overloaded.into());
        }
        Ok(Context {
            caller: Caller::new(claims, &services.config),
            services: Arc::clone(services),
            directory,
            base_url: self.front.base_url.clone(),
            limits: self.front.limits.clone(),
            uri: parts.uri.clone(),
            headers: parts.headers.clone(),
            request_id: access.id(),
        })
    }
}

/// Returns the token of a request, valid or not. Tokens outside the header are ignored: they end up
/// in logs.
fn bearer_token(headers: &HeaderMap) -> Result<&str, ProfileProblem> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or_else(ProfileProblem::no_token)?;
    if values.next().is_some() {
        return Err(ProfileProblem::malformed_authorization());
    }
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let mut parts = value.as_bytes().split(is_space).filter(|part| !part.is_empty());
    let is_bearer = parts.next().is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"bearer"));
    match (parts.next(), parts.next()) {
        (Some(token), None) if is_bearer => {
            std::str::from_utf8(token).map_err(|_| ProfileProblem::malformed_authorization())
        }
        (Some(_), Some(_)) if is_bearer => Err(ProfileProblem::malformed_authorization()),
        _ => Err(ProfileProblem::no_token()),
    }
}
