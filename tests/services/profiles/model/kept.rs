//! The profiles that should be stored.

use serde_json::{Map, Value, json};
use store::UserReference;

use super::requests::{Request, SCHEMA};
use crate::services::profiles::harness::Facts;

/// The owner of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    User(UserReference),
    Domain(String),
}

impl Subject {
    /// Returns the path of its profile.
    pub(super) fn path(&self) -> String {
        match self {
            Self::User(user) => format!("/users/{user}"),
            Self::Domain(domain) => format!("/domains/{domain}"),
        }
    }

    /// Returns the part of a body that names the owner.
    pub(super) fn as_owner(&self) -> Value {
        match self {
            Self::User(user) => json!({"user": {"userReference": user}}),
            Self::Domain(domain) => json!({"domain": {"domainReference": domain}}),
        }
    }
}

/// A profile that should be stored.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) reference: String,
    pub(super) owner: Subject,
    pub(super) version: u64,
    pub(super) has_schema: bool,
    pub(super) attributes: Map<String, Value>,
}

impl Kept {
    /// Makes a new profile, whose reference is not known yet.
    pub(super) fn new(owner: &Subject, has_schema: bool, attributes: Map<String, Value>) -> Self {
        Self { reference: String::new(), owner: owner.clone(), version: 1, has_schema, attributes }
    }

    /// Returns the value of a key.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.attributes.get(key).and_then(Value::as_str)
    }

    /// Returns the violations of the schema by attributes.
    pub(super) fn violations(&self, attributes: &Map<String, Value>) -> Vec<String> {
        let mut details = Vec::new();
        if !self.has_schema {
            return details;
        }
        if attributes.get("name").and_then(Value::as_str).is_some_and(|name| name.chars().count() < 2) {
            details.push("$.name: must be at least 2 characters long".to_owned());
        }
        if !attributes.contains_key("address") {
            details.push("$.address: is missing but it is required".to_owned());
        }
        if attributes.len() > 4 {
            details.push("$: may only have a maximum of 4 properties".to_owned());
        }
        details
    }

    /// Returns whether a request applies to this version.
    pub(super) fn is_meant(&self, request: &Request) -> bool {
        request.if_match.as_ref().is_none_or(|tag| tag == "*" || *tag == format!("\"{}\"", self.version))
    }

    /// Returns the line of an export.
    pub(super) fn line(&self) -> String {
        let owner = match &self.owner {
            Subject::User(user) => format!("\"user\":\"{user}\""),
            Subject::Domain(domain) => format!("\"domain\":\"{domain}\""),
        };
        let schema =
            if self.has_schema { format!("\"schema\":{{\"given\":{}}},", json!(SCHEMA)) } else { String::new() };
        format!(
            "{{\"reference\":\"{}\",{owner},\"version\":{},{schema}\"attributes\":{}}}",
            self.reference,
            self.version,
            Value::Object(self.attributes.clone())
        )
    }
    /// Returns its body in answers.
    pub(super) fn body(&self, facts: &Facts) -> String {
        let owner = match &self.owner {
            Subject::User(user) => format!("\"user\":{}", user_body(*user, facts)),
            Subject::Domain(domain) => format!(
                "\"domain\":{{\"domainName\":null,\"domainDesc\":null,\"domainReference\":\"{domain}\",\"users\":[],\"managers\":[],\"authority\":\"ROLE_null\"}}"
            ),
        };
        let schema = if self.has_schema { format!("\"schema\":{},", json!(SCHEMA)) } else { String::new() };
        let attributes = Value::Object(self.attributes.clone());
        format!("{{\"reference\":\"{}\",{owner},{schema}\"attributes\":{attributes}}}", self.reference)
    }
}

/// Returns the body of a user in answers.
pub(super) fn user_body(user: UserReference, facts: &Facts) -> String {
    let is_free = !facts.locked.contains(&user);
    format!(
        "{{\"userName\":null,\"email\":null,\"userReference\":\"{user}\",\"fullName\":null,\"domains\":null,\"accountNonLocked\":{is_free}}}"
    )
}
