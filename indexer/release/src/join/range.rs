//! Key ranges and the slices of tables that belong to them. Each range holds about the same number of proteins that are indexed, and becomes one part of the index.

use std::ops::Range;
use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender};
use indexer::run::RejectedRow;

use crate::read::rows::ClusterRow;
use crate::read::{Row, RowBlock, RowOrigin};
use crate::threads::Stop;

use super::account::RowAccount;
use super::tally::Tally;

/// The end of the last range: no key is as high.
pub(crate) const KEYS_END: u64 = u64::MAX;

/// A protein that is to be indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RangeProtein {
    pub(crate) number: u64,
    pub(crate) cluster: ClusterRow,
    /// The row that names it, unless its sequence does, which is counted as such.
    pub(crate) origin: Option<RowOrigin>,
}

/// A range of keys with the proteins in it. Ranges are disjoint and together hold every key.
#[derive(Debug)]
pub(crate) struct KeyRange {
    pub(crate) number: u32,
    pub(crate) keys: Range<u64>,
    pub(crate) proteins: Vec<RangeProtein>,
}

/// The order to cut the slice of a range.
pub(crate) struct SliceOrder {
    pub(crate) range: Arc<KeyRange>,
    /// Takes the parts of the slice, or is `None` where an earlier run has finished the range.
    pub(crate) parts: Option<Sender<SlicePart>>,
}

#[derive(Default)]
pub(crate) struct SlicePart {
    /// Rows in ascending order. Those of proteins that are not in the range have lost their payloads.
    pub(crate) rows: RowBlock,
    /// Bad rows, each with its file.
    pub(crate) rejected: Vec<(u16, RejectedRow)>,
    /// In the last part: the numbers of all rows that were read.
    pub(crate) tally: Option<Tally>,
}

/// The worker's side of a slice: the rows of one table, one protein after another.
pub(crate) struct Slice {
    parts: Receiver<SlicePart>,
    /// The permits, of which one is given back for each part.
    permits: Receiver<()>,
    block: RowBlock,
    row: usize,
    /// The numbers of rows that the reader has read, once it is at the end.
    tally: Option<Tally>,
}

impl Drop for Slice {
    fn drop(&mut self) {
        // Parts that nobody takes any more give back their permits, so that the reader does not wait for them.
        for _ in self.parts.try_iter() {
            let _ = self.permits.try_recv();
        }
    }
}

impl Slice {
    pub(crate) fn new(parts: Receiver<SlicePart>, permits: Receiver<()>) -> Self {
        Self { parts, permits, block: RowBlock::default(), row: 0, tally: None }
    }

    /// Returns the next row without passing it, or `None` at the end. Bad rows on the way go to the account.
    pub(super) fn peek(&mut self, account: &mut RowAccount<'_>) -> Result<Option<Row<'_>>, Stop> {
        while self.row == self.block.len() && self.tally.is_none() {
            let part = self.parts.recv().map_err(|_| Stop::Aborted)?;
            // The permit is there: the reader took it before it sent the part.
            let _ = self.permits.try_recv();
            for (file, row) in &part.rejected {
                account.reject(*file, row)?;
            }
            (self.block, self.row, self.tally) = (part.rows, 0, part.tally);
        }
        Ok(self.block.get(self.row))
    }

    pub(super) fn advance(&mut self) {
        self.row += 1;
    }

    /// Returns what the reader has read. The slice must be at its end.
    pub(super) fn finish(mut self) -> Tally {
        self.tally.take().unwrap_or_default()
    }
}
