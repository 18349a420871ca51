//! Relationships of rendered resources: naming their members, leaving away what an included resource does not show.

use std::collections::BTreeSet;

use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::super::raw_object::RawObject;
use super::pool::MemberKey;
use crate::SourceError;

/// The attributes of a biome that is not included in full.
const BIOME_ATTRIBUTES: [&str; 2] = ["biome-name", "lineage"];

/// Its relationships.
const BIOME_RELATIONSHIPS: [&str; 1] = ["children"];

/// Names members in a relationship of a rendered resource, behind those that it names already.
pub(super) fn complete(rendered: &[u8], name: &str, members: &[MemberKey]) -> Result<Vec<u8>, SourceError> {
    completed(rendered, name, members).map_err(fault)
}

/// Leaves away all but what a biome shows that is not included in full.
pub(super) fn reduce_biome(rendered: &[u8]) -> Result<Vec<u8>, SourceError> {
    let reduce = || {
        let mut biome = RawObject::parse(rendered)?;
        let (mut attributes, mut relationships) = (biome.object("attributes"), biome.object("relationships"));
        attributes.retain(|name| BIOME_ATTRIBUTES.contains(&name));
        relationships.retain(|name| BIOME_RELATIONSHIPS.contains(&name));
        let (attributes, relationships) = (attributes.to_value()?, relationships.to_value()?);
        biome.set("attributes", &attributes);
        biome.set("relationships", &relationships);
        serde_json::to_vec(&biome)
    };
    reduce().map_err(fault)
}

/// See [`complete`].
fn completed(rendered: &[u8], name: &str, members: &[MemberKey]) -> Result<Vec<u8>, serde_json::Error> {
    let mut resource = RawObject::parse(rendered)?;
    let mut relationships = resource.object("relationships");
    let mut relationship = relationships.object(name);
    let mut items: Vec<&RawValue> = match relationship.get("data") {
        Some(data) => serde_json::from_str::<Option<_>>(data.get())?.unwrap_or_default(),
        None => Vec::new(),
    };
    let given = items.iter().map(|item| key(item)).collect::<Result<BTreeSet<_>, _>>()?;
    let added = members.iter().filter(|member| !given.contains(*member));
    let added = added.map(|(member_type, id)| to_raw_value(&json!({"type": member_type, "id": id})));
    let added = added.collect::<Result<Vec<_>, _>>()?;
    items.extend(added.iter().map(Box::as_ref));
    let data = to_raw_value(&items)?;
    relationship.set("data", &data);
    let relationship = relationship.to_value()?;
    relationships.set(name, &relationship);
    let relationships = relationships.to_value()?;
    resource.set("relationships", &relationships);
    serde_json::to_vec(&resource)
}

/// Reads the type and the id of a member.
fn key(item: &RawValue) -> Result<MemberKey, serde_json::Error> {
    let member = RawObject::parse(item.get().as_bytes())?;
    let text = |name| member.get(name).map_or_else(|| Ok(String::new()), |text| serde_json::from_str(text.get()));
    Ok((text("type")?, text("id")?))
}

/// Stored text that cannot be read is a fault of the engine.
fn fault(error: serde_json::Error) -> SourceError {
    SourceError::from(Box::from(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(keys: &[(&str, &str)]) -> Vec<MemberKey> {
        keys.iter().map(|(member_type, id)| ((*member_type).to_owned(), (*id).to_owned())).collect()
    }

    fn completed(rendered: &str, name: &str, members: &[(&str, &str)]) -> String {
        String::from_utf8(complete(rendered.as_bytes(), name, &keys(members)).unwrap()).unwrap()
    }

    #[test]
    fn members_are_named_in_the_relationship() {
        let study = r#"{"type":"studies","relationships":{"samples":{"links":{"related":"/s"}},"x":{}},"links":{}}"#;
        let expected = r#"{"type":"studies","relationships":{"samples":{"links":{"related":"/s"},"data":[{"type":"samples","id":"ERS2"},{"type":"samples","id":"ERS1"}]},"x":{}},"links":{}}"#;
        assert_eq!(completed(study, "samples", &[("samples", "ERS2"), ("samples", "ERS1")]), expected);
        let expected =
            r#"{"type":"studies","relationships":{"samples":{"links":{"related":"/s"},"data":[]},"x":{}},"links":{}}"#;
        assert_eq!(completed(study, "samples", &[]), expected);
    }

    #[test]
    fn what_is_named_already_stays() {
        let given = r#"{"relationships":{"runs":{"data":[{"type":"runs","id":"R1","links":{"self":"/runs/R1"}}]}}}"#;
        assert_eq!(completed(given, "runs", &[("runs", "R1")]), given);
        let expected = r#"{"relationships":{"runs":{"data":[{"type":"runs","id":"R1","links":{"self":"/runs/R1"}},{"type":"runs","id":"R2"}]}}}"#;
        assert_eq!(completed(given, "runs", &[("runs", "R2"), ("runs", "R1")]), expected);
    }

    #[test]
    fn a_relationship_that_is_not_there_is_made() {
        assert_eq!(completed("{}", "studies", &[]), r#"{"relationships":{"studies":{"data":[]}}}"#);
        let null = r#"{"relationships":{"studies":{"data":null}}}"#;
        assert_eq!(completed(null, "studies", &[]), r#"{"relationships":{"studies":{"data":[]}}}"#);
    }

    #[test]
    fn a_reduced_biome_is_that_of_the_real_service() {
        let biome = r#"{"type":"biomes","id":"root:Engineered","attributes":{"samples-count":0,"biome-name":"Engineered","lineage":"root:Engineered"},"relationships":{"samples":{"links":{"related":"/b/samples"}},"children":{"links":{"related":"/b/children"}}},"links":{"self":"/b"}}"#;
        let expected = r#"{"type":"biomes","id":"root:Engineered","attributes":{"biome-name":"Engineered","lineage":"root:Engineered"},"relationships":{"children":{"links":{"related":"/b/children"}}},"links":{"self":"/b"}}"#;
        assert_eq!(String::from_utf8(reduce_biome(biome.as_bytes()).unwrap()).unwrap(), expected);
    }
}
