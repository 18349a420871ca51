//! The resources that are kept, prepared in the default order.

use indexer::ordered::{Queue, in_order};
use indexer::sort::{SortedEntries, decode};
use indexer::{Error, Result};

use crate::merge::deduplication::Deduplication;
use crate::merge::gather::{Entry, Gathered};
use crate::shape::prepare::{Prepared, Sorted, prepare};

/// The number of bytes of resources that are prepared at once. Small batches reuse the same memory.
const BATCH_BYTES: usize = 48 * 1024;

/// Prepares the occurrences that are kept on several threads, and consumes them in their order.
pub(crate) fn in_kept_order(
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
