//! The expected answers.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use store::UserReference;

use super::kept::{Kept, Subject, user_body};
use super::requests::{Request, What};
use crate::services::profiles::answer::{Answer, JSON, LINES, TEXT};
use crate::services::profiles::harness::{Facts, NO_DOMAIN, Role, World};

/// The expected profiles, and the directory.
pub(super) struct Model {
    pub(super) profiles: Vec<Kept>,
    pub(super) facts: Facts,
}

/// The expected answer.
enum Expected {
    /// The status of an error.
    Error(u16),
    /// Violations of the schema.
    Violations(Vec<String>),
    /// A profile, whose number is given, whether or not the request has made it.
    Profile(usize, u16),
    /// A new profile.
    Made(Box<Kept>, u16),
    /// The profile is erased.
    Erased,
    /// A value.
    Value(String),
    /// A body.
    Body(String),
    /// All profiles.
    Export,
}

impl Model {
    /// Starts with an empty store.
    pub(super) fn new(facts: Facts) -> Self {
        Self { profiles: Vec::new(), facts }
    }

    /// Returns the version of the profile named by a path.
    pub(super) fn version_in_path(&self, path: &str) -> Option<u64> {
        self.profiles.iter().find(|kept| path.contains(&kept.reference)).map(|kept| kept.version)
    }

    /// Returns whether a user may change the profile of a subject.
    fn may_change(&self, role: Role, subject: &Subject) -> bool {
        // The locked account belongs to an administrator.
        matches!(role, Role::Admin | Role::Locked) || self.is_theirs(role, subject)
    }

    /// Returns whether a subject is the user, or a domain that they manage.
    fn is_theirs(&self, role: Role, subject: &Subject) -> bool {
        match subject {
            Subject::User(user) => role.user() == *user,
            Subject::Domain(_) => self.facts.managers.contains(&role.user()),
        }
    }

    /// Returns whether a user may make the profile of a subject.
    fn may_create(&self, role: Role, subject: &Subject) -> bool {
        let is_of_user = matches!(subject, Subject::User(_));
        self.is_theirs(role, subject) || is_of_user && self.may_change(role, subject)
    }

    /// Returns whether a user may read the profile of a subject.
    fn may_read(&self, role: Role, subject: &Subject) -> bool {
        let is_member = matches!(subject, Subject::Domain(_)) && self.facts.members.contains(&role.user());
        is_member || self.may_change(role, subject)
    }

    /// Returns the expected answer, and makes the expected changes.
    fn answer(&mut self, request: &Request) -> Expected {
        let role = request.role;
        if role == Role::Nobody || self.facts.locked.contains(&role.user()) {
            return Expected::Error(401);
        }
        match &request.what {
            What::Mine => self.read_of(&Subject::User(role.user()), None, role),
            What::Of(subject, key) => self.read_of(subject, key.as_deref(), role),
            What::Read(reference, key) => {
                self.number(reference).map_or(Expected::Error(404), |number| self.read(number, key.as_deref(), role))
            }
            What::Create(subject, has_schema, attributes) => self.create(role, subject, *has_schema, attributes),
            What::Replace(reference, _) | What::Merge(reference, _) | What::Remove(reference, _) => {
                self.number(reference).map_or(Expected::Error(404), |number| self.change(number, request))
            }
            What::Erase(reference) => {
                self.number(reference).map_or(Expected::Error(404), |number| self.erase(number, request))
            }
            What::Search(key, value) => self.search(role, key, value),
            // The locked account belongs to an administrator.
            What::Export if matches!(role, Role::Admin | Role::Locked) => Expected::Export,
            What::Export => Expected::Error(403),
        }
    }

    /// Returns the number of a profile.
    fn number(&self, reference: &str) -> Option<usize> {
        self.profiles.iter().position(|kept| kept.reference == *reference)
    }

    /// Reads the profile of a subject. That of a user is made when they first read it.
    fn read_of(&self, subject: &Subject, key: Option<&str>, role: Role) -> Expected {
        if let Some(number) = self.profiles.iter().position(|kept| kept.owner == *subject) {
            return self.read(number, key, role);
        }
        if key.is_some() || *subject != Subject::User(role.user()) {
            return Expected::Error(404);
        }
        let attributes = json!({"name": role.name(), "email": role.email()});
        let Value::Object(attributes) = attributes else { unreachable!("it is an object") };
        Expected::Made(Box::new(Kept::new(subject, false, attributes)), 200)
    }

    /// Reads a profile.
    fn read(&self, number: usize, key: Option<&str>, role: Role) -> Expected {
        let kept = &self.profiles[number];
        match key {
            _ if !self.may_read(role, &kept.owner) => Expected::Error(403),
            None => Expected::Profile(number, 200),
            Some(key) => kept.value(key).map_or(Expected::Error(404), |value| Expected::Value(value.to_owned())),
        }
    }

    /// Makes a profile.
    fn create(&self, role: Role, owner: &Subject, has_schema: bool, attributes: &Map<String, Value>) -> Expected {
        let made = Kept::new(owner, has_schema, attributes.clone());
        if attributes.values().any(|value| !value.is_string()) {
            return Expected::Error(400);
        }
        if *owner == Subject::Domain(NO_DOMAIN.to_owned()) {
            return Expected::Error(404);
        }
        if !self.may_create(role, owner) {
            return Expected::Error(403);
        }
        if self.profiles.iter().any(|kept| kept.owner == *owner) {
            return Expected::Error(409);
        }
        match made.violations(attributes) {
            details if details.is_empty() => Expected::Made(Box::new(made), 201),
            details => Expected::Violations(details),
        }
    }

    /// Changes a profile.
    fn change(&mut self, number: usize, request: &Request) -> Expected {
        let kept = &self.profiles[number];
        if !self.may_change(request.role, &kept.owner) {
            return Expected::Error(403);
        }
        let mut attributes = kept.attributes.clone();
        let mut is_absent = false;
        match &request.what {
            What::Replace(_, given) | What::Merge(_, given) if given.values().any(|value| !value.is_string()) => {
                return Expected::Error(400);
            }
            What::Replace(_, given) => attributes.clone_from(given),
            What::Merge(_, given) => attributes.extend(given.clone()),
            What::Remove(_, key) => is_absent = attributes.shift_remove(key).is_none(),
            what => unreachable!("{what:?} changes nothing"),
        }
        match (is_absent, kept.is_meant(request)) {
            // A missing attribute is reported before a failed precondition.
            (true, _) => return Expected::Error(404),
            (false, false) => return Expected::Error(412),
            (false, true) => {}
        }
        let details = kept.violations(&attributes);
        if !details.is_empty() {
            return Expected::Violations(details);
        }
        let kept = &mut self.profiles[number];
        kept.attributes = attributes;
        kept.version += 1;
        Expected::Profile(number, 200)
    }

    /// Erases a profile.
    fn erase(&mut self, number: usize, request: &Request) -> Expected {
        if !matches!(request.role, Role::Admin | Role::Locked) {
            return Expected::Error(403);
        }
        if !self.profiles[number].is_meant(request) {
            return Expected::Error(412);
        }
        self.profiles.remove(number);
        Expected::Erased
    }

    /// Searches for users.
    fn search(&self, role: Role, key: &str, value: &str) -> Expected {
        if role != Role::Search {
            return Expected::Error(403);
        }
        if value.is_empty() || !["name", "email"].contains(&key) {
            return Expected::Error(400);
        }
        let matches = |found: &str| if key == "email" { found.eq_ignore_ascii_case(value) } else { found == value };
        let mut users: Vec<UserReference> = Vec::new();
        for kept in &self.profiles {
            if let (Subject::User(user), Some(found)) = (&kept.owner, kept.value(key))
                && matches(found)
            {
                users.push(*user);
            }
        }
        users.sort_unstable();
        let users: Vec<String> = users.into_iter().map(|user| user_body(user, &self.facts)).collect();
        Expected::Body(format!("[{}]", users.join(",")))
    }

    /// Compares an answer with the expected one, and stores the new profile, if any.
    pub(super) fn compare(&mut self, request: &Request, answer: &Answer, context: &str) {
        match self.answer(request) {
            Expected::Error(status) => assert_eq!(answer.status, status, "{context}"),
            Expected::Violations(details) => {
                assert_eq!((answer.status, answer.details()), (422, details.clone()), "{context}");
                let message = format!("Data does not conform to T. There are {} error(s).", details.len());
                assert_eq!(answer.message(), message, "{context}");
            }
            Expected::Profile(number, status) => self.compare_profile(number, status, answer, context),
            Expected::Made(mut kept, status) => {
                assert_eq!(answer.status, status, "{context}");
                kept.reference = answer.reference();
                assert!(self.number(&kept.reference).is_none(), "{context}");
                self.profiles.push(*kept);
                self.compare_profile(self.profiles.len() - 1, status, answer, context);
            }
            Expected::Erased => assert_eq!((answer.status, &*answer.text), (204, ""), "{context}"),
            Expected::Value(value) => {
                assert_eq!((answer.status, &answer.text), (200, &value), "{context}");
                assert_eq!(answer.header("content-type"), TEXT, "{context}");
            }
            Expected::Body(body) => {
                assert_eq!((answer.status, &answer.text), (200, &body), "{context}");
                assert_eq!(answer.header("content-type"), JSON, "{context}");
            }
            Expected::Export => {
                let expected: BTreeSet<String> = self.profiles.iter().map(Kept::line).collect();
                let lines: BTreeSet<String> = answer.text.lines().map(str::to_owned).collect();
                assert_eq!((answer.status, lines), (200, expected), "{context}");
                assert_eq!(answer.header("content-type"), LINES, "{context}");
            }
        }
    }

    /// Compares an answer with a profile.
    fn compare_profile(&self, number: usize, status: u16, answer: &Answer, context: &str) {
        let kept = &self.profiles[number];
        assert_eq!((answer.status, &answer.text), (status, &kept.body(&self.facts)), "{context}");
        assert_eq!(answer.etag(), format!("\"{}\"", kept.version), "{context}");
        assert_eq!(answer.header("content-type"), JSON, "{context}");
    }

    /// Compares all stored profiles.
    pub(super) async fn compare_all(&self, world: &World) {
        for (number, kept) in self.profiles.iter().enumerate() {
            for path in [format!("/profiles/{}", kept.reference), format!("{}/profile", kept.owner.path())] {
                self.compare_profile(number, 200, &world.get(&path, Role::Admin).await, &path);
            }
        }
        let export = world.get("/profiles/export", Role::Admin).await;
        assert_eq!(export.text.lines().count(), self.profiles.len());
    }
}
