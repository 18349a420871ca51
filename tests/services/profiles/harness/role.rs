//! The people who send requests, and their tokens.

use std::collections::HashMap;
use std::sync::LazyLock;

use store::UserReference;

use super::{SECOND, TEAM};
use crate::services::profiles::signing::token;

/// A caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// The user whose profile it is about.
    Owner,
    /// A user without any relation to the others.
    Other,
    /// A member of the domains.
    Member,
    /// A member and manager of the domains.
    Manager,
    /// A manager of the domains who is not a member.
    ManagerOnly,
    /// A member of the administrators' group.
    Admin,
    /// A member of the group that may search.
    Search,
    /// A member and manager of the domains, and administrator, whose account is locked.
    Locked,
    /// Somebody without a token.
    Nobody,
}

use Role::{Admin, Locked, Manager, ManagerOnly, Member, Nobody, Other, Owner, Search};

/// All roles.
pub(crate) const ROLES: [Role; 9] = [Owner, Other, Member, Manager, ManagerOnly, Admin, Search, Locked, Nobody];

/// The tokens of all but [`Role::Nobody`].
static TOKENS: LazyLock<HashMap<Role, String>> = LazyLock::new(|| {
    let people = ROLES.into_iter().filter(|role| *role != Nobody);
    people.map(|role| (role, token(role.user(), role.name(), &role.email(), role.groups()))).collect()
});

impl Role {
    /// Returns the user.
    pub(crate) fn user(self) -> UserReference {
        let text = match self {
            Owner => "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4".to_owned(),
            role => format!("usr-00000000-0000-4000-8000-00000000000{}", role as u8),
        };
        text.parse().expect("a reference")
    }

    /// Returns the name in the token.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Owner => "ajay",
            Other => "otto",
            Member => "mena",
            Manager => "manu",
            ManagerOnly => "mono",
            Admin => "adam",
            Search => "seda",
            Locked => "lora",
            Nobody => "",
        }
    }

    /// Returns the address in the token.
    pub(crate) fn email(self) -> String {
        format!("{}@alibaba.com", self.name())
    }

    /// Returns the groups in the token.
    fn groups(self) -> &'static [&'static str] {
        match self {
            Owner => &["svc.other", "self.ajay"],
            Admin | Locked => &["svc.admin"],
            Search => &["svc.profile.search"],
            // Domains in a token are ignored.
            Other => &[TEAM, SECOND, "svc.admin.not", "profile.search", "SVC.ADMIN"],
            _ => &[],
        }
    }

    /// Returns the token.
    pub(crate) fn token(self) -> &'static str {
        TOKENS.get(&self).expect("somebody")
    }
}
