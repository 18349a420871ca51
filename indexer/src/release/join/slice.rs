//! The worker's side of the slices of a range: the rows of one table, one protein after another.

use crossbeam::channel::Receiver;

use crate::release::read::{Row, RowBlock};
use crate::release::threads::Stop;

use super::account::RowAccount;
use super::range::SlicePart;
use super::tally::Tally;

pub(crate) struct Slice {
    parts: Receiver<SlicePart>,
    /// Where a permit is given back for each part.
    permits: Receiver<()>,
    block: RowBlock,
    row: usize,
    /// What the reader has read, once it is at the end.
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
