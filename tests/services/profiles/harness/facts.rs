//! Directories.

use std::collections::BTreeSet;

use serde_json::Value;
use store::{DomainReference, Generations, Origin, UserReference};
use store_profiles::{DirectoryBuilder, DirectoryEntry};

use super::Role::{self, Locked, Manager, ManagerOnly, Member};
use super::{ROLES, SECOND, TEAM};

/// The contents of a directory.
#[derive(Clone)]
pub(crate) struct Facts {
    pub(crate) locked: Vec<UserReference>,
    pub(crate) members: Vec<UserReference>,
    pub(crate) managers: Vec<UserReference>,
    /// The domains, all with the same people.
    pub(crate) domains: Vec<&'static str>,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            locked: vec![Locked.user()],
            members: [Member, Manager, Locked].map(Role::user).to_vec(),
            managers: [Manager, ManagerOnly, Locked].map(Role::user).to_vec(),
            domains: vec![TEAM, SECOND],
        }
    }
}

impl Facts {
    /// Publishes a directory of all people and the domains.
    pub(super) fn publish(&self, generations: &Generations) {
        let users = ROLES.map(Role::user).into_iter();
        let mut entries: BTreeSet<DirectoryEntry> =
            users.map(|user| DirectoryEntry::User(user, self.locked.contains(&user))).collect();
        for domain in &self.domains {
            let domain: DomainReference = domain.parse().expect("a reference");
            entries.insert(DirectoryEntry::Domain(domain.clone()));
            let people: BTreeSet<UserReference> = self.members.iter().chain(&self.managers).copied().collect();
            entries.extend(people.into_iter().map(|user| {
                let (is_member, is_manager) = (self.members.contains(&user), self.managers.contains(&user));
                DirectoryEntry::Membership(domain.clone(), user, is_member, is_manager)
            }));
        }
        let draft = generations.begin().expect("free");
        let mut builder = DirectoryBuilder::create(&draft).expect("room");
        entries.iter().try_for_each(|entry| builder.add(entry)).expect("in order");
        let contents = builder.finish().expect("room");
        let origin =
            Origin { written_by: "test".to_owned(), finished_unix_s: 0, inputs: Vec::new(), report: Value::Null };
        draft.publish(origin, contents, Vec::new()).expect("room");
    }
}
