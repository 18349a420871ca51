//! A generation that is built from all its resources.

use std::collections::{BTreeMap, HashMap};
use std::iter;

use indexer::Result;
use indexer::run::StageReport;
use indexer::sort::SortSpace;
use store_catalogue::{CatalogueBuilder, ResourceOrigin};

use crate::merge::{Gathered, Versions};
use crate::order::{FieldOrders, in_kept_order};
use crate::shape::{Prepared, default_key, prepared};

pub(crate) struct Stored {
    /// The number of resources by type.
    pub(crate) by_type: BTreeMap<String, u64>,
    /// Pipelines that are not in the input, and were derived.
    pub(crate) num_derived: u64,
    pub(crate) stage: StageReport,
}

/// Stores the kept occurrences, the pipelines that they name (if none is in the input), and the
/// orders of their types. Each order uses `space`.
pub(super) fn build(
    gathered: &mut Gathered,
    builder: &mut CatalogueBuilder,
    space: SortSpace<'_>,
    num_threads: usize,
) -> Result<Stored> {
    let has_pipelines = gathered.counts.has_pipelines;
    let mut storing = Storing { builder, space, current: None, by_type: BTreeMap::new() };
    let mut versions = Versions::default();
    let progress = in_kept_order(gathered, num_threads, |mut prepared| {
        versions.add(std::mem::take(&mut prepared.versions));
        storing.add(prepared)
    })?;
    let mut pipelines: Vec<_> = versions.into_pipelines().filter(|_| !has_pipelines).collect();
    pipelines.sort_by_cached_key(default_key);
    let num_derived = pipelines.len() as u64;
    let mut shapes = HashMap::new();
    let derived = ResourceOrigin { is_derived: true, ..ResourceOrigin::default() };
    pipelines
        .into_iter()
        .try_for_each(|pipeline| storing.add(prepared(pipeline, &derived, Vec::new(), &mut shapes)))?;
    storing.end_type()?;
    progress.set(storing.by_type.values().sum());
    Ok(Stored { by_type: storing.by_type, num_derived, stage: StageReport::new("storing", progress.finish()) })
}

struct Storing<'a> {
    builder: &'a mut CatalogueBuilder,
    space: SortSpace<'a>,
    /// The type of the last resource, and its orders.
    current: Option<(String, FieldOrders)>,
    by_type: BTreeMap<String, u64>,
}

impl Storing<'_> {
    fn add(&mut self, Prepared { entry, rendered, keys, .. }: Prepared) -> Result<()> {
        if self.current.as_ref().is_none_or(|(current, _)| *current != entry.resource_type) {
            self.end_type()?;
            self.current = Some((entry.resource_type.clone(), FieldOrders::begin(&entry.resource_type, self.space)));
        }
        let ordinal = self.builder.add(&entry, &rendered)?;
        self.current.as_mut().map_or(Ok(()), |(_, orders)| orders.add(ordinal, keys))?;
        *self.by_type.entry(entry.resource_type).or_default() += 1;
        Ok(())
    }

    fn end_type(&mut self) -> Result<()> {
        let Some((resource_type, orders)) = self.current.take() else { return Ok(()) };
        for order in orders.finish() {
            let (field, mut order) = order?;
            let mut failure = None;
            let mut next = || order.next_tied().map_err(|error| failure = Some(error)).ok().flatten();
            // If the sorter fails, the store misses resources, but this is not the error to return.
            let added = self.builder.add_order(&resource_type, field, iter::from_fn(|| next().map(Ok)));
            failure.map_or(Ok(()), Err)?;
            added?;
        }
        Ok(())
    }
}
