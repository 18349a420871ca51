//! Resources in JSON, and the resources that their relationships name.

use std::collections::BTreeSet;
use std::ops::Range;

use api_http::SourceError;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use store_catalogue::{LinkStyle, ResourceBody};

use super::raw_object::RawObject;

/// The type and the id of a resource. The id is the main identifier of all types that have
/// relations.
pub(crate) type ResourceKey = (String, String);

/// A resource in JSON, with the links of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    pub(crate) key: ResourceKey,
    pub(crate) json: Vec<u8>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// `null`, or one resource.
    ToOne(Option<ResourceKey>),
    ToMany(Vec<ResourceKey>),
}

#[derive(Deserialize, Serialize)]
struct Identifier {
    #[serde(rename = "type")]
    resource_type: String,
    id: String,
}

impl Identifier {
    /// Reads an identifier. Any JSON can be loaded, so anything else is skipped.
    fn read(json: &str) -> Option<ResourceKey> {
        let Self { resource_type, id } = serde_json::from_str(json).ok()?;
        Some((resource_type, id))
    }
}

impl Resource {
    pub(crate) fn render(body: &ResourceBody, links: &LinkStyle) -> Result<Self, SourceError> {
        let key = body.key().ok_or_else(|| SourceError::Fault("a stored resource has no type or no id".into()))?;
        let mut json = Vec::with_capacity(body.rendered_len(links));
        body.render(links, &mut json);
        Ok(Self { key, json })
    }

    pub(crate) fn resource_type(&self) -> &str {
        &self.key.0
    }

    pub(crate) fn id(&self) -> &str {
        &self.key.1
    }

    pub(crate) fn members(&self) -> Result<RawObject<'_>, serde_json::Error> {
        RawObject::parse(&self.json)
    }

    /// Returns the linkage of a relationship, or `None` if the resource has no such relationship.
    pub(crate) fn linkage(&self, relation: &str) -> Result<Option<Linkage>, serde_json::Error> {
        let members = self.members()?;
        let relationships = members.object("relationships");
        Ok(relationships.get(relation).map(|_| Linkage::of(&relationships.object(relation))))
    }

    /// Returns the ids of the resources of a type in a relationship, in their order. If the
    /// resource has no relationship with this name, those in all relationships are returned.
    pub(crate) fn named(&self, relation: &str, resource_type: &str) -> Result<Vec<String>, serde_json::Error> {
        let members = self.members()?;
        let mut relationships = members.object("relationships");
        if relationships.get(relation).is_some() {
            relationships.retain(|name| name == relation);
        }
        let named = relationships.names().flat_map(|relation| Linkage::of(&relationships.object(relation)).into_keys());
        Ok(named.filter(|(named_type, _)| named_type == resource_type).map(|(_, id)| id).collect())
    }

    /// Adds resources to a relationship.
    pub(crate) fn add_linkage(&mut self, relation: &str, keys: &[ResourceKey]) -> Result<(), serde_json::Error> {
        let members = self.members()?;
        let (relationships, mut items) = (members.object("relationships"), Vec::new());
        let relationship = relationships.object(relation);
        if let Some(data) = relationship.get("data") {
            items = serde_json::from_str::<Option<Vec<&RawValue>>>(data.get())?.unwrap_or_default();
        }
        let given: BTreeSet<_> = items.iter().filter_map(|item| Identifier::read(item.get())).collect();
        let added = keys.iter().filter(|key| !given.contains(*key));
        let added = added.map(|(resource_type, id)| {
            to_raw_value(&Identifier { resource_type: resource_type.clone(), id: id.clone() })
        });
        let added = added.collect::<Result<Vec<_>, _>>()?;
        items.extend(added.iter().map(Box::as_ref));
        let mut changed = relationship.clone();
        changed.set("data", &items)?;
        let changed = serde_json::to_vec(&changed)?;
        let Splice { range, prefix, suffix } = Splice::of_relationship(&self.json, relation)?;
        self.json.splice(range, [prefix.as_bytes(), &changed, suffix.as_bytes()].concat());
        Ok(())
    }

    pub(crate) fn add_attribute(&mut self, name: &str, value: &impl Serialize) -> Result<(), serde_json::Error> {
        let members = self.members()?;
        let (mut changed, mut attributes) = (members.clone(), members.object("attributes"));
        attributes.set(name, value)?;
        changed.set("attributes", &attributes)?;
        self.json = serde_json::to_vec(&changed)?;
        Ok(())
    }

    pub(crate) fn reduce(&mut self, attributes: &[&str], relationships: &[&str]) -> Result<(), serde_json::Error> {
        let members = self.members()?;
        let mut reduced = members.clone();
        for (group, wanted) in [("attributes", attributes), ("relationships", relationships)] {
            let mut kept = members.object(group);
            kept.retain(|name| wanted.contains(&name));
            reduced.set(group, &kept)?;
        }
        self.json = serde_json::to_vec(&reduced)?;
        Ok(())
    }
}

/// The place of a relationship in the JSON of a resource: that of the old one, or the end.
pub(crate) struct Splice {
    /// The bytes that are replaced.
    pub(crate) range: Range<usize>,
    pub(crate) prefix: String,
    pub(crate) suffix: &'static str,
}

impl Splice {
    pub(crate) fn of_relationship(resource: &[u8], relation: &str) -> Result<Self, serde_json::Error> {
        let members = RawObject::parse(resource)?;
        let Some(all) = members.get("relationships") else {
            let (end, comma) = (resource.len() - 1, if members.is_empty() { "" } else { "," });
            return Ok(Self {
                range: end..end,
                prefix: format!(r#"{comma}"relationships":{{"{relation}":"#),
                suffix: "}",
            });
        };
        let range_of = |value: &RawValue| {
            let start = value.get().as_ptr().addr() - resource.as_ptr().addr();
            start..start + value.get().len()
        };
        let (relationships, Range { start, end }) = (members.object("relationships"), range_of(all));
        Ok(match relationships.get(relation) {
            Some(old) => Self { range: range_of(old), prefix: String::new(), suffix: "" },
            // Not an object, or one without members.
            None if relationships.is_empty() => {
                Self { range: start..end, prefix: format!(r#"{{"{relation}":"#), suffix: "}" }
            }
            None => Self { range: end - 1..end - 1, prefix: format!(r#","{relation}":"#), suffix: "" },
        })
    }
}

impl Linkage {
    fn of(relationship: &RawObject<'_>) -> Self {
        let data = relationship.get("data").map_or("null", RawValue::get);
        match serde_json::from_str::<Vec<&RawValue>>(data) {
            Ok(items) => Self::ToMany(items.iter().filter_map(|item| Identifier::read(item.get())).collect()),
            Err(_) => Self::ToOne(Identifier::read(data)),
        }
    }

    pub(crate) fn into_keys(self) -> Vec<ResourceKey> {
        match self {
            Self::ToOne(key) => key.into_iter().collect(),
            Self::ToMany(keys) => keys,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(json: &str) -> Resource {
        Resource { key: ("studies".to_owned(), "MGYS1".to_owned()), json: json.as_bytes().to_vec() }
    }

    fn keys(keys: &[(&str, &str)]) -> Vec<ResourceKey> {
        keys.iter().map(|(resource_type, id)| ((*resource_type).to_owned(), (*id).to_owned())).collect()
    }

    fn completed(json: &str, relation: &str, members: &[(&str, &str)]) -> String {
        let mut resource = resource(json);
        resource.add_linkage(relation, &keys(members)).unwrap();
        String::from_utf8(resource.json).unwrap()
    }

    #[test]
    fn linkage_names_one_resource_or_a_list() {
        let sample = resource(
            r#"{"type":"samples","id":"ERS1","attributes":{"relationships":1},"relationships":{
            "biome":{"data":{"type":"biomes","id":"root"}},"runs":{"links":{"related":"/samples/ERS1/runs"}},"none":{"data":null},
            "studies":{"data":[{"type":"studies","id":"MGYS2","links":{"self":"/studies/MGYS2"}},{"type":"studies","id":"MGYS1"}]}}}"#,
        );
        assert_eq!(sample.named("biomes", "biomes").unwrap(), ["root"], "the relationship is missing");
        assert_eq!(sample.named("studies", "studies").unwrap(), ["MGYS2", "MGYS1"]);
        assert!(sample.named("runs", "studies").unwrap().is_empty());
        let of = |relation| sample.linkage(relation).unwrap();
        assert_eq!(of("biome"), Some(Linkage::ToOne(keys(&[("biomes", "root")]).pop())));
        assert_eq!(of("studies"), Some(Linkage::ToMany(keys(&[("studies", "MGYS2"), ("studies", "MGYS1")]))));
        assert_eq!([of("none"), of("x")], [Some(Linkage::ToOne(None)), None]);
        assert!(resource(r#"{"type":"cog-cats","id":"1"}"#).named("biome", "biomes").unwrap().is_empty());
    }

    #[test]
    fn resources_are_named_in_a_relationship() {
        let study = r#"{"type":"studies","relationships":{"samples":{"links":{"related":"/s"}},"x":{}},"links":{}}"#;
        let expected = r#"{"type":"studies","relationships":{"samples":{"links":{"related":"/s"},"data":[{"type":"samples","id":"ERS2"},{"type":"samples","id":"ERS1"}]},"x":{}},"links":{}}"#;
        assert_eq!(completed(study, "samples", &[("samples", "ERS2"), ("samples", "ERS1")]), expected);
        let expected =
            r#"{"type":"studies","relationships":{"samples":{"links":{"related":"/s"},"data":[]},"x":{}},"links":{}}"#;
        assert_eq!(completed(study, "samples", &[]), expected);
    }

    #[test]
    fn existing_linkage_stays() {
        let given = r#"{"relationships":{"runs":{"data":[{"type":"runs","id":"R1","links":{"self":"/runs/R1"}}]}}}"#;
        assert_eq!(completed(given, "runs", &[("runs", "R1")]), given);
        let expected = r#"{"relationships":{"runs":{"data":[{"type":"runs","id":"R1","links":{"self":"/runs/R1"}},{"type":"runs","id":"R2"}]}}}"#;
        assert_eq!(completed(given, "runs", &[("runs", "R2"), ("runs", "R1")]), expected);
    }

    #[test]
    fn a_missing_relationship_is_added() {
        assert_eq!(completed("{}", "studies", &[]), r#"{"relationships":{"studies":{"data":[]}}}"#);
        let null = r#"{"relationships":{"studies":{"data":null}}}"#;
        assert_eq!(completed(null, "studies", &[]), r#"{"relationships":{"studies":{"data":[]}}}"#);
    }

    #[test]
    fn reduced_biomes_are_those_of_the_real_service() {
        let mut biome = resource(
            r#"{"type":"biomes","id":"root:Engineered","attributes":{"samples-count":0,"biome-name":"Engineered","lineage":"root:Engineered"},"relationships":{"samples":{"links":{"related":"/b/samples"}},"children":{"links":{"related":"/b/children"}}},"links":{"self":"/b"}}"#,
        );
        biome.reduce(&["biome-name", "lineage"], &["children"]).unwrap();
        let expected = r#"{"type":"biomes","id":"root:Engineered","attributes":{"biome-name":"Engineered","lineage":"root:Engineered"},"relationships":{"children":{"links":{"related":"/b/children"}}},"links":{"self":"/b"}}"#;
        assert_eq!(String::from_utf8(biome.json).unwrap(), expected);
    }
}
