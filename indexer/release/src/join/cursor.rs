//! Walks through the rows of a source, good and bad, in the order of the input, and checks that the
//! keys ascend.

use indexer::{Error, Result};

use crate::read::{Batch, LeftOut, Row, RowOrigin, RowSource};
use crate::table::Table;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Next<'a> {
    Row(Row<'a>),
    LeftOut(RowOrigin, &'a LeftOut),
    End,
}

pub(crate) struct RowCursor {
    table: Table,
    source: Box<dyn RowSource>,
    batch: Batch,
    row: usize,
    left_out: usize,
    previous_key: u64,
    is_at_end: bool,
}

impl RowCursor {
    pub(crate) fn new(table: Table, source: Box<dyn RowSource>) -> Self {
        Self { table, source, batch: Batch::default(), row: 0, left_out: 0, previous_key: 0, is_at_end: false }
    }

    /// Returns the next row without passing it.
    pub(crate) fn peek(&mut self) -> Result<Next<'_>> {
        while self.row == self.batch.rows.len() && self.left_out == self.batch.left_out.len() {
            if self.is_at_end {
                return Ok(Next::End);
            }
            self.batch.clear();
            (self.row, self.left_out) = (0, 0);
            self.is_at_end = !self.source.next(&mut self.batch)?;
        }
        let next = self.next_of_batch();
        match next {
            Next::Row(row) if row.key < self.previous_key => Err(Error::OutOfOrder { table: self.table.name() }),
            _ => Ok(next),
        }
    }

    pub(crate) fn advance(&mut self) {
        match self.next_of_batch() {
            Next::Row(Row { key, .. }) => {
                self.previous_key = key;
                self.row += 1;
            }
            Next::LeftOut(..) => self.left_out += 1,
            Next::End => {}
        }
    }

    fn next_of_batch(&self) -> Next<'_> {
        let row = self.batch.rows.get(self.row);
        match (row, self.batch.left_out.get(self.left_out)) {
            (Some(row), Some((origin, _))) if row.origin < *origin => Next::Row(row),
            (_, Some((origin, left_out))) => Next::LeftOut(*origin, left_out),
            (Some(row), None) => Next::Row(row),
            (None, None) => Next::End,
        }
    }
}
