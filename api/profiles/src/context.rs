//! The context of a request, and the rights of the caller.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;

use api_http::base_url::BaseUrl;
use api_http::error::shown;
use api_http::limits::Limits;
use axum::http::{HeaderMap, Uri};
use percent_encoding::percent_decode_str;
use store::{DomainReference, Owner, ProfileReference, UserReference};
use store_profiles::{DirectoryGeneration, Membership, Profile, ProfileFault, ProfileSource};

use super::audit::Action;
use super::problem::ProfileProblem;
use super::rules::attribute_rules;
use super::services::{ProfileConfig, ProfileServices};
use super::sources::directory::current_directory;
use crate::tokens::Claims;

#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) claims: Claims,
    /// May read and change every profile.
    pub(super) is_admin: bool,
    pub(super) may_search: bool,
}

impl Caller {
    pub(super) fn new(claims: Claims, config: &ProfileConfig) -> Self {
        let is_in = |group: &String| claims.groups.contains(group);
        Self { is_admin: is_in(&config.admin_group), may_search: is_in(&config.search_group), claims }
    }
}

/// An authenticated request: an extension of it.
pub(super) struct Context {
    pub(super) services: Arc<ProfileServices>,
    pub(super) caller: Caller,
    /// The directory when the request arrived.
    pub(super) directory: Option<Arc<DirectoryGeneration>>,
    pub(super) base_url: BaseUrl,
    pub(super) limits: Limits,
    /// The URI as it was sent.
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    pub(super) request_id: String,
}

impl Context {
    pub(super) fn profiles(&self) -> &dyn ProfileSource {
        &*self.services.profiles
    }

    /// Returns the profiles for a write.
    ///
    /// # Errors
    ///
    /// * They are read-only.
    pub(super) fn writable_profiles(&self) -> Result<&dyn ProfileSource, ProfileFault> {
        if self.config().is_read_only {
            return Err(ProfileFault::Unavailable("profiles are read-only while they are moved".to_owned()));
        }
        Ok(self.profiles())
    }

    pub(super) fn config(&self) -> &ProfileConfig {
        &self.services.config
    }

    /// Returns a segment of the path as it was sent, counted from 0; an empty text if it is
    /// missing.
    pub(super) fn segment(&self, index: usize) -> &str {
        self.uri.path().split('/').nth(index + 1).unwrap_or_default()
    }

    /// Reads the reference in segment 1. A malformed reference is answered like an unknown one.
    pub(super) fn reference<T: FromStr>(&self, not_found: fn(&str) -> ProfileProblem) -> Result<T, ProfileProblem> {
        let text = percent_decode_str(self.segment(1)).decode_utf8_lossy();
        text.parse().map_err(|_| not_found(&text))
    }

    /// Reads the key of an attribute in a segment of the path, percent-decoded once.
    pub(super) fn key(&self, segment: usize) -> Result<String, ProfileProblem> {
        let key = percent_decode_str(self.segment(segment)).decode_utf8();
        let key = key.map_err(|_| ProfileProblem::invalid("The key of an attribute is not UTF-8."))?;
        attribute_rules::check_key(&key, self.config()).map_err(ProfileProblem::invalid)?;
        Ok(key.into_owned())
    }

    /// Returns the last value of a query parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<Cow<'_, str>> {
        let pairs = form_urlencoded::parse(self.uri.query().unwrap_or_default().as_bytes());
        pairs.filter(|(key, _)| key == name).last().map(|(_, value)| value)
    }

    pub(super) fn has_domain(&self, domain: &DomainReference) -> bool {
        self.directory.as_ref().is_some_and(|directory| directory.has_domain(domain))
    }

    pub(super) fn is_locked(&self, user: UserReference) -> bool {
        self.directory.as_ref().is_some_and(|directory| directory.is_locked(user))
    }

    pub(super) async fn profile(&self, reference: ProfileReference) -> Result<Profile, ProfileProblem> {
        let profile = self.profiles().get(reference).await?;
        profile.ok_or_else(|| profile_not_found(&reference.to_string()))
    }

    pub(super) fn authorise_read(&self, owner: &Owner) -> Result<(), ProfileProblem> {
        let user = self.caller.claims.user;
        let is_allowed = self.caller.is_admin
            || match owner {
                Owner::User(owner) => *owner == user,
                Owner::Domain(domain) => membership(self.directory.as_deref(), domain, user) != Membership::default(),
            };
        is_allowed.then_some(()).ok_or_else(|| ProfileProblem::forbidden("You are not allowed to read this profile."))
    }

    /// Checks that the caller may write the profile of an owner, according to the current
    /// directory: while a body arrived, an account may have been locked or a right revoked. Only
    /// managers create profiles of domains (administrators do not), and only administrators erase
    /// profiles.
    pub(super) fn authorise(&self, action: Action, owner: &Owner) -> Result<(), ProfileProblem> {
        let (directory, user) = (current_directory(&self.services.directory)?, self.caller.claims.user);
        if directory.as_ref().is_some_and(|directory| directory.is_locked(user)) {
            return Err(ProfileProblem::locked());
        }
        let is_allowed = match owner {
            _ if action == Action::Erase => self.caller.is_admin,
            Owner::Domain(domain) if membership(directory.as_deref(), domain, user).is_manager => true,
            Owner::Domain(_) => self.caller.is_admin && action != Action::Create,
            Owner::User(owner) => self.caller.is_admin || *owner == user,
        };
        is_allowed.then_some(()).ok_or_else(|| ProfileProblem::forbidden("You are not allowed to write this profile."))
    }
}

/// Returns the membership of a user in a domain: none if the directory lacks the domain.
fn membership(directory: Option<&DirectoryGeneration>, domain: &DomainReference, user: UserReference) -> Membership {
    let directory = directory.filter(|directory| directory.has_domain(domain));
    directory.map_or_else(Membership::default, |directory| directory.membership(domain, user))
}

pub(super) fn profile_not_found(reference: &str) -> ProfileProblem {
    ProfileProblem::not_found(format!("Profile was not found for reference {}", shown(reference)))
}

pub(super) fn domain_not_found(reference: &str) -> ProfileProblem {
    ProfileProblem::not_found(format!("No domain with reference {}", shown(reference)))
}
