//! The worker's side of the slices of a range: the rows of one table after another protein.

use crossbeam::channel::Receiver;

use super::block::{Row, RowBlock};
use super::range::{SliceCounts, SlicePart, SliceReceiver};
use crate::Result;
use crate::run::RejectedRow;

/// The slice does not come to its end, since another part of the run has failed.
#[derive(Debug)]
pub(super) struct Aborted;

/// Takes bad rows.
pub(super) type RejectedSink<'a> = &'a mut dyn FnMut(u16, &RejectedRow) -> Result<()>;

/// The rows of one table in a range.
pub(super) struct SliceRows {
    /// Sends the parts.
    parts: SliceReceiver,
    /// Where a place is given back for each part.
    places: Receiver<()>,
    /// The rows that are looked at.
    block: RowBlock,
    /// The row that is due.
    next_row: usize,
    /// What the reader has read, once it is at the end.
    counts: Option<SliceCounts>,
}

impl Drop for SliceRows {
    fn drop(&mut self) {
        // Parts that nobody takes any more give back their places, so that the reader does not wait for them.
        while self.parts.try_recv().is_ok() {
            let _ = self.places.try_recv();
        }
    }
}

impl SliceRows {
    /// Starts before the first row.
    pub(super) fn new(parts: SliceReceiver, places: Receiver<()>) -> Self {
        Self { parts, places, block: RowBlock::default(), next_row: 0, counts: None }
    }

    /// Returns the row that is due without passing it, or `None` at the end. Bad rows on the way go to `reject`.
    ///
    /// # Errors
    ///
    /// * The reader has failed; or `reject` has.
    pub(super) fn peek(&mut self, reject: RejectedSink<'_>) -> Result<std::result::Result<Option<Row<'_>>, Aborted>> {
        while self.next_row == self.block.len() && self.counts.is_none() {
            let Ok(part) = self.parts.recv() else { return Ok(Err(Aborted)) };
            // The place is there: the reader took it before it sent the part.
            let _ = self.places.try_recv();
            match part {
                SlicePart::Rows(block) => (self.block, self.next_row) = (block, 0),
                SlicePart::Rejected(rows) => {
                    for (file, row) in &rows {
                        reject(*file, row)?;
                    }
                }
                SlicePart::End(counts) => self.counts = Some(counts),
            }
        }
        Ok(Ok(self.block.get(self.next_row)))
    }

    /// Passes the row that [`SliceRows::peek`] returned.
    pub(super) fn advance(&mut self) {
        self.next_row += 1;
    }

    /// Returns what the reader has read. The slice must be at its end.
    pub(super) fn counts(mut self) -> SliceCounts {
        self.counts.take().unwrap_or_default()
    }
}
