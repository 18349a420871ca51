//! One thread per table: reads its rows in order and cuts them into the slices of the key ranges.

use std::mem;

use crossbeam::channel::{Receiver, Sender};

use crate::read::{LeftOut, Row, RowOrigin};
use crate::threads::Stop;

use super::cursor::{Next, RowCursor};
use super::range::{RangeProtein, SliceOrder, SlicePart};
use super::tally::Tally;

const REJECTED_CHUNK: usize = 256;

pub(crate) struct TableReader<'a> {
    pub(crate) rows: RowCursor,
    /// Permits for parts: one is acquired before a part is sent, and given back by the worker that
    /// consumes it.
    pub(crate) permits: Sender<()>,
    /// Called after each part that was sent.
    pub(crate) show_progress: &'a (dyn Fn() + Sync),
}

impl TableReader<'_> {
    pub(crate) fn run(mut self, orders: &Receiver<SliceOrder>) -> Result<(), Stop> {
        for SliceOrder { range, parts } in orders {
            let Some(parts) = parts else {
                self.skip(range.keys.end)?;
                continue;
            };
            let mut slice = Slice {
                proteins: &range.proteins,
                parts,
                permits: &self.permits,
                show_progress: self.show_progress,
                part: SlicePart::default(),
                tally: Tally::default(),
            };
            // Bad rows belong to the range of the good row before them, which is the same wherever
            // a run starts to read.
            loop {
                match self.rows.peek()? {
                    Next::Row(row) if row.key < range.keys.end => slice.take(row)?,
                    Next::LeftOut(origin, left_out) => slice.leave_out(origin, left_out)?,
                    Next::Row(_) | Next::End => break,
                }
                self.rows.advance();
            }
            slice.finish()?;
        }
        Ok(())
    }

    fn skip(&mut self, end: u64) -> Result<(), Stop> {
        loop {
            match self.rows.peek()? {
                Next::Row(row) if row.key >= end => return Ok(()),
                Next::End => return Ok(()),
                Next::Row(_) | Next::LeftOut(..) => self.rows.advance(),
            }
        }
    }
}

struct Slice<'a> {
    /// The proteins of the range that further rows may belong to.
    proteins: &'a [RangeProtein],
    parts: Sender<SlicePart>,
    permits: &'a Sender<()>,
    show_progress: &'a (dyn Fn() + Sync),
    part: SlicePart,
    tally: Tally,
}

impl Slice<'_> {
    fn take(&mut self, row: Row<'_>) -> Result<(), Stop> {
        self.tally.read(row.origin.file(), 1);
        while let Some((first, rest)) = self.proteins.split_first()
            && first.number < row.key
        {
            self.proteins = rest;
        }
        let is_wanted = self.proteins.first().is_some_and(|protein| protein.number == row.key);
        let payload = if is_wanted { row.payload } else { &[] };
        self.part.rows.push_encoded(Row { payload, ..row });
        if self.part.rows.is_full() { self.send() } else { Ok(()) }
    }

    fn leave_out(&mut self, origin: RowOrigin, left_out: &LeftOut) -> Result<(), Stop> {
        let rejected = self.tally.leave_out(origin, left_out);
        self.part.rejected.extend(rejected.map(|row| (origin.file(), row.clone())));
        if self.part.rejected.len() >= REJECTED_CHUNK { self.send() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<(), Stop> {
        self.part.tally = Some(mem::take(&mut self.tally));
        self.send()
    }

    /// Sends a part as soon as there is a permit for it.
    fn send(&mut self) -> Result<(), Stop> {
        self.permits.send(()).map_err(|_| Stop::Aborted)?;
        self.parts.send(mem::take(&mut self.part)).map_err(|_| Stop::Aborted)?;
        (self.show_progress)();
        Ok(())
    }
}
