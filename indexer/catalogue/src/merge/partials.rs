//! Partial resources: relationships and attributes that rows lack, such as the publications of a
//! study.

use std::collections::HashMap;

use indexer::run::{Reason, Rejection};
use indexer::{Error, Result};
use serde_json::Value;

use super::take_over::append;
use crate::read::{Identifier, Identity, Members, Reference, Relation, Resource};

/// The memory of a partial resource, not counting its text.
const ENTRY_BYTES: usize = 128;

/// A member of a relationship that the row gives as a link only, as in the real service: it is in
/// the related collection, but not shown. Name of the relation, type and id.
type LinkedMember = Relation;

/// Partial resources by the resource that they complete, those of one resource in the order of the
/// input.
#[derive(Default)]
pub(crate) struct Partials {
    texts: HashMap<Identity, Vec<Partial>>,
    num_bytes: usize,
    memory_bytes: usize,
}

struct Partial {
    text: Box<str>,
    /// Set if it is from an earlier load.
    is_stored: bool,
}

impl Partials {
    /// Creates an empty set that may use `memory_bytes`.
    pub(super) fn new(memory_bytes: usize) -> Self {
        Self { memory_bytes, ..Self::default() }
    }

    /// Adds a partial resource. `is_stored` is set if it is from an earlier load.
    pub(super) fn add(&mut self, identity: Identity, text: Box<str>, is_stored: bool) -> Result<()> {
        self.num_bytes += ENTRY_BYTES + text.len();
        if self.num_bytes > self.memory_bytes {
            let problem =
                format!("the resources of --links take more than {} bytes: raise --memory", self.memory_bytes);
            return Err(Error::Refused { problem });
        }
        self.texts.entry(identity).or_default().push(Partial { text, is_stored });
        Ok(())
    }

    /// Merges the partial resources of a resource into one of its rows. Returns the members of
    /// relationships that the row gives as links only, or `None` if there was nothing to merge.
    pub(super) fn merge_into(
        &self,
        identity: Identity,
        resource: &mut Resource,
    ) -> Result<Option<Vec<LinkedMember>>, Rejection> {
        let Some(texts) = self.texts.get(&identity) else { return Ok(None) };
        let mut linked = Vec::new();
        for Partial { text, .. } in texts {
            linked.extend(merge(resource, Resource::parse(text)?));
        }
        Ok(Some(linked))
    }

    /// Returns the texts of this load.
    pub(crate) fn new_texts(&self) -> impl Iterator<Item = &str> {
        self.texts.values().flatten().filter(|partial| !partial.is_stored).map(|partial| &*partial.text)
    }

    /// Returns all texts, those of one resource in the order of the input.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.values().flatten().map(|partial| &*partial.text)
    }

    /// Returns the number of partial resources of this load whose resource has a row, and of those
    /// whose resource has none.
    pub(super) fn num_merged_and_others(&self, has_row: impl Fn(Identity) -> bool) -> (u64, u64) {
        self.texts.iter().fold((0, 0), |(merged, others), (&identity, texts)| {
            let number = texts.iter().filter(|partial| !partial.is_stored).count() as u64;
            if has_row(identity) { (merged + number, others) } else { (merged, others + number) }
        })
    }
}

/// Checks that a row is a partial resource with something to merge.
pub(super) fn checked_partial(identifier: &Identifier, text: &str) -> Result<(Identity, Box<str>), Rejection> {
    let partial = Resource::parse(text)?;
    if [&partial.attributes, &partial.relationships].into_iter().flatten().all(Members::is_empty) {
        return Err(Rejection::new(Reason::NothingToMerge, "it has neither relationships nor attributes"));
    }
    Ok((partial.identity(identifier), text.into()))
}

/// Merges a partial resource into a row. Its attributes replace those of the row, and the members
/// of its relationships are added. Members of relationships that the row gives as links only are
/// returned instead.
fn merge(resource: &mut Resource, mut partial: Resource) -> Vec<LinkedMember> {
    let linked = take_linked(resource, &mut partial);
    if let Some(attributes) = partial.attributes {
        resource.attributes.get_or_insert_default().extend(attributes);
    }
    let Some(relationships) = partial.relationships else { return linked };
    let known = resource.relationships.get_or_insert_default();
    for (name, relationship) in relationships {
        let (Value::Object(known), Value::Object(members)) = (known.entry(name).or_insert_with(empty), relationship)
        else {
            continue;
        };
        for (name, value) in members {
            match &*name {
                "data" => merge_data(known.entry(name).or_insert(Value::Null), value),
                _ => _ = known.entry(name).or_insert(value),
            }
        }
    }
    linked
}

fn take_linked(resource: &Resource, partial: &mut Resource) -> Vec<LinkedMember> {
    let is_link = |relation: &str| {
        let known = resource.relationships.as_ref().and_then(|known| known.get(relation));
        known.is_some_and(|known| known.get("links").is_some() && known.get("data").is_none())
    };
    let members = partial.references().filter(|reference| is_link(reference.relation));
    let linked: Vec<_> = members
        .map(|Reference { relation, resource_type, id }| (relation.to_owned(), resource_type.to_owned(), id.to_owned()))
        .collect();
    for (relation, relationship) in partial.relationships.iter_mut().flatten() {
        if is_link(relation)
            && let Value::Object(members) = relationship
        {
            members.remove("data");
        }
    }
    linked
}

fn empty() -> Value {
    Value::Object(Members::new())
}

/// Adds references to those of a row. A single reference that is not in a list stays.
fn merge_data(known: &mut Value, partial: Value) {
    match (known, partial) {
        (Value::Array(known), Value::Array(entries)) => append(known, entries),
        (Value::Array(known), entry @ Value::Object(_)) => append(known, vec![entry]),
        (known @ Value::Null, partial) => {
            *known = partial;
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns a row after partial resources were merged into it.
    fn merged(row: &Value, partials: &[Value]) -> Value {
        let mut resource = Resource::parse(&row.to_string()).expect("good");
        for partial in partials {
            merge(&mut resource, Resource::parse(&partial.to_string()).expect("good"));
        }
        resource.into_value()
    }

    fn study(members: Value) -> Value {
        let mut study = json!({"type": "studies", "id": "1"});
        let members: Members = serde_json::from_value(members).expect("an object");
        study.as_object_mut().expect("an object").extend(members);
        study
    }

    #[test]
    fn attributes_replace_those_of_the_row() {
        let row = study(json!({"attributes": {"a": 1, "b": 2}, "links": {"self": null}}));
        let partials = [json!({"b": null, "c": 3}), json!({"c": 4})].map(|it| study(json!({"attributes": it})));
        let expected = study(json!({"attributes": {"a": 1, "b": null, "c": 4}, "links": {"self": null}}));
        assert_eq!(merged(&row, &partials).to_string(), expected.to_string());
        assert_eq!(merged(&study(json!({})), &partials[..1]), partials[0]);
    }

    #[test]
    fn references_are_added_once() {
        let entry = |id: &str| json!({"type": "publications", "id": id});
        let related = |data: Value| study(json!({"relationships": {"publications": {"data": data}}}));
        let [one, two, three] = ["1", "2", "3"].map(entry);
        let lone = json!({"type": "publications", "id": "1", "links": {"self": "https://a"}});
        for (row, partials, expected) in [
            (json!([lone]), vec![json!([one, two]), json!([three, two])], json!([lone, two, three])),
            (json!([]), vec![json!(one), json!(two)], json!([one, two])),
            (Value::Null, vec![json!([one]), json!([two])], json!([one, two])),
            (Value::Null, vec![Value::Null, json!(one), json!(two)], json!(one)),
            (json!(one), vec![json!(two), json!([two]), Value::Null], json!(one)),
            (json!([one]), vec![Value::Null], json!([one])),
        ] {
            let partials: Vec<Value> = partials.into_iter().map(related).collect();
            assert_eq!(merged(&related(row), &partials), related(expected));
        }
        assert_eq!(merged(&study(json!({})), &[related(json!([one]))]), related(json!([one])));
    }

    #[test]
    fn missing_links_and_meta_are_added() {
        let related = |relationship: Value| study(json!({"relationships": {"publications": relationship}}));
        let row = related(json!({"links": {"related": "https://a"}}));
        let partial = related(json!({"links": {"related": "https://b"}, "meta": {"count": 1}}));
        let expected = related(json!({"links": {"related": "https://a"}, "meta": {"count": 1}}));
        assert_eq!(merged(&row, &[partial]), expected);
    }

    #[test]
    fn members_of_links_are_not_shown() {
        let related = |relationship: Value| study(json!({"relationships": {"publications": relationship}}));
        let row = related(json!({"links": {"related": "https://a"}}));
        let partial = related(json!({"data": [{"type": "publications", "id": "1"}]}));
        assert_eq!(merged(&row, std::slice::from_ref(&partial)), row);
        let parse = |value: &Value| Resource::parse(&value.to_string()).expect("good");
        let linked = merge(&mut parse(&row), parse(&partial));
        assert_eq!(linked, [("publications".to_owned(), "publications".to_owned(), "1".to_owned())]);
        assert!(merge(&mut parse(&study(json!({}))), parse(&partial)).is_empty());
    }

    #[test]
    fn a_partial_resource_has_something_to_merge() {
        let identifier = Identifier::default();
        let examine = |text: &str| checked_partial(&identifier, text);
        for text in [
            r#"{"type": "studies", "id": "1"}"#,
            r#"{"type": "studies", "id": "1", "attributes": {}, "relationships": {}, "links": {"self": "https://a"}}"#,
        ] {
            assert_eq!(examine(text).expect_err(text).reason, Reason::NothingToMerge);
        }
        assert_eq!(examine(r#"{"type": "studies"}"#).expect_err("no id").reason, Reason::BadId);
        let (identity, _) = examine(r#"{"type": "studies", "id": 1, "attributes": {"a": 1}}"#).expect("good");
        assert_eq!(identity, identifier.identify("studies", "1", None));
    }

    #[test]
    fn memory_of_partial_resources_is_bounded() {
        let identity = Identifier::default().identify("studies", "1", None);
        let mut partials = Partials::new(ENTRY_BYTES + 2);
        partials.add(identity, "12".into(), false).expect("there is room");
        let error = partials.add(identity, "".into(), false).expect_err("one too many").to_string();
        assert!(error.contains("--links") && error.contains("--memory"), "{error}");
        assert_eq!(partials.num_merged_and_others(|_| false), (0, 1));
    }
}
