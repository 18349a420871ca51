//! Key ranges and their slices of tables. Each range has about the same number of indexed proteins,
//! and becomes one part of the index.

use std::ops::Range;
use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender};
use indexer::run::RejectedRow;

use crate::read::rows::ClusterRow;
use crate::read::{Row, RowBlock, RowOrigin};
use crate::threads::Stop;

use super::account::RowAccount;
use super::tally::Tally;

/// The end of the last range: higher than any key.
pub(crate) const KEYS_END: u64 = u64::MAX;

/// A protein that is to be indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RangeProtein {
    pub(crate) number: u64,
    pub(crate) cluster: ClusterRow,
    /// The row that names it, unless that is its sequence, which is counted as a sequence.
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
    /// Receives the parts of the slice; `None` if an earlier run has finished the range.
    pub(crate) parts: Option<Sender<SlicePart>>,
}

#[derive(Default)]
pub(crate) struct SlicePart {
    /// Rows in ascending order. Those of proteins that are not in the range have no payload.
    pub(crate) rows: RowBlock,
    /// Bad rows, each with its file.
    pub(crate) rejected: Vec<(u16, RejectedRow)>,
    /// The numbers of all rows that were read, in the last part only.
    pub(crate) tally: Option<Tally>,
}

/// The worker's side of a slice: the rows of one table, one protein after another.
pub(crate) struct Slice {
    parts: Receiver<SlicePart>,
    /// The permits, one of which is given back for each part.
    permits: Receiver<()>,
    block: RowBlock,
    row: usize,
    /// The numbers of rows that the reader has read, once it is at the end.
    tally: Option<Tally>,
}

impl Drop for Slice {
    fn drop(&mut self) {
        // Parts that nobody consumes give back their permits, so that the reader does not wait for
        // them.
        for _ in self.parts.try_iter() {
            let _ = self.permits.try_recv();
        }
    }
}

impl Slice {
    pub(crate) fn new(parts: Receiver<SlicePart>, permits: Receiver<()>) -> Self {
        Self { parts, permits, block: RowBlock::default(), row: 0, tally: None }
    }

    /// Returns the next row without passing it, or `None` at the end. Bad rows before it are added
    /// to the account.
    pub(super) fn peek(&mut self, account: &mut RowAccount<'_>) -> Result<Option<Row<'_>>, Stop> {
        while self.row == self.block.len() && self.tally.is_none() {
            let part = self.parts.recv().map_err(|_| Stop::Aborted)?;
            // A permit is available: the reader acquired it before sending the part.
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

    /// Returns the numbers from the reader. The slice must be at its end.
    pub(super) fn finish(mut self) -> Tally {
        self.tally.take().unwrap_or_default()
    }
}
