//! The second half of a load, on several threads: resources are prepared for storing and indexing.

use std::collections::HashMap;

use serde_json::{Value, json};
use store::{CatalogueEntry, Shape};

use super::body::body;
use super::entry::entry;
use super::gather::Entry;
use super::orders::{FieldKey, field_keys};
use super::resource::Resource;
use super::winners::{Identifier, Winners};
use crate::sort::decode;
use crate::{Error, Result};

pub(super) struct Prepared {
    pub(super) entry: CatalogueEntry,
    /// The resource as JSON, or only its type and id if its other members add nothing to the shape of its type.
    pub(super) rendered: Value,
    pub(super) keys: Vec<FieldKey>,
}

/// Prepares resources, all of which are winners, from their [`Entry`]s.
pub(super) fn prepare(winners: &Winners, identifier: &Identifier, entries: &[Vec<u8>]) -> Result<Vec<Prepared>> {
    let mut shapes = HashMap::new();
    entries.iter().map(|entry| prepare_one(winners, identifier, &decode(entry)?, &mut shapes)).collect()
}

fn prepare_one(
    winners: &Winners,
    identifier: &Identifier,
    sorted: &Entry<'_>,
    shapes: &mut HashMap<String, Shape>,
) -> Result<Prepared> {
    let mut resource = Resource::parse(sorted.text).map_err(|_| Error::Spill)?;
    // Not even the names of private resources are shown.
    let is_private = |resource_type: &str, id: &str| winners.is_private(identifier.identify(resource_type, id, None));
    resource.remove_references(is_private);
    let relations = winners.relations_of(sorted.identity);
    let relations = relations.filter(|(resource_type, id, _)| !is_private(resource_type, id));
    let entry = entry(&resource, body(&resource), relations.cloned().collect());
    let keys = field_keys(&resource);
    let rendered = without_known_members(resource, shapes.entry(entry.resource_type.clone()).or_default());
    Ok(Prepared { entry, rendered, keys })
}

/// Returns a resource as JSON if it adds something to the shape of those before, and only its type and id otherwise. The shape of all is
/// the same then, and there is less for the one thread that stores to look through.
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
    fn the_shape_of_what_is_handed_on_is_that_of_all() {
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
