//! Merging another description of a resource into it.

use std::collections::HashSet;

use serde_json::Value;

use crate::read::{Resource, reference_of};

impl Resource {
    /// Replaces ids in references.
    pub(super) fn rename_references(&mut self, mut rename: impl FnMut(&str, &str) -> Option<String>) {
        let mut rename = |entry: &mut Value| {
            let renamed = reference_of(entry).and_then(|(resource_type, id)| rename(resource_type, id));
            if let (Some(id), Value::Object(members)) = (renamed, entry) {
                members.insert("id".to_owned(), id.into());
            }
        };
        for (_, relationship) in self.relationships.iter_mut().flatten() {
            match relationship.get_mut("data") {
                Some(Value::Array(entries)) => entries.iter_mut().for_each(&mut rename),
                Some(entry) => rename(entry),
                None => {}
            }
        }
    }

    /// Merges the resource of a document. Its members win, unless they are null or attributes for
    /// which `is_guessed` is true.
    pub(super) fn take_over(&mut self, documented: Self, is_guessed: impl Fn(&str) -> bool) {
        let attributes = self.attributes.get_or_insert_default();
        for (name, value) in documented.attributes.into_iter().flatten() {
            let known = attributes.entry(name.clone()).or_insert(Value::Null);
            let is_guess = is_guessed(&name) && !is_empty(known);
            if !is_empty(&value) && !is_guess {
                *known = value;
            }
        }
        let relationships = self.relationships.get_or_insert_default();
        for (name, relationship) in documented.relationships.into_iter().flatten() {
            let Value::Object(mut members) = relationship else { continue };
            // The link of a relationship to one resource is the link to that resource.
            if members.get("data").is_some_and(Value::is_object) {
                relationships.insert(name, Value::Object(members));
                continue;
            }
            let data = members.remove("data");
            let known = relationships.entry(name).or_insert_with(|| Value::Object(members));
            let (Value::Object(known), Some(data)) = (known, data) else { continue };
            match (known.get_mut("data"), data) {
                (_, Value::Null) => {}
                (None, Value::Array(entries)) if entries.is_empty() => {}
                (Some(Value::Array(known)), Value::Array(entries)) => append(known, entries),
                (_, data) => _ = known.insert("data".to_owned(), data),
            }
        }
        self.origin.linked.extend(documented.origin.linked);
        self.document = documented.document;
    }
}

/// Returns whether a value is empty.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// Appends the references that are not in the list yet.
pub(super) fn append(known: &mut Vec<Value>, entries: Vec<Value>) {
    let key = |entry: &Value| reference_of(entry).map(|(resource_type, id)| (resource_type.to_owned(), id.to_owned()));
    let mut names: HashSet<_> = known.iter().filter_map(key).collect();
    known.extend(entries.into_iter().filter(|entry| key(entry).is_some_and(|name| names.insert(name))));
}
