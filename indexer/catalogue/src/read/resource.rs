//! A resource object, parsed and checked.

use indexer::run::{Reason, Rejection};
use serde_json::{Value, json};
use store_catalogue::model::{PIPELINE_TOOLS, ResourceType, VERSION};
use store_catalogue::{DOCUMENT_MEMBER, ORIGIN_MEMBER, ResourceOrigin};

use super::checks::{Members, check_links, checked_relationships, name_of, object_of, unreadable};
use super::identity::{Identifier, Identity};

const IS_PRIVATE: &str = "is-private";

/// A related collection in which a resource was found: type and id of the parent, and the name of
/// the relation.
pub(crate) type Relation = (String, String, String);

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Resource {
    pub(crate) kind: String,
    pub(crate) id: String,
    pub(crate) attributes: Option<Members>,
    pub(crate) relationships: Option<Members>,
    pub(crate) links: Option<Members>,
    pub(crate) others: Members,
    /// The additional data of an export. They are not part of the resource.
    pub(crate) origin: ResourceOrigin,
    /// The document of version 2, if there is one. It is not part of the resource either.
    pub(crate) document: Option<Members>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    pub(crate) relation: &'a str,
    pub(crate) resource_type: &'a str,
    pub(crate) id: &'a str,
}

impl Resource {
    pub(crate) fn parse(text: &str) -> Result<Self, Rejection> {
        let value = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        let Value::Object(members) = value else {
            return Err(Rejection::new(Reason::NotAResource, "it is not an object"));
        };
        if !members.contains_key("type") && !members.contains_key("id") {
            return Err(Rejection::new(Reason::NotAResource, "it has neither type nor id"));
        }
        let mut resource = Self::default();
        for (name, value) in members {
            match name.as_str() {
                "type" => resource.kind = name_of(value, Reason::BadType)?,
                "id" => resource.id = name_of(value, Reason::BadId)?,
                "attributes" => resource.attributes = Some(object_of(value, Reason::BadAttributes)?),
                "relationships" => resource.relationships = Some(checked_relationships(value)?),
                "links" => {
                    check_links(&value)?;
                    resource.links = Some(object_of(value, Reason::BadLinks)?);
                }
                DOCUMENT_MEMBER => resource.document = Some(object_of(value, Reason::BadDocument)?),
                ORIGIN_MEMBER => {
                    let bad = |error: serde_json::Error| Rejection::new(Reason::BadOrigin, error.to_string());
                    resource.origin = serde_json::from_value::<ResourceOrigin>(value).map_err(bad)?.of_any_load();
                }
                _ => {
                    resource.others.insert(name, value);
                }
            }
        }
        for (name, reason) in [(&resource.kind, Reason::BadType), (&resource.id, Reason::BadId)] {
            if name.is_empty() {
                return Err(Rejection::new(reason, "it is missing"));
            }
        }
        Ok(resource)
    }

    /// Returns an attribute that exists and is not null.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.as_ref()?.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.as_str()
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.attribute(name)?.as_f64().filter(|number| number.is_finite())
    }

    pub(crate) fn is_private(&self) -> bool {
        self.attribute(IS_PRIVATE) == Some(&Value::Bool(true))
    }

    /// Returns the version if it is part of the identity: only for tools, since all versions of a
    /// tool have one id.
    pub(crate) fn version(&self) -> Option<&str> {
        if self.kind == PIPELINE_TOOLS { self.text(VERSION) } else { None }
    }

    pub(crate) fn identity(&self, identifier: &Identifier) -> Identity {
        identifier.identify(&self.kind, &self.id, self.version())
    }

    /// Returns all identifiers, the main one first.
    pub(crate) fn identifiers(&self) -> Vec<String> {
        let attribute = |name: &str| self.text(name).map(str::to_owned);
        ResourceType::rules_of(&self.kind).identifiers_of(&self.id, attribute)
    }

    pub(crate) fn references(&self) -> impl Iterator<Item = Reference<'_>> {
        self.relationships.iter().flatten().flat_map(|(relation, relationship)| {
            let entries = match relationship.get("data") {
                Some(Value::Array(entries)) => entries.as_slice(),
                Some(entry @ Value::Object(_)) => std::slice::from_ref(entry),
                _ => &[],
            };
            entries.iter().filter_map(move |entry| {
                let (resource_type, id) = reference_of(entry)?;
                Some(Reference { relation, resource_type, id })
            })
        })
    }

    pub(crate) fn remove_references(&mut self, is_unwanted: impl Fn(&str, &str) -> bool) {
        let is_wanted =
            |entry: &Value| reference_of(entry).is_none_or(|(resource_type, id)| !is_unwanted(resource_type, id));
        for (_, relationship) in self.relationships.iter_mut().flatten() {
            match relationship.get_mut("data") {
                Some(Value::Array(entries)) => entries.retain(is_wanted),
                Some(entry) if !is_wanted(entry) => *entry = Value::Null,
                _ => {}
            }
        }
    }

    /// Returns the JSON of the resource with its origin and its document, to be read again.
    pub(crate) fn into_text(mut self) -> String {
        if let Some(document) = self.document.take() {
            self.others.insert(DOCUMENT_MEMBER.to_owned(), document.into());
        }
        if self.origin != ResourceOrigin::default() {
            self.others.insert(ORIGIN_MEMBER.to_owned(), json!(self.origin));
        }
        self.into_value().to_string()
    }

    pub(crate) fn into_value(self) -> Value {
        let mut members = Members::new();
        members.insert("type".to_owned(), self.kind.into());
        members.insert("id".to_owned(), self.id.into());
        let parts = [("attributes", self.attributes), ("relationships", self.relationships), ("links", self.links)];
        for (name, part) in parts {
            members.extend(part.map(|part| (name.to_owned(), Value::Object(part))));
        }
        members.extend(self.others);
        Value::Object(members)
    }
}

/// Returns type and id of an entry of a relationship.
pub(crate) fn reference_of(entry: &Value) -> Option<(&str, &str)> {
    Some((entry.get("type")?.as_str()?, entry.get("id")?.as_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(text: &str) -> Reason {
        Resource::parse(text).expect_err(text).reason
    }

    #[test]
    fn every_fault_has_its_reason() {
        for (text, expected) in [
            ("{", Reason::UnreadableJson),
            (r#"{"type": "a", "id": "b"} x"#, Reason::UnreadableJson),
            (r#"{"type": "a", "id": "\ud800"}"#, Reason::UnreadableJson),
            (r#"{"type": "a", "id": "b", "attributes": {"x": 1e999}}"#, Reason::UnreadableJson),
            ("[]", Reason::NotAResource),
            (r#"{"biomes": "http://a"}"#, Reason::NotAResource),
            (r#"{"id": "b"}"#, Reason::BadType),
            (r#"{"type": 7, "id": "b"}"#, Reason::BadType),
            (r#"{"type": "", "id": "b"}"#, Reason::BadType),
            (r#"{"type": "a"}"#, Reason::BadId),
            (r#"{"type": "a", "id": null}"#, Reason::BadId),
            (r#"{"type": "a", "id": 18446744073709551616}"#, Reason::BadId),
            (r#"{"type": "a", "id": 1.0}"#, Reason::BadId),
            (r#"{"type": "a", "id": "b\u0007"}"#, Reason::BadId),
            (r#"{"type": "a", "id": "b", "attributes": null}"#, Reason::BadAttributes),
            (r#"{"type": "a", "id": "b", "relationships": []}"#, Reason::BadRelationships),
            (r#"{"type": "a", "id": "b", "relationships": {"r": 1}}"#, Reason::BadRelationships),
            (r#"{"type": "a", "id": "b", "relationships": {"r": {"data": "x"}}}"#, Reason::BadRelationships),
            (
                r#"{"type": "a", "id": "b", "relationships": {"r": {"data": [{"type": "x"}]}}}"#,
                Reason::BadRelationships,
            ),
            (r#"{"type": "a", "id": "b", "relationships": {"r": {"links": []}}}"#, Reason::BadLinks),
            (r#"{"type": "a", "id": "b", "links": {"self": 5}}"#, Reason::BadLinks),
            (r#"{"type": "a", "id": "b", "@origin": {"found-in": [["x"]]}}"#, Reason::BadOrigin),
            (r#"{"type": "a", "id": "b", "links": "x"}"#, Reason::BadLinks),
        ] {
            assert_eq!(reason(text), expected, "{text}");
        }
    }

    #[test]
    fn json_errors_have_positions_in_the_resource() {
        let detail = |text: &str| Resource::parse(text).expect_err(text).detail;
        assert_eq!(detail(r#"{"type": NaN}"#), "expected value, at its column 10");
        assert_eq!(detail("{\n\"type\": NaN}"), "expected value, at column 9 of its line 2");
    }

    #[test]
    fn resources_keep_the_order_of_their_members() {
        let text = r#"{"meta":1,"links":{"self":null},"id":7,"attributes":{"z":1,"a":12.0},"type":"a","relationships":{"r":{"data":{"type":"x","id":5}}},"aa":2}"#;
        let resource = Resource::parse(text).expect("a resource");
        assert_eq!(
            resource.references().collect::<Vec<_>>(),
            [Reference { relation: "r", resource_type: "x", id: "5" }]
        );
        let expected = r#"{"type":"a","id":"7","attributes":{"z":1,"a":12.0},"relationships":{"r":{"data":{"type":"x","id":"5"}}},"links":{"self":null},"meta":1,"aa":2}"#;
        assert_eq!(resource.into_value().to_string(), expected);
    }

    #[test]
    fn unwanted_references_are_removed() {
        let text = r#"{"type":"a","id":"b","relationships":{"one":{"data":{"type":"x","id":"1"}},"some":{"data":[{"type":"x","id":"1"},{"type":"x","id":"2"}]}}}"#;
        let mut resource = Resource::parse(text).expect("a resource");
        resource.remove_references(|resource_type, id| (resource_type, id) == ("x", "1"));
        assert_eq!(
            resource.into_value()["relationships"].to_string(),
            r#"{"one":{"data":null},"some":{"data":[{"type":"x","id":"2"}]}}"#
        );
    }
}
