//! The second half of a load: resources come out of the sorter in order, are prepared on several threads, and stored.

use std::collections::{BTreeMap, HashMap};
use std::iter;

use indexer::ordered::{Queue, in_order};
use indexer::run::{Progress, StageReport, Unit};
use indexer::sort::{SortSpace, SortedEntries, Sorter, decode};
use indexer::{Error, Result};
use serde_json::{Value, json};
use store_catalogue::{CatalogueBuilder, CatalogueEntry, Ordinal, ResourceOrigin, Shape};

use super::Relation;
use super::body::body;
use super::deduplication::{Deduplication, FoundBy, Identifier};
use super::documents::{document_of, stored_document};
use super::entry::entry;
use super::gather::{Entry, Gathered, ROOT_BIOME};
use super::orders::{FieldKey, field_keys, field_names};
use super::pipelines::{NamedVersions, Versions};
use super::resource::Resource;

/// The number of bytes of resources that are prepared at once. Small batches reuse the same memory.
const BATCH_BYTES: usize = 48 * 1024;

pub(super) struct Written {
    /// The number of resources by type.
    pub(super) stored: BTreeMap<String, u64>,
    /// Pipelines that did not come, and were made.
    pub(super) num_derived: u64,
    pub(super) stage: StageReport,
}

/// Stores the occurrences that are kept and the pipelines that they name, if none came, and the orders of their types. Each order takes
/// `space`.
pub(super) fn write(
    gathered: &mut Gathered,
    builder: &mut CatalogueBuilder,
    space: SortSpace<'_>,
    num_threads: usize,
) -> Result<Written> {
    let has_pipelines = gathered.has_pipelines;
    let (_, num_public) = gathered.deduplication.num_private_and_public();
    let progress = Progress::start("storing", Unit::Resources, num_public);
    let orders = Orders { space, current: None };
    let mut storing = Storing { builder, orders, stored: BTreeMap::new(), num_stored: 0 };
    let mut versions = Versions::default();
    in_kept_order(gathered, num_threads, |prepared| {
        for mut prepared in prepared {
            versions.add(std::mem::take(&mut prepared.versions));
            storing.add(prepared)?;
        }
        progress.set(storing.num_stored);
        Ok(())
    })?;
    let pipelines = if has_pipelines { Vec::new() } else { versions.into_pipelines() };
    let num_derived = pipelines.len() as u64;
    let mut shapes = HashMap::new();
    let derived = ResourceOrigin { is_derived: true, ..ResourceOrigin::default() };
    pipelines
        .into_iter()
        .try_for_each(|pipeline| storing.add(prepared(pipeline, &derived, Vec::new(), &mut shapes)))?;
    let Storing { builder, mut orders, stored, num_stored } = storing;
    orders.end(builder)?;
    progress.set(num_stored);
    Ok(Written { stored, num_derived, stage: StageReport::new("storing", progress.finish()) })
}

/// Prepares the occurrences that are kept on several threads, and consumes them in their order.
pub(super) fn in_kept_order(
    gathered: &mut Gathered,
    num_threads: usize,
    mut consume: impl FnMut(Vec<Prepared>) -> Result<()> + Send,
) -> Result<()> {
    let Gathered { resources, deduplication, identifier, .. } = gathered;
    in_order(
        num_threads,
        |queue| push_kept(resources, deduplication, queue),
        || |batch| prepare(deduplication, identifier, batch),
        |prepared: Result<Vec<Prepared>>| consume(prepared?),
    )
}

struct Storing<'a> {
    builder: &'a mut CatalogueBuilder,
    orders: Orders<'a>,
    stored: BTreeMap<String, u64>,
    num_stored: u64,
}

impl Storing<'_> {
    fn add(&mut self, Prepared { entry, rendered, keys, .. }: Prepared) -> Result<()> {
        self.orders.begin(&entry.resource_type, self.builder)?;
        let ordinal = self.builder.add(&entry, &rendered)?;
        self.orders.add(ordinal, keys)?;
        *self.stored.entry(entry.resource_type).or_default() += 1;
        self.num_stored += 1;
        Ok(())
    }
}

/// A key of the sorter, and an [`Entry`].
type Sorted = (Box<[u8]>, Vec<u8>);

/// Pushes batches of what is kept.
fn push_kept(
    resources: &mut SortedEntries<Box<[u8]>>,
    deduplication: &Deduplication,
    mut queue: Queue<Vec<Sorted>>,
) -> Result<()> {
    // This error is not returned: the one that made storing stop is.
    let mut push = |batch| queue.push(batch).map_err(|_| Error::Internal("storing has stopped"));
    let (mut batch, mut num_bytes) = (Vec::new(), 0);
    let mut bytes = Vec::new();
    while let Some(key) = resources.next(&mut bytes)? {
        let Entry { identity, occurrence, .. } = decode(&bytes)?;
        if deduplication.is_kept(identity, occurrence) {
            num_bytes += bytes.len();
            batch.push((key, std::mem::take(&mut bytes)));
        }
        if num_bytes >= BATCH_BYTES {
            push(std::mem::take(&mut batch))?;
            num_bytes = 0;
        }
    }
    push(batch)
}

/// A type, and the sorters of its orders by name.
type OrdersOfType = (String, Vec<(&'static str, Sorter<Box<[u8]>>)>);

struct Orders<'a> {
    /// The space of each order.
    space: SortSpace<'a>,
    current: Option<OrdersOfType>,
}

impl Orders<'_> {
    /// Ends the previous type, if this is another one.
    fn begin(&mut self, resource_type: &str, builder: &mut CatalogueBuilder) -> Result<()> {
        if self.current.as_ref().is_some_and(|(current, _)| current == resource_type) {
            return Ok(());
        }
        self.end(builder)?;
        let sorter = |field| (field, Sorter::named(self.space.folder, field, self.space.memory_bytes));
        self.current = Some((resource_type.to_owned(), field_names(resource_type).map(sorter).collect()));
        Ok(())
    }

    fn add(&mut self, ordinal: Ordinal, keys: Vec<FieldKey>) -> Result<()> {
        let sorters = self.current.iter_mut().flat_map(|(_, sorters)| sorters);
        for ((_, sorter), FieldKey { bytes, value_length }) in sorters.zip(keys) {
            sorter.push_value(bytes, &(ordinal, value_length))?;
        }
        Ok(())
    }

    fn end(&mut self, builder: &mut CatalogueBuilder) -> Result<()> {
        let Some((resource_type, sorters)) = self.current.take() else { return Ok(()) };
        for (field, sorter) in sorters {
            let mut ascending = Ascending { entries: sorter.finish()?, value: None, payload: Vec::new() };
            let mut failure = None;
            let mut next = || ascending.next().map_err(|error| failure = Some(error)).ok().flatten();
            // If the sorter fails, the store misses resources, but this is not the error to return.
            let added = builder.add_order(&resource_type, field, iter::from_fn(|| next().map(Ok)));
            failure.map_or(Ok(()), Err)?;
            added?;
        }
        Ok(())
    }
}

struct Ascending {
    entries: SortedEntries<Box<[u8]>>,
    value: Option<Box<[u8]>>,
    payload: Vec<u8>,
}

impl Ascending {
    /// Returns the next ordinal, and whether its value equals the previous one.
    fn next(&mut self) -> Result<Option<(Ordinal, bool)>> {
        let Some(key) = self.entries.next(&mut self.payload)? else { return Ok(None) };
        let (ordinal, value_length): (Ordinal, usize) = decode(&self.payload)?;
        let value = key.get(..value_length).ok_or(Error::CorruptSpill)?;
        let is_equal = self.value.as_deref().is_some_and(|before| before == value);
        if !is_equal {
            self.value = Some(value.into());
        }
        Ok(Some((ordinal, is_equal)))
    }
}

pub(super) struct Prepared {
    /// As the sorter had it; empty if it was derived.
    pub(super) key: Box<[u8]>,
    pub(super) entry: CatalogueEntry,
    /// The resource as JSON, or only its type and id if its other members add nothing to the shape of its type.
    pub(super) rendered: Value,
    pub(super) keys: Vec<FieldKey>,
    versions: NamedVersions,
}

/// Prepares resources, all of which are kept.
fn prepare(deduplication: &Deduplication, identifier: &Identifier, sorted: Vec<Sorted>) -> Result<Vec<Prepared>> {
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
    let (mut found_in, mut listed_in) = (Vec::new(), Vec::new());
    for (relation, found_by) in relations {
        found_in.push(relation.clone());
        if found_by == FoundBy::List {
            listed_in.push(relation.clone());
        }
    }
    // Exports are the same whatever came first.
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

fn prepared(
    resource: Resource,
    origin: &ResourceOrigin,
    found_in: Vec<Relation>,
    shapes: &mut HashMap<String, Shape>,
) -> Prepared {
    let document = document_of(&resource);
    let mut text = body(&resource).with_origin(origin);
    if let Some((document, has_come)) = &document {
        text = text.with_document(stored_document(&resource.kind, document, *has_come));
    }
    let document = document.as_ref().map(|(document, _)| &**document);
    let (entry, keys) = (entry(&resource, document, text, found_in), field_keys(&resource, document));
    let versions = NamedVersions::from_resource(&resource);
    let rendered = without_known_members(resource, shapes.entry(entry.resource_type.clone()).or_default());
    Prepared { key: Box::default(), entry, rendered, keys, versions }
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
