//! The second half of a load: resources come out of the sorter in order, are prepared on several threads, and stored.

use std::collections::BTreeMap;
use std::iter;
use std::path::{Path, PathBuf};

use store::{CatalogueBuilder, Ordinal};

use super::gather::{Entry, Gathered};
use super::orders::{FieldKey, field_names};
use super::prepare::{Prepared, prepare};
use super::winners::Winners;
use crate::ordered::{Queue, in_order};
use crate::run::{Progress, StageReport, Unit};
use crate::sort::{SortedEntries, Sorter, decode};
use crate::{Error, Result};

/// How many bytes of resources are prepared at once. Small batches reuse the same memory.
const BATCH_BYTES: usize = 48 * 1024;

/// Stores all winners, and the orders of their types. Sorted runs go into the folder `spill`; an order takes `memory_bytes`. Returns how
/// many resources there are, by type.
pub(super) fn write(
    gathered: &mut Gathered,
    builder: &mut CatalogueBuilder,
    (spill, memory_bytes): (&Path, usize),
    num_threads: usize,
) -> Result<(BTreeMap<String, u64>, StageReport)> {
    let Gathered { resources, winners, identifier, .. } = gathered;
    let (_, num_public) = winners.num_private_and_public();
    let progress = Progress::start("storing", Unit::Resources, num_public);
    let mut orders = Orders { spill: spill.to_owned(), memory_bytes, current: None };
    let mut stored: BTreeMap<String, u64> = BTreeMap::new();
    let mut num_stored = 0;
    in_order(
        num_threads,
        |queue| push_winners(resources, winners, queue),
        || |batch| prepare(winners, identifier, &batch),
        |prepared: Result<Vec<Prepared>>| {
            for Prepared { entry, rendered, keys } in prepared? {
                orders.begin(&entry.resource_type, builder)?;
                let ordinal = builder.add(&entry, &rendered)?;
                orders.add(ordinal, keys)?;
                *stored.entry(entry.resource_type).or_default() += 1;
                num_stored += 1;
            }
            progress.set(num_stored);
            Ok(())
        },
    )?;
    orders.end(builder)?;
    progress.set(num_stored);
    Ok((stored, StageReport::new("storing", progress.finish())))
}

/// Pushes batches of the [`Entry`]s of winners.
fn push_winners(
    resources: &mut SortedEntries<Box<[u8]>>,
    winners: &Winners,
    mut queue: Queue<Vec<Vec<u8>>>,
) -> Result<()> {
    // This error is not returned: the one that made storing stop is.
    let mut push = |batch| queue.push(batch).map_err(|_| Error::Spill);
    let (mut batch, mut num_bytes) = (Vec::new(), 0);
    let mut bytes = Vec::new();
    while resources.next(&mut bytes)?.is_some() {
        let Entry { identity, occurrence, .. } = decode(&bytes)?;
        if winners.is_winner(identity, occurrence) {
            num_bytes += bytes.len();
            batch.push(std::mem::take(&mut bytes));
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

struct Orders {
    spill: PathBuf,
    /// Of each order.
    memory_bytes: usize,
    current: Option<OrdersOfType>,
}

impl Orders {
    /// Ends the previous type, if this is another one.
    fn begin(&mut self, resource_type: &str, builder: &mut CatalogueBuilder) -> Result<()> {
        if self.current.as_ref().is_some_and(|(current, _)| current == resource_type) {
            return Ok(());
        }
        self.end(builder)?;
        let sorter = |field| (field, Sorter::named(&self.spill, field, self.memory_bytes));
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
        let value = key.get(..value_length).ok_or(Error::Spill)?;
        let is_equal = self.value.as_deref().is_some_and(|before| before == value);
        if !is_equal {
            self.value = Some(value.into());
        }
        Ok(Some((ordinal, is_equal)))
    }
}
