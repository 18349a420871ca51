//! A resource with everything that is stored of it.

use std::collections::HashMap;

use indexer::sort::decode;
use indexer::{Error, Result};
use serde_json::{Value, json};
use store_catalogue::{CatalogueEntry, ResourceOrigin, Shape};

use super::body::body;
use super::documents::{document_of, stored_document};
use super::entry::entry;
use super::keys::{FieldKey, field_keys};
use crate::merge::{Deduplication, Entry, FoundBy, NamedVersions, ROOT_BIOME};
use crate::read::{Identifier, Relation, Resource};

/// A key of the sorter, and an [`Entry`].
pub(crate) type Sorted = (Box<[u8]>, Vec<u8>);

pub(crate) struct Prepared {
    /// The key from the sorter; empty for a derived resource.
    pub(crate) key: Box<[u8]>,
    pub(crate) entry: CatalogueEntry,
    /// The resource as JSON, or only its type and id if its other members add nothing to the shape
    /// of its type.
    pub(crate) rendered: Value,
    pub(crate) keys: Vec<FieldKey>,
    pub(crate) versions: NamedVersions,
}

/// Prepares resources, all of which are kept.
pub(crate) fn prepare(
    deduplication: &Deduplication,
    identifier: &Identifier,
    sorted: Vec<Sorted>,
) -> Result<Vec<Prepared>> {
    let mut shapes = HashMap::new();
    let prepare = |(key, entry): Sorted| {
        let prepared = prepare_one(deduplication, identifier, &decode(&entry)?, &mut shapes)?;
        Ok(Prepared { key, ..prepared })
    };
    sorted.into_iter().map(prepare).collect()
}

fn prepare_one(
    deduplication: &Deduplication,
    identifier: &Identifier,
    sorted: &Entry<'_>,
    shapes: &mut HashMap<String, Shape>,
) -> Result<Prepared> {
    let mut resource = Resource::parse(sorted.text).map_err(|_| Error::CorruptSpill)?;
    // Not even the names of private resources are shown.
    let is_private =
        |resource_type: &str, id: &str| deduplication.is_private(identifier.identify(resource_type, id, None));
    resource.remove_references(is_private);
    let relations = deduplication.relations_of(sorted.identity);
    let relations = relations.filter(|((resource_type, id, _), _)| !is_private(resource_type, id));
    let relations: Vec<_> = relations.collect();
    let found_in = relations.iter().map(|(relation, _)| (*relation).clone()).collect();
    let listed_in = relations.iter().filter(|(_, found_by)| *found_by == FoundBy::List);
    let mut listed_in: Vec<Relation> = listed_in.map(|(relation, _)| (*relation).clone()).collect();
    // Exports are the same for any order of the input.
    listed_in.sort_unstable();
    let referenced_only = deduplication.referenced_only_by(sorted.identity);
    let linked: Vec<_> =
        referenced_only.filter(|(_, resource_type, id)| !is_private(resource_type, id)).cloned().collect();
    let named: Vec<_> = linked.iter().map(|(_, resource_type, id)| (resource_type.clone(), id.clone())).collect();
    let origin = ResourceOrigin {
        found_in: listed_in,
        linked,
        is_included: sorted.occurrence.is_included(),
        is_derived: sorted.text == ROOT_BIOME,
    };
    let mut prepared = prepared(resource, &origin, found_in, shapes);
    prepared.entry.named.extend(named);
    Ok(prepared)
}

pub(crate) fn prepared(
    resource: Resource,
    origin: &ResourceOrigin,
    found_in: Vec<Relation>,
    shapes: &mut HashMap<String, Shape>,
) -> Prepared {
    let document = document_of(&resource);
    let mut text = body(&resource).with_origin(origin);
    if let Some((document, is_loaded)) = &document {
        text = text.with_document(stored_document(&resource.kind, document, *is_loaded));
    }
    let document = document.as_ref().map(|(document, _)| &**document);
    let (entry, keys) = (entry(&resource, document, text, found_in), field_keys(&resource, document));
    let versions = NamedVersions::from_resource(&resource);
    let rendered = without_known_members(resource, shapes.entry(entry.resource_type.clone()).or_default());
    Prepared { key: Box::default(), entry, rendered, keys, versions }
}

/// Returns a resource as JSON if it adds something to the shape of the earlier ones, and only its
/// type and id otherwise. The shape of all stays the same, and the one thread that stores has less
/// to scan.
fn without_known_members(resource: Resource, shape: &mut Shape) -> Value {
    let (kind, id) = (resource.kind.clone(), resource.id.clone());
    let rendered = resource.into_value();
    if has_shape(&rendered, shape) {
        return json!({"type": kind, "id": id});
    }
    shape.observe(&rendered);
    rendered
}

fn has_shape(value: &Value, shape: &Shape) -> bool {
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.iter().all(|(name, value)| shape.members.get(name).is_some_and(|shape| has_shape(value, shape)))
        }
        Value::Array(items) if !items.is_empty() => {
            items.len() <= shape.num_items_max
                && shape.items.as_ref().is_some_and(|shape| items.iter().all(|item| has_shape(item, shape)))
        }
        _ => shape.is_scalar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_members_do_not_change_the_shape() {
        let resources = [
            json!({"type": "a", "id": "1", "attributes": {"x": 1, "list": [1, 2]}}),
            json!({"type": "a", "id": "2", "attributes": {"x": null, "list": [3]}}),
            json!({"type": "a", "id": "3", "attributes": {"x": null, "list": [3, {"y": 1}]}}),
            json!({"type": "a", "id": "4", "attributes": {"list": []}}),
            json!({"type": "a", "id": "5"}),
        ];
        let (mut all, mut known, mut handed_on) = (Shape::default(), Shape::default(), Shape::default());
        let mut lengths = Vec::new();
        for resource in resources {
            all.observe(&resource);
            let rendered = without_known_members(Resource::parse(&resource.to_string()).expect("good"), &mut known);
            lengths.push(rendered.as_object().map_or(0, serde_json::Map::len));
            handed_on.observe(&rendered);
        }
        assert_eq!(handed_on, all);
        assert_eq!(lengths, [3, 2, 3, 3, 2]);
    }
}
