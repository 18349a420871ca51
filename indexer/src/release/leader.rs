//! Plans the key ranges: the proteins that are indexed, in order, so many a range.

use super::cursor::{Due, RowCursor};
use super::range::{KeyRange, RangeProtein, SliceCounts, count};
use super::rows::ClusterRow;
use super::source::RowSource;
use super::table::Table;
use crate::run::{Reason, RejectedRow, Rejection};
use crate::{Error, Result};

/// How many bad rows end a range early, so that they do not gather in memory. Part of how ranges are cut: the same in every run.
const REJECTED_MAX: usize = 16_384;

/// A range before it is read.
pub(super) struct PlannedRange {
    /// The range.
    pub(super) range: KeyRange,
    /// Its first key.
    pub(super) start: u64,
    /// Bad rows of the table that names the proteins.
    pub(super) rejected: Vec<(u16, RejectedRow)>,
    /// How many rows of that table were read.
    pub(super) counts: SliceCounts,
}

/// Plans one range after another.
pub(super) struct Leader {
    /// Rows of clusters, by the protein that is indexed.
    rows: RowCursor,
    /// How many proteins a range has.
    range_proteins: usize,
    /// The rank of the next range.
    number: u32,
    /// Where the next range starts.
    start: u64,
    /// The key of the last protein.
    previous: Option<u64>,
    /// All ranges were planned.
    is_at_end: bool,
}

impl Leader {
    /// Starts before the first protein.
    pub(super) fn new(table: Table, source: Box<dyn RowSource>, range_proteins: usize) -> Self {
        let rows = RowCursor::new(table, source);
        Self { rows, range_proteins, number: 0, start: 0, previous: None, is_at_end: false }
    }

    /// Plans the next range. There is always one at least, and the last one has no end.
    ///
    /// # Errors
    ///
    /// * The input cannot be read, or is not in order.
    pub(super) fn next_range(&mut self) -> Result<Option<PlannedRange>> {
        if self.is_at_end {
            return Ok(None);
        }
        let (start, number) = (self.start, self.number);
        self.number += 1;
        let (mut proteins, mut rejected, mut counts) = (Vec::new(), Vec::new(), SliceCounts::default());
        loop {
            match self.rows.due()? {
                Due::Nothing => {
                    self.is_at_end = true;
                    let range = KeyRange { number, end: None, proteins, is_done: false };
                    return Ok(Some(PlannedRange { range, start, rejected, counts }));
                }
                Due::Clan => {
                    self.rows.take_clan_row();
                }
                Due::Rejected => {
                    if rejected.len() >= REJECTED_MAX {
                        let end = self.previous.map_or(start, |previous| start.max(previous + 1));
                        self.start = end;
                        let range = KeyRange { number, end: Some(end), proteins, is_done: false };
                        return Ok(Some(PlannedRange { range, start, rejected, counts }));
                    }
                    if let Some((file, row)) = self.rows.take_rejected() {
                        count(&mut counts.num_read, file, 1);
                        rejected.push((file, row));
                    }
                }
                Due::Row => {
                    let Some(row) = self.rows.row() else { continue };
                    let is_again = self.previous == Some(row.key);
                    let is_full = proteins.len() >= self.range_proteins && !is_again;
                    if is_full || (is_again && rejected.len() >= REJECTED_MAX) {
                        let end = if is_again { row.key + 1 } else { row.key };
                        self.start = end;
                        let range = KeyRange { number, end: Some(end), proteins, is_done: false };
                        return Ok(Some(PlannedRange { range, start, rejected, counts }));
                    }
                    count(&mut counts.num_read, row.place.file(), 1);
                    let size = ClusterRow::take(row.payload).map_err(|_| Error::Spill)?.size;
                    if is_again {
                        let rejection = Rejection::new(Reason::DuplicateAccession, "the accession was there before");
                        let excerpt = row.key.to_string().into_bytes();
                        rejected.push((row.place.file(), RejectedRow { line: row.place.row(), rejection, excerpt }));
                    } else {
                        self.previous = Some(row.key);
                        proteins.push(RangeProtein { number: row.key, cluster_size: size, place: row.place });
                    }
                    self.rows.pass_row();
                }
            }
        }
    }
}
