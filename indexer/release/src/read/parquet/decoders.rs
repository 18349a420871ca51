//! Row groups that several threads decode, and that are returned in order.
//!
//! Each decoder takes the next row group when it has finished one, and sends its rows through its
//! own channel. The source learns which decoder took which row group, and empties the channels in
//! the order of the row groups. The channel of the decoder of the next row group is always being
//! emptied, so decoders cannot deadlock.

use std::sync::{Arc, Mutex};

use crossbeam::channel::{self, Receiver, Sender};
use indexer::Result;

use crate::read::batch::Batch;
use crate::read::lineages::LineageCache;

use super::groups::{Group, Groups};

const UNLESS_PANIC: &str = "a decoder sends an end, unless it panics";

/// An item, or `None` after the last. A channel that closes without it was dropped by a panicking
/// decoder.
type Next<T> = Result<Option<T>>;

/// Decodes row groups for a source that was split, on a separate thread.
pub(super) struct Decoder {
    groups: Arc<Mutex<Groups>>,
    lineages: LineageCache,
    /// The number of this decoder, which is sent to `order` with each row group that it takes.
    number: usize,
    order: Sender<Next<usize>>,
    blocks: Sender<Next<Batch>>,
}

/// The rows of all row groups, in order.
pub(super) struct DecodedGroups {
    /// The decoder of each row group.
    order: Receiver<Next<usize>>,
    /// The blocks of each decoder.
    blocks: Vec<Receiver<Next<Batch>>>,
    /// The decoder of the row group that is being read.
    current: Option<usize>,
}

/// Starts `num_decoders` decoders of row groups, each of which may be `num_blocks` blocks ahead.
pub(super) fn split(
    groups: Groups,
    lineages: &LineageCache,
    num_decoders: usize,
    num_blocks: usize,
) -> (DecodedGroups, Vec<Decoder>) {
    // Each row group uses space in `blocks`, so decoders cannot take an unlimited number of them.
    let (order_sender, order) = channel::unbounded();
    let groups = Arc::new(Mutex::new(groups));
    let decoder = |number| {
        let (sender, blocks) = channel::bounded(num_blocks);
        let (groups, lineages, order) = (Arc::clone(&groups), lineages.clone(), order_sender.clone());
        (Decoder { groups, lineages, number, order, blocks: sender }, blocks)
    };
    let (decoders, blocks) = (0..num_decoders).map(decoder).unzip();
    (DecodedGroups { order, blocks, current: None }, decoders)
}

impl Decoder {
    /// Decodes until there are no more row groups, or nobody receives them. Errors are sent to the
    /// source in their place.
    pub(super) fn run(mut self) {
        while let Some(mut group) = self.take() {
            loop {
                let mut batch = Batch::default();
                let next = group.next(&mut self.lineages, &mut batch).map(|is_more| is_more.then_some(batch));
                let is_end = !matches!(next, Ok(Some(_)));
                if self.blocks.send(next).is_err() {
                    return;
                }
                if is_end {
                    break;
                }
            }
        }
    }

    /// Takes the next row group.
    fn take(&self) -> Option<Group> {
        // After a panic, the source does not continue.
        let mut groups = store::lock(&self.groups);
        let (group, next) = match groups.next() {
            Ok(Some(group)) => (Some(group), Ok(Some(self.number))),
            Ok(None) => (None, Ok(None)),
            Err(error) => (None, Err(error)),
        };
        self.order.send(next).ok()?;
        group
    }
}

impl DecodedGroups {
    /// See [`crate::read::RowSource::next`].
    pub(super) fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        loop {
            if let Some(decoder) = self.current
                && let Some(next) = self.blocks[decoder].recv().expect(UNLESS_PANIC)?
            {
                batch.append(next);
                return Ok(true);
            }
            self.current = self.order.recv().expect(UNLESS_PANIC)?;
            if self.current.is_none() {
                return Ok(false);
            }
        }
    }
}
