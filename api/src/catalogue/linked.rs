//! Resources that hang together: a resource names another in its relationships, or was found in a related collection of it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use store::model::ResourceType;
use store::{CatalogueContents, Condition, LinkStyle, Selection};

use super::document;
use super::raw_object::RawObject;
use super::source::CatalogueSnapshot;
use crate::SourceError;

/// What is read of a resource to find what hangs on it.
#[derive(Debug, Deserialize)]
pub(super) struct LinkedResource<'a> {
    /// The type.
    #[serde(rename = "type")]
    pub(super) resource_type: String,
    /// The id, which is the main identifier of all types that have relations.
    pub(super) id: String,
    /// The attributes, unread.
    #[serde(borrow, default)]
    attributes: Option<&'a RawValue>,
    /// The relationships by name.
    #[serde(borrow, default)]
    relationships: BTreeMap<String, Relationship<'a>>,
}

/// A relationship.
#[derive(Debug, Deserialize)]
struct Relationship<'a> {
    /// Its members, one or a list, if they are given.
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// The members of a relationship.
#[derive(Deserialize)]
#[serde(untagged)]
enum Members {
    /// One.
    One(Member),
    /// Any number.
    Many(Vec<Member>),
}

/// A member of a relationship.
#[derive(Deserialize)]
struct Member {
    /// The type.
    #[serde(rename = "type")]
    resource_type: String,
    /// The id.
    id: String,
}

impl<'a> LinkedResource<'a> {
    /// Reads a rendered resource.
    ///
    /// # Errors
    ///
    /// * It is no resource object.
    pub(super) fn parse(rendered: &'a [u8]) -> Result<Self, SourceError> {
        serde_json::from_slice(rendered).map_err(|error| SourceError::from(Box::from(error)))
    }

    /// Returns the ids of the resources of a type that its own relationships name, in their order.
    pub(super) fn named(&self, resource_type: &str) -> Vec<String> {
        let given = self.relationships.values().filter_map(|relationship| relationship.data);
        let members =
            given.filter_map(|data| serde_json::from_str(data.get()).ok()).flat_map(|members| match members {
                Members::One(member) => vec![member],
                Members::Many(members) => members,
            });
        members.filter(|member| member.resource_type == resource_type).map(|member| member.id).collect()
    }

    /// Returns the type and the id of the member of a relationship that has one member only, rather than a list.
    pub(super) fn only_member(&self, relation_name: &str) -> Option<(String, String)> {
        let data = self.relationships.get(relation_name)?.data?;
        match serde_json::from_str(data.get()).ok()? {
            Members::One(member) => Some((member.resource_type, member.id)),
            Members::Many(_) => None,
        }
    }

    /// Returns all identifiers by which others may name the resource, each once, its id first.
    fn identifiers(&self) -> Vec<String> {
        let attributes = self.attributes.and_then(|attributes| RawObject::parse(attributes.get().as_bytes()).ok());
        let attributes = attributes.unwrap_or_default();
        let text = |name: &str| serde_json::from_str(attributes.get(name)?.get()).ok();
        ResourceType::rules_of(&self.resource_type).identifiers_of(&self.id, text)
    }

    /// Returns what the resources of a type satisfy that hang on this one: they name it by any of its identifiers, it names them, or they
    /// were found in the related collection of that name, under any of its identifiers.
    pub(super) fn condition(&self, member_type: &str, relation_name: &str) -> Condition {
        let identifiers = self.identifiers();
        let naming = identifiers.iter().flat_map(|id| naming(&self.resource_type, id, relation_name));
        let mut alternatives: Vec<Condition> = naming.collect();
        let named = self.named(member_type);
        if !named.is_empty() {
            alternatives.push(Condition::Identified(named));
        }
        Condition::AnyOf(alternatives)
    }
}

/// Returns what resources satisfy that hang on one that was never loaded: they may name it all the same.
pub(super) fn condition_of_unknown(resource_type: &str, identifier: &str, relation_name: &str) -> Condition {
    Condition::AnyOf(naming(resource_type, identifier, relation_name))
}

/// Returns what tells of themselves that resources hang on another.
fn naming(resource_type: &str, id: &str, relation_name: &str) -> Vec<Condition> {
    vec![
        Condition::Names(resource_type.to_owned(), id.to_owned()),
        Condition::FoundIn(resource_type.to_owned(), id.to_owned(), relation_name.to_owned()),
    ]
}

/// Returns the selection, in default order, of the members of a related collection: those of the first of the types that any
/// resource was loaded of. `None` where there is none of any, so that the collection is empty.
pub(super) fn selection(
    contents: &CatalogueContents,
    parent: &LinkedResource<'_>,
    relation_name: &str,
    member_types: &[&str],
) -> Option<Selection> {
    let member_type = member_types.iter().find(|name| contents.types.contains_key(**name))?;
    Some(Selection {
        resource_type: (*member_type).to_owned(),
        conditions: vec![parent.condition(member_type, relation_name)],
        orders: Vec::new(),
    })
}

/// Reads the resource of a type with an identifier of any kind. Links to this server are paths.
///
/// # Errors
///
/// * The engine failed.
pub(super) async fn read(
    snapshot: &dyn CatalogueSnapshot,
    resource_type: &str,
    identifier: &str,
) -> Result<Option<Vec<u8>>, SourceError> {
    let Some(ordinal) = snapshot.find(resource_type, identifier).await? else { return Ok(None) };
    let bodies = snapshot.resources(vec![ordinal]).await?;
    Ok(bodies.first().map(|body| document::rendered(body, LinkStyle::PLAIN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &[u8] = br#"{"type":"samples","id":"ERS1","attributes":{"relationships":1},"relationships":{
        "biome":{"data":{"type":"biomes","id":"root"}},"runs":{"links":{"related":"/samples/ERS1/runs"}},"none":{"data":null},
        "studies":{"data":[{"type":"studies","id":"MGYS2","links":{"self":"/studies/MGYS2"}},{"type":"studies","id":"MGYS1"}]}}}"#;

    #[test]
    fn members_are_read_whether_one_or_many() {
        let sample = LinkedResource::parse(SAMPLE).unwrap();
        assert_eq!((sample.resource_type.as_str(), sample.id.as_str()), ("samples", "ERS1"));
        assert_eq!(sample.named("biomes"), ["root"]);
        assert_eq!(sample.named("studies"), ["MGYS2", "MGYS1"]);
        assert!(sample.named("runs").is_empty());
        assert_eq!(sample.only_member("biome"), Some(("biomes".to_owned(), "root".to_owned())));
        assert_eq!(
            [sample.only_member("studies"), sample.only_member("none"), sample.only_member("x")],
            [None, None, None]
        );
        assert!(LinkedResource::parse(br#"{"type":"cog-cats","id":"1"}"#).unwrap().named("biomes").is_empty());
    }

    #[test]
    fn a_relation_is_looked_at_from_both_sides() {
        let sample = LinkedResource::parse(SAMPLE).unwrap();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let (samples, ers1) = pair("samples", "ERS1");
        let naming = [
            Condition::Names(samples.clone(), ers1.clone()),
            Condition::FoundIn(samples, ers1, "studies".to_owned()),
            Condition::Identified(vec!["MGYS2".to_owned(), "MGYS1".to_owned()]),
        ];
        assert_eq!(sample.condition("studies", "studies"), Condition::AnyOf(naming.to_vec()));
        assert_eq!(condition_of_unknown("samples", "ERS1", "studies"), Condition::AnyOf(naming[..2].to_vec()));
    }

    #[test]
    fn a_resource_has_the_identifiers_of_its_attributes() {
        for (resource, expected) in [
            (
                r#"{"type":"studies","id":"MGYS00000257","attributes":{"accession":"MGYS00000257","bioproject":"PRJEB1","secondary-accession":"ERP1"}}"#,
                &["MGYS00000257", "257", "ERP1", "PRJEB1"][..],
            ),
            (r#"{"type":"studies","id":"MGYS00000100","attributes":{"bioproject":null}}"#, &["MGYS00000100", "100"]),
            (r#"{"type":"studies","id":"MGYS0"}"#, &["MGYS0", "0"]),
            (r#"{"type":"studies","id":"MGYS","attributes":1}"#, &["MGYS"]),
            (r#"{"type":"samples","id":"ERS1","attributes":{"biosample":"","accession":5}}"#, &["ERS1"]),
            (r#"{"type":"samples","id":"ERS1","attributes":{"biosample":"SAMEA1"}}"#, &["ERS1", "SAMEA1"]),
            (
                r#"{"type":"assemblies","id":"ERZ1","attributes":{"wgs-accession":"A","legacy-accession":"B"}}"#,
                &["ERZ1", "A", "B"],
            ),
        ] {
            assert_eq!(LinkedResource::parse(resource.as_bytes()).unwrap().identifiers(), expected, "{resource}");
        }
        let study = br#"{"type":"studies","id":"MGYS1","attributes":{"bioproject":"PRJEB1"}}"#;
        let Condition::AnyOf(alternatives) = LinkedResource::parse(study).unwrap().condition("samples", "samples")
        else {
            panic!("one condition")
        };
        let found_in = Condition::FoundIn("studies".to_owned(), "PRJEB1".to_owned(), "samples".to_owned());
        assert!(alternatives.contains(&Condition::Names("studies".to_owned(), "1".to_owned())));
        assert!(alternatives.contains(&found_in));
    }
}
