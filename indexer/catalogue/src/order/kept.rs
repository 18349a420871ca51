//! The resources that are kept, prepared in the default order.

use indexer::ordered::{Queue, in_order};
use indexer::run::{Progress, Unit};
use indexer::sort::{SortedEntries, decode};
use indexer::{Error, Result};

use crate::merge::{Deduplication, Entry, Gathered};
use crate::shape::{Prepared, Sorted, prepare};

/// The number of bytes of resources in a batch. Small batches reuse the same memory.
const BATCH_BYTES: usize = 48 * 1024;

/// Prepares the occurrences that are kept on several threads, and stores them in their order.
/// Returns the progress of storing.
pub(crate) fn in_kept_order(
    gathered: &mut Gathered,
    num_threads: usize,
    mut store: impl FnMut(Prepared) -> Result<()> + Send,
) -> Result<Progress> {
    let Gathered { resources, deduplication, identifier, .. } = gathered;
    let progress = Progress::start("storing", Unit::Resources, deduplication.num_private_and_public().1);
    let mut num_stored = 0;
    let push = |queue| push_kept(resources, deduplication, queue);
    let worker = || |batch| prepare(deduplication, identifier, batch);
    in_order(num_threads, push, worker, |prepared: Result<Vec<Prepared>>| {
        let prepared = prepared?;
        num_stored += prepared.len() as u64;
        prepared.into_iter().try_for_each(&mut store)?;
        progress.set(num_stored);
        Ok(())
    })?;
    Ok(progress)
}

/// Pushes batches of kept resources.
fn push_kept(
    resources: &mut SortedEntries<Box<[u8]>>,
    deduplication: &Deduplication,
    mut queue: Queue<Vec<Sorted>>,
) -> Result<()> {
    // This error is not returned: the error that stopped storing is.
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
