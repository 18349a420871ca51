//! The body of a request to create a profile.

use serde_json::{Map, Value};

use crate::profiles::problem::ProfileProblem;

#[derive(Debug)]
pub(super) struct NewProfileRequest {
    pub(super) owner: NewOwner,
    /// Anything but null.
    pub(super) schema: Option<Value>,
    pub(super) attributes: Map<String, Value>,
}

/// The owner of a new profile: a reference as it was given.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NewOwner {
    User(String),
    Domain(String),
}

impl NewProfileRequest {
    /// Reads a body. Clients send further fields, which are ignored, and null for missing ones.
    pub(super) fn parse(mut body: Map<String, Value>, schema_bytes_max: usize) -> Result<Self, ProfileProblem> {
        let mut take = |name| body.remove(name).filter(|value| !value.is_null());
        let owner = match (take("user"), take("domain")) {
            (Some(user), None) => NewOwner::User(reference(&user, "user", "userReference")?),
            (None, Some(domain)) => NewOwner::Domain(reference(&domain, "domain", "domainReference")?),
            (None, None) | (Some(_), Some(_)) => {
                return Err(ProfileProblem::invalid("Exactly one of `user` and `domain` must be given."));
            }
        };
        let schema = take("schema");
        if schema.is_some() && matches!(owner, NewOwner::User(_)) {
            return Err(ProfileProblem::invalid("Only the profile of a domain can have a `schema`."));
        }
        if schema.as_ref().and_then(Value::as_str).is_some_and(|schema| schema.len() > schema_bytes_max) {
            return Err(ProfileProblem::invalid(format!("The schema is longer than {schema_bytes_max} bytes.")));
        }
        let attributes = match body.remove("attributes") {
            None => Map::new(),
            Some(Value::Object(attributes)) => attributes,
            Some(_) => return Err(ProfileProblem::invalid("`attributes` is not an object.")),
        };
        Ok(Self { owner, schema, attributes })
    }
}

fn reference(owner: &Value, name: &str, key: &str) -> Result<String, ProfileProblem> {
    let reference = owner.get(key).and_then(Value::as_str);
    reference
        .map(str::to_owned)
        .ok_or_else(|| ProfileProblem::invalid(format!("`{name}` has no `{key}` that is a string.")))
}
