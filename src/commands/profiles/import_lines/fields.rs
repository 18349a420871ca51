//! Which fields a line has, and of which types.

use serde_json::{Map, Value};

use super::quoted::quoted;

/// Checks that a line has known fields of the right types, one owner, and a schema only where it may have one. Values are never told: they
/// are about persons.
///
/// # Errors
///
/// * It is something else: the reason.
pub(super) fn check(line: &Value) -> Result<(), String> {
    let fields = line.as_object().ok_or("it is no profile, for it is no object")?;
    check_types(fields)?;
    match (fields.contains_key("user"), fields.contains_key("domain")) {
        (true, true) => Err("it has both user and domain".to_owned()),
        (false, false) => Err("it has neither user nor domain".to_owned()),
        (true, false) if fields.contains_key("schema") => {
            Err("it has a schema, and is the profile of a user".to_owned())
        }
        _ => Ok(()),
    }
}

/// Checks what fields there are, at all levels.
fn check_types(fields: &Map<String, Value>) -> Result<(), String> {
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("reference" | "user" | "domain", Value::String(_)) => {}
            ("reference" | "user" | "domain", _) => return Err(format!("its {name} is no string")),
            ("version", Value::Number(number)) if number.is_u64() => {}
            ("version", _) => return Err("its version is no positive whole number".to_owned()),
            ("schema", Value::Object(schema)) => check_schema(schema)?,
            ("attributes", Value::Object(attributes)) => check_attributes(attributes)?,
            ("schema" | "attributes", _) => return Err(format!("what it has as {name} is no object")),
            _ => return Err(format!("it has the unknown field {}", quoted(name))),
        }
    }
    Ok(())
}

/// Checks what fields the schema has.
fn check_schema(schema: &Map<String, Value>) -> Result<(), String> {
    for (name, value) in schema {
        if !matches!(name.as_str(), "given" | "fetched") {
            return Err(format!("its schema has the unknown field {}", quoted(name)));
        }
        if !value.is_string() {
            return Err(format!("the field {name} of its schema is no string"));
        }
    }
    Ok(())
}

/// Checks that all attributes are strings.
fn check_attributes(attributes: &Map<String, Value>) -> Result<(), String> {
    match attributes.iter().find(|(_, value)| !value.is_string()) {
        Some((key, _)) => Err(format!("the value of {} is no string", quoted(key))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_server_writes_has_the_right_fields() {
        for line in [
            json!({"reference": "prf-", "user": "usr-", "version": 1, "attributes": {}}),
            json!({"attributes": {"a": "", "schema": ""}, "version": u64::MAX, "domain": "dom-", "reference": ""}),
            json!({"domain": "dom-", "schema": {"given": "", "fetched": ""}}),
        ] {
            assert_eq!(check(&line), Ok(()), "{line}");
        }
    }

    #[test]
    fn other_fields_and_types_are_refused() {
        for (line, reason) in [
            (json!(["prf-", "usr-", 1, {}]), "no object"),
            (json!("{}"), "no object"),
            (json!({"reference": null, "user": ""}), "its reference is no string"),
            (json!({"user": {"userReference": ""}}), "its user is no string"),
            (json!({"user": "", "version": -1}), "its version is no positive whole number"),
            (json!({"user": "", "version": 1.0}), "its version is no"),
            (json!({"user": "", "version": "1"}), "its version is no"),
            (json!({"domain": "", "schema": null}), "has as schema is no object"),
            (json!({"domain": "", "schema": [""]}), "has as schema is no object"),
            (
                json!({"domain": "", "schema": {"given": "", "fetched": null}}),
                "field fetched of its schema is no string",
            ),
            (json!({"domain": "", "schema": {"given": "", "title": ""}}), "unknown field \"title\""),
            (json!({"user": "", "attributes": []}), "has as attributes is no object"),
            (json!({"user": "", "attributes": {"b": "", "a": null}}), "the value of \"a\" is no string"),
            (json!({"user": "", "Version": 1}), "unknown field \"Version\""),
            (json!({"user": "", "domain": ""}), "both user and domain"),
            (json!({"version": 1}), "neither user nor domain"),
            (json!({"user": "", "schema": {"given": "{}"}}), "the profile of a user"),
        ] {
            let problem = check(&line).expect_err(reason);
            assert!(problem.contains(reason), "{line}: {problem}");
        }
    }
}
