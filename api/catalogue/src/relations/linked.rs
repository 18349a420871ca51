//! Related resources: one names the other in its relationships, or was found in a related
//! collection of it.

use store_catalogue::Condition;
use store_catalogue::model::ResourceType;

use crate::render::resource::Resource;
use crate::snapshot::Snapshot;

/// Returns the condition for the resources of a type that are related to `resource`: they name it
/// by any of its identifiers, it names them, or they were found in its related collection
/// `relation`, under any of its identifiers.
pub(crate) fn condition(
    resource: &Resource,
    member_type: &str,
    relation: &str,
) -> Result<Condition, serde_json::Error> {
    let identifiers = identifiers(resource)?;
    let mut alternatives: Vec<_> =
        identifiers.iter().flat_map(|id| naming(resource.resource_type(), id, relation)).collect();
    let named = resource.named(relation, member_type)?;
    if !named.is_empty() {
        alternatives.push(Condition::Identified(named));
    }
    Ok(Condition::AnyOf(alternatives))
}

/// Returns the condition for the resources that are related to a resource that was never loaded.
/// They may still name it.
pub(crate) fn condition_of_missing(resource_type: &str, identifier: &str, relation: &str) -> Condition {
    Condition::AnyOf(naming(resource_type, identifier, relation).to_vec())
}

fn naming(resource_type: &str, id: &str, relation: &str) -> [Condition; 2] {
    [
        Condition::Names(resource_type.to_owned(), id.to_owned()),
        Condition::FoundIn(resource_type.to_owned(), id.to_owned(), relation.to_owned()),
    ]
}

/// Returns all identifiers by which others may name a resource, without repetitions; its id is the
/// first.
fn identifiers(resource: &Resource) -> Result<Vec<String>, serde_json::Error> {
    let members = resource.members()?;
    let attributes = members.object("attributes");
    let text = |name: &str| serde_json::from_str(attributes.get(name)?.get()).ok();
    Ok(ResourceType::rules_of(resource.resource_type()).identifiers_of(resource.id(), text))
}

pub(crate) fn loaded_type<'a>(snapshot: &Snapshot, member_types: &[&'a str]) -> Option<&'a str> {
    member_types.iter().copied().find(|name| snapshot.contents().types.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(resource_type: &str, id: &str, json: &str) -> Resource {
        Resource { key: (resource_type.to_owned(), id.to_owned()), json: json.as_bytes().to_vec() }
    }

    #[test]
    fn relations_match_in_both_directions() {
        let sample = resource(
            "samples",
            "ERS1",
            r#"{"relationships":{"studies":{"data":[{"type":"studies","id":"MGYS2"},{"type":"studies","id":"MGYS1"}]}}}"#,
        );
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let (samples, ers1) = pair("samples", "ERS1");
        let naming = [
            Condition::Names(samples.clone(), ers1.clone()),
            Condition::FoundIn(samples, ers1, "studies".to_owned()),
            Condition::Identified(vec!["MGYS2".to_owned(), "MGYS1".to_owned()]),
        ];
        assert_eq!(condition(&sample, "studies", "studies").unwrap(), Condition::AnyOf(naming.to_vec()));
        assert_eq!(condition_of_missing("samples", "ERS1", "studies"), Condition::AnyOf(naming[..2].to_vec()));
    }

    #[test]
    fn resources_match_by_any_of_their_identifiers() {
        let attributes = r#"{"attributes":{"bioproject":"PRJEB1","secondary-accession":5}}"#;
        let study = resource("studies", "MGYS1", attributes);
        assert_eq!(identifiers(&study).unwrap(), ["MGYS1", "1", "PRJEB1"]);
        let Condition::AnyOf(alternatives) = condition(&study, "samples", "samples").unwrap() else {
            panic!("one condition")
        };
        let found_in = Condition::FoundIn("studies".to_owned(), "PRJEB1".to_owned(), "samples".to_owned());
        assert!(alternatives.contains(&Condition::Names("studies".to_owned(), "1".to_owned())));
        assert!(alternatives.contains(&found_in));
    }
}
