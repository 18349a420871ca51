//! The body of a request to create a profile.

use api_http::posted::Given;

use crate::problem::ProfileProblem;

pub(super) struct NewProfileRequest {
    pub(super) owner: NewOwner,
    /// Anything but null.
    pub(super) schema: Option<Given>,
    pub(super) attributes: Vec<(String, Given)>,
}

/// The owner of a new profile, with the reference that the client sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NewOwner {
    User(String),
    Domain(String),
}

impl NewProfileRequest {
    /// Reads a body. Further fields, which some clients send, are ignored. Null stands for a
    /// missing field.
    pub(super) fn parse(mut body: Vec<(String, Given)>, schema_bytes_max: usize) -> Result<Self, ProfileProblem> {
        let mut given = |name: &str| {
            let position = body.iter().position(|(known, _)| known == name)?;
            Some(body.swap_remove(position).1)
        };
        let mut take = |name| given(name).filter(|value| !matches!(value, Given::Null));
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
        if matches!(&schema, Some(Given::Text(schema)) if schema.len() > schema_bytes_max) {
            return Err(ProfileProblem::invalid(format!("The schema is longer than {schema_bytes_max} bytes.")));
        }
        let attributes = match given("attributes") {
            None => Vec::new(),
            Some(Given::Members(attributes)) => attributes,
            Some(_) => return Err(ProfileProblem::invalid("`attributes` is not an object.")),
        };
        Ok(Self { owner, schema, attributes })
    }
}

fn reference(owner: &Given, name: &str, key: &str) -> Result<String, ProfileProblem> {
    let members = if let Given::Members(members) = owner { &members[..] } else { &[] };
    match members.iter().find(|(known, _)| known == key) {
        Some((_, Given::Text(reference))) => Ok(reference.clone()),
        _ => Err(ProfileProblem::invalid(format!("`{name}` must have a `{key}` that is a string."))),
    }
}
