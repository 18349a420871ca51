//! Walks through the rows of a source, good and bad, in the order of the input, and checks that the keys ascend.

use super::block::{Row, RowPlace};
use super::source::{Batch, RowSource};
use super::table::Table;
use crate::run::RejectedRow;
use crate::{Error, Result};

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// A good row.
    Row,
    /// A bad row.
    Rejected,
    /// A row that has a clan in place of a family.
    Clan,
    /// Nothing: this is the end.
    Nothing,
}

/// Walks through the rows of a source.
pub(super) struct RowCursor {
    /// The table.
    table: Table,
    /// The rows.
    source: Box<dyn RowSource>,
    /// What was read.
    batch: Batch,
    /// The row of the batch that is due.
    next_row: usize,
    /// The bad row of the batch that is due.
    next_rejected: usize,
    /// The clan row of the batch that is due.
    next_clan_row: usize,
    /// The key of the row before.
    previous_key: u64,
    /// The source has no more rows.
    is_at_end: bool,
}

impl RowCursor {
    /// Starts before the first row.
    pub(super) fn new(table: Table, source: Box<dyn RowSource>) -> Self {
        Self {
            table,
            source,
            batch: Batch::default(),
            next_row: 0,
            next_rejected: 0,
            next_clan_row: 0,
            previous_key: 0,
            is_at_end: false,
        }
    }

    /// Tells what is due.
    ///
    /// # Errors
    ///
    /// * The input cannot be read, or is not in order.
    pub(super) fn due(&mut self) -> Result<Due> {
        loop {
            let row = self.batch.rows.get(self.next_row).map(|row| (row.key, row.place));
            let is_first = |place: RowPlace| row.is_none_or(|(_, other)| place <= other);
            if self.batch.rejected.get(self.next_rejected).is_some_and(|&(place, ..)| is_first(place)) {
                return Ok(Due::Rejected);
            }
            if self.batch.clan_rows.get(self.next_clan_row).is_some_and(|&place| is_first(place)) {
                return Ok(Due::Clan);
            }
            if let Some((key, _)) = row {
                let is_in_order = key >= self.previous_key;
                return if is_in_order { Ok(Due::Row) } else { Err(Error::OutOfOrder { table: self.table }) };
            }
            if self.is_at_end {
                return Ok(Due::Nothing);
            }
            self.batch.clear();
            (self.next_row, self.next_rejected, self.next_clan_row) = (0, 0, 0);
            self.is_at_end = !self.source.next(&mut self.batch)?;
        }
    }

    /// Returns the row that is due.
    pub(super) fn row(&self) -> Option<Row<'_>> {
        self.batch.rows.get(self.next_row)
    }

    /// Passes the row that was due.
    pub(super) fn pass_row(&mut self) {
        self.previous_key = self.row().map_or(self.previous_key, |row| row.key);
        self.next_row += 1;
    }

    /// Takes the bad row that is due, with its file.
    pub(super) fn take_rejected(&mut self) -> Option<(u16, RejectedRow)> {
        let (place, rejection, excerpt) = self.batch.rejected.get_mut(self.next_rejected)?;
        self.next_rejected += 1;
        let (rejection, excerpt) = (rejection.clone(), std::mem::take(excerpt));
        Some((place.file(), RejectedRow { line: place.row(), rejection, excerpt }))
    }

    /// Takes the clan row that is due.
    pub(super) fn take_clan_row(&mut self) -> Option<RowPlace> {
        let place = self.batch.clan_rows.get(self.next_clan_row).copied();
        self.next_clan_row += 1;
        place
    }
}
