//! Plans the key ranges: a fixed number of consecutive indexed proteins per range.

use std::sync::Arc;

use indexer::Result;
use indexer::run::{Reason, RejectedRow, Rejection};

use crate::read::{LeftOut, RowSource};
use crate::table::Table;

use super::cursor::{Next, RowCursor};
use super::range::{KEYS_END, KeyRange, RangeProtein};
use super::tally::Tally;

/// The number of bad rows that end a range early, so that they do not accumulate in memory. It
/// affects how ranges are cut, so it must be the same in every run.
const REJECTED_MAX: usize = 16_384;

pub(crate) struct PlannedRange {
    pub(crate) range: Arc<KeyRange>,
    /// Bad rows of the table with the proteins, each with its file.
    pub(crate) rejected: Vec<(u16, RejectedRow)>,
    pub(crate) tally: Tally,
}

pub(crate) struct Planner {
    /// Rows of clusters, by the protein that is indexed.
    rows: RowCursor,
    range_proteins: usize,
    /// Set if the rows are those of sequences, which are read a second time, and counted then.
    are_sequences: bool,
    number: u32,
    /// The first key of the next range, or [`KEYS_END`] after the last one.
    start: u64,
    /// The key of the last protein.
    previous: Option<u64>,
}

impl Planner {
    pub(crate) fn new(table: Table, source: Box<dyn RowSource>, range_proteins: usize) -> Self {
        let (rows, are_sequences) = (RowCursor::new(table, source), table == Table::Sequences);
        Self { rows, range_proteins, are_sequences, number: 0, start: 0, previous: None }
    }

    /// Plans the next range. There is at least one, and the last one ends at [`KEYS_END`].
    pub(crate) fn next_range(&mut self) -> Result<Option<PlannedRange>> {
        if self.start == KEYS_END {
            return Ok(None);
        }
        let (mut proteins, mut rejected, mut tally) = (Vec::new(), Vec::new(), Tally::default());
        let end = loop {
            match self.rows.peek()? {
                Next::End => break KEYS_END,
                Next::LeftOut(origin, LeftOut::Rejected(row)) => {
                    if rejected.len() >= REJECTED_MAX {
                        break self.previous.map_or(self.start, |previous| self.start.max(previous + 1));
                    }
                    tally.read(origin.file(), 1);
                    rejected.push((origin.file(), row.clone()));
                }
                Next::LeftOut(..) => {}
                Next::Row(row) if self.previous == Some(row.key) && self.are_sequences => {}
                Next::Row(row) if self.previous == Some(row.key) => {
                    if rejected.len() >= REJECTED_MAX {
                        break row.key + 1;
                    }
                    tally.read(row.origin.file(), 1);
                    let rejection = Rejection::new(Reason::DuplicateAccession, "the accession occurred before");
                    let excerpt = row.key.to_string().into_bytes();
                    rejected.push((row.origin.file(), RejectedRow { line: row.origin.row(), rejection, excerpt }));
                }
                Next::Row(row) => {
                    if proteins.len() >= self.range_proteins {
                        break row.key;
                    }
                    let origin = (!self.are_sequences).then_some(row.origin);
                    if let Some(origin) = origin {
                        tally.read(origin.file(), 1);
                    }
                    self.previous = Some(row.key);
                    proteins.push(RangeProtein { number: row.key, cluster: row.decode()?, origin });
                }
            }
            self.rows.advance();
        };
        let range = Arc::new(KeyRange { number: self.number, keys: self.start..end, proteins });
        self.start = end;
        self.number += 1;
        Ok(Some(PlannedRange { range, rejected, tally }))
    }
}
