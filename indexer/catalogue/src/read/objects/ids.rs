//! Accessions and other ids in objects of a harvest.

use indexer::run::{Reason, Rejection};
use serde_json::Value;
use store_catalogue::model::{ResourceType, SAMPLES};

use crate::read::Members;

/// The most bytes of an accession or a lineage: the index accepts no longer ones.
const ID_BYTES_MAX: usize = 1000;

/// Returns the key of an object, its id in version 1, and all its accessions.
pub(crate) fn identity(
    resource_type: &'static str,
    object: &Members,
) -> Result<(String, String, Vec<String>), Rejection> {
    let member = ResourceType::rules_of(resource_type).document_key;
    let accession = id_of(object.get(member));
    let mut names = texts(object.get("ena_accessions"));
    let secondary = names.iter().find(|name| resource_type == SAMPLES && is_ena(name, "RS", 1)).cloned();
    names.extend(accession.clone());
    let id = secondary.or_else(|| accession.clone()).ok_or_else(|| no_id(member))?;
    Ok((accession.unwrap_or_else(|| id.clone()), id, names))
}

pub(super) fn no_id(member: &str) -> Rejection {
    let detail = format!("{member} is missing, empty, longer than {ID_BYTES_MAX} bytes, or has control characters");
    Rejection::new(Reason::BadId, detail)
}

/// Returns a text or a whole number as an id.
pub(crate) fn id_of(value: Option<&Value>) -> Option<String> {
    let id = match value? {
        Value::String(text) => text.clone(),
        Value::Number(number) if !number.is_f64() => number.to_string(),
        _ => return None,
    };
    is_id(&id).then_some(id)
}

/// Returns whether a text can be an id.
pub(crate) fn is_id(text: &str) -> bool {
    !text.is_empty() && text.len() <= ID_BYTES_MAX && !text.chars().any(char::is_control)
}

/// Returns the ids of a list, some of which may be numbers.
pub(crate) fn ids(value: Option<&Value>) -> impl Iterator<Item = String> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(|item| id_of(Some(item)))
}

/// Returns the ids of a list that are texts.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().filter(|text| is_id(text)).map(str::to_owned)).collect()
}

pub(super) fn into_object(value: Value) -> Option<Members> {
    if let Value::Object(object) = value { Some(object) } else { None }
}

/// Returns the accessions of embedded objects, each once.
pub(crate) fn accessions(objects: &Value, member: &str) -> Vec<String> {
    let mut accessions: Vec<String> = Vec::new();
    for object in objects.as_array().into_iter().flatten() {
        let accession = id_of(object.get(member));
        accessions.extend(accession.filter(|accession| !accessions.contains(accession)));
    }
    accessions
}

pub(crate) fn objects(value: Option<&Value>) -> Vec<Members> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(|item| item.as_object().cloned()).collect()
}

pub(crate) fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

/// Returns whether a text is an accession of the European Nucleotide Archive or its partners: one
/// of three letters, two others, and digits.
pub(crate) fn is_ena(text: &str, letters: &str, num_digits_min: usize) -> bool {
    let Some(rest) = text.strip_prefix(['E', 'D', 'S']) else { return false };
    let digits = rest.strip_prefix(letters).unwrap_or_default();
    digits.len() >= num_digits_min && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the first accession of a study itself, otherwise the first of all.
pub(crate) fn first_accession(accessions: &[Value]) -> Value {
    let is_of_study = |accession: &&Value| accession.as_str().is_some_and(|accession| is_ena(accession, "RP", 6));
    accessions.iter().find(is_of_study).or(accessions.first()).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessions_are_recognized() {
        assert!(is_ena("ERS1", "RS", 1) && is_ena("SRP123456", "RP", 6) && is_ena("DRS01", "RS", 1));
        assert!(!is_ena("SRP12345", "RP", 6) && !is_ena("XRS1", "RS", 1) && !is_ena("ERS", "RS", 0));
        assert!(!is_ena("SAMEA1", "RS", 1) && !is_ena("ERSx", "RS", 1));
    }
}
