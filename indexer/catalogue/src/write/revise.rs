//! The second half of an incremental update: added resources are placed between those that stay.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use indexer::Result;
use indexer::run::StageReport;
use indexer::sort::SortSpace;
use store_catalogue::model::RESOURCE_TYPES;
use store_catalogue::{CatalogueRevision, Ordinal, Shape};

use super::build::Stored;
use super::changes::Changes;
use crate::merge::Gathered;
use crate::order::{FieldOrder, FieldOrders, in_kept_order};
use crate::read::{Resource, damaged};
use crate::shape::{FieldKey, Prepared, default_key, document_of, field_keys};

/// The most resources of the present generation whose keys are cached.
const KEYS_MAX: usize = 50_000;

/// Stores the kept occurrences between the resources that stay.
pub(super) fn revise(
    gathered: &mut Gathered,
    changes: &Changes,
    revision: &mut CatalogueRevision<'_>,
    space: SortSpace<'_>,
    num_threads: usize,
) -> Result<Stored> {
    let mut types: Vec<(u32, String)> =
        revision.base().types.iter().map(|(name, contents)| (contents.first, name.clone())).collect();
    types.sort_unstable_by(|left, right| right.cmp(left));
    let mut writing = Writing {
        revision,
        changes,
        space,
        left: types.into_iter().map(|(_, name)| name).collect(),
        current: None,
        keys: HashMap::new(),
        stored: BTreeMap::new(),
    };
    let progress = in_kept_order(gathered, num_threads, |prepared| writing.add(prepared))?;
    writing.end_types_before(None)?;
    Ok(Stored { by_type: writing.stored, num_derived: 0, stage: StageReport::new("storing", progress.finish()) })
}

struct Writing<'a, 'b> {
    revision: &'a mut CatalogueRevision<'b>,
    changes: &'a Changes,
    space: SortSpace<'a>,
    /// The types of the present generation that have not begun, the first one last.
    left: Vec<String>,
    current: Option<Current>,
    /// The keys of resources of the present generation.
    keys: HashMap<Ordinal, Arc<Keys>>,
    stored: BTreeMap<String, u64>,
}

struct Current {
    name: String,
    /// Resources of the present generation before this position precede the next added one.
    before: Ordinal,
    end: Ordinal,
    /// The orders of the added resources.
    orders: FieldOrders,
    shape: Shape,
    num_added: u64,
}

struct Keys {
    /// The key from the sorter.
    default: Box<[u8]>,
    fields: Vec<FieldKey>,
}

/// Returns the sort key of a type.
fn type_key(name: &str) -> (usize, &str) {
    (RESOURCE_TYPES.iter().position(|known| known.name == name).unwrap_or(RESOURCE_TYPES.len()), name)
}

/// Finds the first position in a range for which `is_before` is false. It is most likely near the
/// start.
fn partition_point(from: u32, end: u32, mut is_before: impl FnMut(u32) -> Result<bool>) -> Result<u32> {
    let (mut low, mut high, mut step) = (from, from, 1);
    while high < end && is_before(high)? {
        low = high + 1;
        high = end.min(high.saturating_add(step));
        step *= 2;
    }
    while low < high {
        let middle = low.midpoint(high);
        if is_before(middle)? { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

impl Writing<'_, '_> {
    fn add(&mut self, Prepared { key, entry, rendered, keys, .. }: Prepared) -> Result<()> {
        let name = &*entry.resource_type;
        if self.current.as_ref().is_none_or(|current| current.name != name) {
            self.end_types_before(Some(name))?;
            self.begin_type(name);
        }
        let (from, end) = self.current.as_ref().map_or((0, 0), |current| (current.before, current.end));
        let before = partition_point(from, end, |ordinal| Ok(*self.keys_of(ordinal)?.default < *key))?;
        let ordinal = self.revision.add(before, &entry)?;
        let Some(current) = &mut self.current else { return Ok(()) };
        current.before = before;
        current.num_added += 1;
        current.shape.observe(&rendered);
        current.orders.add(ordinal, keys)
    }

    fn keys_of(&mut self, ordinal: Ordinal) -> Result<Arc<Keys>> {
        if let Some(keys) = self.keys.get(&ordinal) {
            return Ok(Arc::clone(keys));
        }
        let resource = self.old(ordinal)?;
        let default = [&default_key(&resource), &u64::from(ordinal).to_be_bytes()[..]].concat().into();
        let document = document_of(&resource);
        let fields = field_keys(&resource, document.as_ref().map(|(document, _)| &**document));
        let keys = Arc::new(Keys { default, fields });
        if self.keys.len() >= KEYS_MAX {
            self.keys.clear();
        }
        self.keys.insert(ordinal, Arc::clone(&keys));
        Ok(keys)
    }

    fn old(&self, ordinal: Ordinal) -> Result<Resource> {
        Resource::stored(&self.revision.old_body(ordinal)?)
    }

    fn begin_type(&mut self, name: &str) {
        self.left.retain(|left| left != name);
        self.revision.begin_type(name);
        let old = self.revision.base().types.get(name);
        let next = self.left.last().and_then(|next| self.revision.base().types.get(next));
        let none = next.map_or(self.revision.base().num_resources, |next| next.first);
        let (before, end) = old.map_or((none, none), |old| (old.first, old.first + old.num_resources));
        self.current = Some(Current {
            name: name.to_owned(),
            before,
            end,
            orders: FieldOrders::begin(name, self.space),
            shape: Shape::default(),
            num_added: 0,
        });
    }

    /// Ends the current type, and all types before another one, or all types.
    fn end_types_before(&mut self, name: Option<&str>) -> Result<()> {
        self.end_type()?;
        while let Some(next) = self.left.last().filter(|next| name.is_none_or(|name| type_key(next) < type_key(name))) {
            let next = next.clone();
            self.begin_type(&next);
            self.end_type()?;
        }
        Ok(())
    }

    fn end_type(&mut self) -> Result<()> {
        let Some(Current { name, end, orders, shape, num_added, .. }) = self.current.take() else { return Ok(()) };
        let old = self.revision.base().types.get(&name);
        let first = old.map_or(end, |old| old.first);
        let num_kept = (first..end).filter(|ordinal| !self.revision.is_dropped(*ordinal)).count() as u64;
        let shape = self.shape(&name, shape, first..end)?;
        self.revision.end_type(shape)?;
        for (index, order) in orders.finish().enumerate() {
            let (field, added) = order?;
            let ascending = self.order(&name, index, field, added)?;
            self.revision.add_order(&name, field, ascending.into_iter().map(Ok))?;
        }
        self.keys.clear();
        if num_kept + num_added > 0 {
            self.stored.insert(name, num_kept + num_added);
        }
        Ok(())
    }

    /// Returns the shape of a type: that of its added and its unchanged resources. The latter are
    /// scanned only as far as removed ones may have had a part of their own.
    fn shape(&self, name: &str, added: Shape, old: std::ops::Range<Ordinal>) -> Result<Shape> {
        let Some(contents) = self.revision.base().types.get(name) else { return Ok(added) };
        let mut all = contents.shape.clone();
        if let Some(dropped) = self.changes.shapes.get(name) {
            let mut known = added.clone();
            let mut kept = old.filter(|ordinal| !self.revision.is_dropped(*ordinal));
            while !known.covers(dropped, &contents.shape) {
                let Some(ordinal) = kept.next() else { return Ok(known) };
                known.observe(&self.old(ordinal)?.into_value());
            }
        }
        all.merge(&added);
        Ok(all)
    }

    /// Returns the ordinals of a type in an order, each with whether its value equals the previous
    /// one.
    fn order(
        &mut self,
        name: &str,
        index: usize,
        field: &'static str,
        mut added: FieldOrder,
    ) -> Result<Vec<(Ordinal, bool)>> {
        let mut old: Vec<(Ordinal, bool)> = Vec::new();
        let mut is_tied_to_dropped = true;
        for (ordinal, is_tied) in self.revision.old_order(name, field)? {
            // A resource after removed ones is tied to the one before them if all of these are
            // tied.
            let is_tied = is_tied && is_tied_to_dropped;
            is_tied_to_dropped = !self.revision.is_dropped(ordinal) || is_tied;
            if !self.revision.is_dropped(ordinal) {
                old.push((ordinal, is_tied));
            }
        }
        let mut ordered = Ordered { writing: self, index, entries: Vec::with_capacity(old.len()), last: None };
        let (mut next, num_old) = (0, Ordinal::try_from(old.len()).unwrap_or(Ordinal::MAX));
        while let Some((ordinal, key)) = added.next()? {
            let position = partition_point(next, num_old, |position| {
                ordered.is_before(old[position as usize].0, &key.bytes, ordinal)
            })?;
            old[next as usize..position as usize]
                .iter()
                .try_for_each(|&(old, is_tied)| ordered.push_old(old, is_tied))?;
            ordered.push_added(ordinal, key.value())?;
            next = position;
        }
        old[next as usize..].iter().try_for_each(|&(old, is_tied)| ordered.push_old(old, is_tied))?;
        Ok(ordered.entries)
    }
}

/// An order of a type that is being put together.
struct Ordered<'a, 'b, 'c> {
    writing: &'a mut Writing<'b, 'c>,
    /// The position of the order among those of the type.
    index: usize,
    entries: Vec<(Ordinal, bool)>,
    last: Option<Last>,
}

enum Last {
    Old(Ordinal),
    /// The value of an added resource.
    Added(Box<[u8]>),
}

impl Ordered<'_, '_, '_> {
    fn is_before(&mut self, old: Ordinal, key: &[u8], ordinal: Ordinal) -> Result<bool> {
        let keys = self.writing.keys_of(old)?;
        // Ties are in the default order.
        Ok((&*keys.fields[self.index].bytes, self.writing.revision.renumbered(old)) < (key, Some(ordinal)))
    }

    fn push_old(&mut self, old: Ordinal, is_tied: bool) -> Result<()> {
        let is_tied = match &self.last {
            None => false,
            Some(Last::Old(_)) => is_tied,
            Some(Last::Added(value)) => {
                let keys = self.writing.keys_of(old)?;
                keys.fields[self.index].value() == &**value
            }
        };
        let ordinal = self.writing.revision.renumbered(old).ok_or_else(damaged)?;
        self.entries.push((ordinal, is_tied));
        self.last = Some(Last::Old(old));
        Ok(())
    }

    fn push_added(&mut self, ordinal: Ordinal, value: &[u8]) -> Result<()> {
        let is_tied = match &self.last {
            None => false,
            Some(Last::Old(old)) => self.writing.keys_of(*old)?.fields[self.index].value() == value,
            Some(Last::Added(before)) => **before == *value,
        };
        self.entries.push((ordinal, is_tied));
        self.last = Some(Last::Added(value.into()));
        Ok(())
    }
}
