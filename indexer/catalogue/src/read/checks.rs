//! Checks of the parts of a resource.

use indexer::run::{Reason, Rejection};
use serde_json::{Map, Value};

pub(crate) type Members = Map<String, Value>;

/// Returns the rejection of text that is not JSON. Its line and column count from the start of the
/// resource or document, which is rarely the start of the input.
pub(super) fn unreadable(error: &serde_json::Error) -> Rejection {
    let (text, line, column) = (error.to_string(), error.line(), error.column());
    let problem = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    let detail = match line {
        0 => problem.to_owned(),
        1 => format!("{problem}, at its column {column}"),
        _ => format!("{problem}, at column {column} of its line {line}"),
    };
    Rejection::new(Reason::UnreadableJson, detail)
}

/// Returns a type or an id: a non-empty string without control characters. An id may be an integer
/// of 64 bits; larger ones and fractions are rounded by the parser, so different ids could become
/// equal.
pub(super) fn name_of(value: Value, reason: Reason) -> Result<String, Rejection> {
    let name = match value {
        Value::String(name) => name,
        Value::Number(number) if reason != Reason::BadType => {
            if number.is_f64() {
                return Err(Rejection::new(reason, "it is a number, but not an integer of 64 bits"));
            }
            number.to_string()
        }
        _ => return Err(Rejection::new(reason, "it is not a string")),
    };
    if name.is_empty() {
        return Err(Rejection::new(reason, "it is empty"));
    }
    if name.chars().any(char::is_control) {
        return Err(Rejection::new(reason, "it has control characters"));
    }
    Ok(name)
}

pub(super) fn object_of(value: Value, reason: Reason) -> Result<Members, Rejection> {
    if let Value::Object(members) = value { Ok(members) } else { Err(Rejection::new(reason, "they are not an object")) }
}

/// Checks that links are strings, null or objects.
pub(super) fn check_links(links: &Value) -> Result<(), Rejection> {
    let bad = |problem: String| Rejection::new(Reason::BadLinks, problem);
    let Value::Object(links) = links else { return Err(bad("they are not an object".to_owned())) };
    let mut wrong = links.iter().filter(|(_, link)| !(link.is_string() || link.is_null() || link.is_object()));
    wrong.next().map_or(Ok(()), |(name, _)| Err(bad(format!("{name:?} is not a link"))))
}

/// Checks relationships. Ids that are numbers become strings.
pub(super) fn checked_relationships(value: Value) -> Result<Members, Rejection> {
    let reason = Reason::BadRelationships;
    let mut relationships = object_of(value, reason)?;
    for (name, relationship) in &mut relationships {
        let within = |problem: &str| Rejection::new(reason, format!("{name:?}: {problem}"));
        let Value::Object(members) = relationship else { return Err(within("it is not an object")) };
        members.get("links").map_or(Ok(()), check_links)?;
        match members.get_mut("data") {
            None | Some(Value::Null) => {}
            Some(Value::Array(entries)) => entries.iter_mut().try_for_each(check_reference)?,
            Some(entry) => check_reference(entry)?,
        }
    }
    Ok(relationships)
}

fn check_reference(entry: &mut Value) -> Result<(), Rejection> {
    let reason = Reason::BadRelationships;
    let Value::Object(members) = entry else { return Err(Rejection::new(reason, "an entry is not an object")) };
    for part in ["type", "id"] {
        let missing = || Rejection::new(reason, format!("an entry has no {part}"));
        let value = members.get_mut(part).ok_or_else(missing)?;
        let what = if part == "type" { Reason::BadType } else { Reason::BadId };
        let name = name_of(value.take(), what)
            .map_err(|problem| Rejection::new(reason, format!("the {part} of an entry: {}", problem.detail)))?;
        *value = Value::String(name);
    }
    members.get("links").map_or(Ok(()), check_links)?;
    Ok(())
}
