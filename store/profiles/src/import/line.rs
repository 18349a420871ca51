//! Parsing a line of an export. A line that no server could have written is rejected: no server
//! could change such a profile, or even serve it.
//!
//! Reasons never quote values, which are personal data.

use serde_json::{Map, Value};

use crate::{AttributeSchema, SchemaError, SchemaLimits, UniqueJson};
use crate::{Attributes, Profile};

/// Longer keys are cut in messages.
const QUOTED_CHARS_MAX: usize = 100;

pub(super) fn parse(line: &[u8]) -> Result<Profile, String> {
    let UniqueJson(value) = serde_json::from_slice(line).map_err(|error| {
        // serde_json would report a line number within this line.
        let text = error.to_string();
        let problem = text.split(" at line ").next().unwrap_or_default();
        format!("it is not a profile: {problem} at column {}", error.column())
    })?;
    check_fields(&value)?;
    let profile: Profile = serde_json::from_value(value).map_err(|error| format!("it is not a profile: {error}"))?;
    check_attributes(&profile.attributes)?;
    check_schema(&profile)?;
    Ok(profile)
}

/// Checks that the line has known fields of the right types, one owner, and a schema only for a
/// domain.
fn check_fields(line: &Value) -> Result<(), String> {
    let fields = line.as_object().ok_or("it is not a profile: it is not an object")?;
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("reference" | "user" | "domain", Value::String(_)) => {}
            ("reference" | "user" | "domain", _) => return Err(format!("its {name} is not a string")),
            ("version", Value::Number(number)) if number.is_u64() => {}
            ("version", _) => return Err("its version is not a positive whole number".to_owned()),
            ("schema", Value::Object(schema)) => check_schema_fields(schema)?,
            ("attributes", Value::Object(attributes)) => {
                if let Some((key, _)) = attributes.iter().find(|(_, value)| !value.is_string()) {
                    return Err(format!("the value of {} is not a string", quoted(key)));
                }
            }
            ("schema" | "attributes", _) => return Err(format!("its {name} is not an object")),
            _ => return Err(format!("it has the unknown field {}", quoted(name))),
        }
    }
    match (fields.contains_key("user"), fields.contains_key("domain")) {
        (true, true) => Err("it has both user and domain".to_owned()),
        (false, false) => Err("it has neither user nor domain".to_owned()),
        (true, false) if fields.contains_key("schema") => {
            Err("it has a schema, but it is the profile of a user".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_schema_fields(schema: &Map<String, Value>) -> Result<(), String> {
    for (name, value) in schema {
        if !matches!(name.as_str(), "given" | "fetched") {
            return Err(format!("its schema has the unknown field {}", quoted(name)));
        }
        if !value.is_string() {
            return Err(format!("the field {name} of its schema is not a string"));
        }
    }
    Ok(())
}

/// Rejects keys and values that no server accepts, whatever its limits.
fn check_attributes(attributes: &Attributes) -> Result<(), String> {
    for (key, value) in attributes.iter() {
        if key.is_empty() {
            return Err("the key of an attribute is empty".to_owned());
        }
        if !Attributes::is_plain_key(key) {
            return Err(format!("the key {} has control characters", quoted(key)));
        }
        if !Attributes::is_plain_value(value) {
            return Err(format!("the value of {} has control characters", quoted(key)));
        }
    }
    Ok(())
}

/// Checks the attributes against the schema, if there is one: a profile that does not conform could
/// never be changed.
fn check_schema(profile: &Profile) -> Result<(), String> {
    let Some(schema) = &profile.schema else { return Ok(()) };
    let schema = AttributeSchema::parse(schema.text(), SchemaLimits::NONE).map_err(|error| {
        let problem = match error {
            SchemaError::TooLarge(problem) => problem,
            SchemaError::Defects(defects) => defects.details.join("; "),
        };
        format!("its schema cannot be used: {problem}")
    })?;
    schema
        .check(&profile.attributes)
        .map_err(|violations| format!("its attributes do not conform to its schema: {}", violations.details.join("; ")))
}

/// Returns a key in quotes, with control characters escaped for the terminal.
fn quoted(key: &str) -> String {
    match key.char_indices().nth(QUOTED_CHARS_MAX) {
        Some((end, _)) => format!("{:?}…", &key[..end]),
        None => format!("{key:?}"),
    }
}

#[cfg(test)]
mod tests;
