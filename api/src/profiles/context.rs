//! What a handler knows of its request, and what the caller may do.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;

use axum::http::{HeaderMap, Uri};
use percent_encoding::percent_decode_str;
use store::{DomainReference, Membership, Owner, Permission, Profile, ProfileReference, UserReference};

use super::audit::Action;
use super::directory::DirectorySnapshot;
use super::problem::ProfileProblem;
use super::{ProfileConfig, ProfileServices, ProfileSource};
use crate::base_url::BaseUrl;
use crate::error::shown;
use crate::limits::Limits;
use crate::tokens::Claims;

/// Who asks.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    /// What the token says.
    pub(super) claims: Claims,
    /// They may read and change every profile.
    pub(super) is_admin: bool,
    /// They may search.
    pub(super) may_search: bool,
}

impl Caller {
    /// Looks for the groups of the platform among those of the token.
    pub(super) fn new(claims: Claims, config: &ProfileConfig) -> Self {
        let is_in = |group: &String| claims.groups.contains(group);
        Self { is_admin: is_in(&config.admin_group), may_search: is_in(&config.search_group), claims }
    }
}

/// A request whose caller is known: an extension of it.
pub(super) struct Context {
    /// The services.
    pub(super) services: Arc<ProfileServices>,
    /// Who asks.
    pub(super) caller: Caller,
    /// The state of the directory from which the whole request is answered.
    pub(super) directory: Option<Arc<dyn DirectorySnapshot>>,
    /// Where links begin.
    pub(super) base_url: BaseUrl,
    /// What the client may take for the body: time, and places.
    pub(super) limits: Limits,
    /// What is asked for, as it was sent.
    pub(super) uri: Uri,
    /// The headers.
    pub(super) headers: HeaderMap,
    /// The id of the request.
    pub(super) request_id: String,
}

impl Context {
    /// Returns where the profiles are.
    pub(super) fn profiles(&self) -> &dyn ProfileSource {
        &*self.services.profiles
    }

    /// Returns the settings.
    pub(super) fn config(&self) -> &ProfileConfig {
        &self.services.config
    }

    /// Returns a segment of the path as it was sent, the first being 0; an empty text where there is none.
    pub(super) fn segment(&self, index: usize) -> &str {
        self.uri.path().split('/').nth(index + 1).unwrap_or_default()
    }

    /// Reads a reference that is the segment 1. What is none leads to nothing, as one that nobody knows.
    pub(super) fn reference<T: FromStr>(&self) -> Result<T, ProfileProblem> {
        let text = percent_decode_str(self.segment(1)).decode_utf8_lossy();
        text.parse().map_err(|_| profile_not_found(&text))
    }

    /// Reads the reference of a domain that is the segment 1, likewise.
    pub(super) fn domain(&self) -> Result<DomainReference, ProfileProblem> {
        let text = percent_decode_str(self.segment(1)).decode_utf8_lossy();
        text.parse().map_err(|_| domain_not_found(&text))
    }

    /// Returns the last value of a parameter of the query, which is encoded as in forms.
    pub(super) fn parameter(&self, name: &str) -> Option<Cow<'_, str>> {
        let pairs = form_urlencoded::parse(self.uri.query().unwrap_or_default().as_bytes());
        pairs.filter(|(key, _)| key == name).last().map(|(_, value)| value)
    }

    /// Tells whether the directory has a domain.
    pub(super) fn has_domain(&self, domain: &DomainReference) -> bool {
        self.directory.as_ref().is_some_and(|directory| directory.has_domain(domain))
    }

    /// Tells whether an account is locked.
    pub(super) fn is_locked(&self, user: UserReference) -> bool {
        self.directory.as_ref().is_some_and(|directory| directory.is_locked(user))
    }

    /// Returns a profile.
    pub(super) async fn profile(&self, reference: ProfileReference) -> Result<Profile, ProfileProblem> {
        let profile = self.profiles().get(reference).await?;
        profile.ok_or_else(|| profile_not_found(&reference.to_string()))
    }

    /// Lets those pass who may read what an owner has.
    pub(super) fn authorise_read(&self, owner: &Owner) -> Result<(), ProfileProblem> {
        let is_allowed = self.caller.is_admin
            || match owner {
                Owner::User(user) => *user == self.caller.claims.user,
                Owner::Domain(domain) => {
                    let membership = self.membership(domain);
                    membership.is_member || membership.is_manager
                }
            };
        is_allowed.then_some(()).ok_or(ProfileProblem::Forbidden("You are not allowed to read this profile."))
    }

    /// Lets those pass who may change what an owner has, or make it a profile, in the directory of this moment: while a body arrived, an account
    /// may have been locked and a right taken away. Only managers make profiles of domains, administrators included.
    pub(super) fn authorise(&self, action: Action, owner: &Owner) -> Result<(), ProfileProblem> {
        let (directory, user) = (self.services.directory.snapshot()?, self.caller.claims.user);
        if directory.as_ref().is_some_and(|directory| directory.is_locked(user)) {
            return Err(ProfileProblem::Locked);
        }
        let is_allowed = match owner {
            Owner::Domain(domain) if membership(directory.as_ref(), domain, user).is_manager => true,
            Owner::Domain(_) => self.caller.is_admin && action != Action::Create,
            Owner::User(owner) => self.caller.is_admin || *owner == user,
        };
        is_allowed.then_some(()).ok_or(ProfileProblem::Forbidden("You are not allowed to write this profile."))
    }

    /// Returns [`Context::authorise`] as a question that is asked right before a write.
    pub(super) fn permission(self: &Arc<Self>, action: Action, owner: &Owner) -> Permission {
        let (context, owner) = (Arc::clone(self), owner.clone());
        Arc::new(move || context.authorise(action, &owner).is_ok())
    }

    /// Returns what the caller is to a domain.
    fn membership(&self, domain: &DomainReference) -> Membership {
        membership(self.directory.as_ref(), domain, self.caller.claims.user)
    }
}

/// Returns what a user is to a domain: nothing, to one that the directory does not have.
fn membership(
    directory: Option<&Arc<dyn DirectorySnapshot>>,
    domain: &DomainReference,
    user: UserReference,
) -> Membership {
    let directory = directory.filter(|directory| directory.has_domain(domain));
    directory.map_or_else(Membership::default, |directory| directory.membership(domain, user))
}

/// Returns the answer where there is no profile for a reference.
pub(super) fn profile_not_found(reference: &str) -> ProfileProblem {
    ProfileProblem::NotFound(format!("Profile was not found for reference {}", shown(reference)))
}

/// Returns the answer where there is no domain with a reference.
pub(super) fn domain_not_found(reference: &str) -> ProfileProblem {
    ProfileProblem::NotFound(format!("No domain with reference {}", shown(reference)))
}
