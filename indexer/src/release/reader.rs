//! One thread a table: reads its rows in order and cuts them into the slices of the key ranges.

use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender};

use super::block::{Row, RowBlock, RowPlace};
use super::cursor::{Due, RowCursor};
use super::range::{KeyRange, SliceCounts, SlicePart, SliceSender, count};
use super::rows::BiomeRow;
use super::source::RowSource;
use super::table::Table;
use crate::Result;
use crate::run::RejectedRow;

/// How many bad rows are sent at once.
const REJECTED_CHUNK: usize = 256;

/// A range that readers have to cut a slice for.
pub(super) type SliceOrder = (Arc<KeyRange>, SliceSender);

/// Reads a table whose rows are in order.
pub(super) struct TableReader {
    /// The table.
    table: Table,
    /// The rows.
    rows: RowCursor,
    /// A part takes a place before it is sent, and the worker that consumes it gives the place back.
    places: Sender<()>,
}

/// Nobody wants the rest.
struct Abandoned;

/// The slice of a range, while it is being cut.
struct Slice<'a> {
    /// The range.
    range: &'a KeyRange,
    /// The next protein of the range that a row may belong to.
    next_protein: usize,
    /// Takes the parts.
    sender: SliceSender,
    /// See [`TableReader::places`].
    places: &'a Sender<()>,
    /// The rows that were not sent yet.
    block: RowBlock,
    /// The bad rows that were not sent yet.
    rejected: Vec<(u16, RejectedRow)>,
    /// What was read.
    counts: SliceCounts,
    /// See [`SliceCounts::proteins_by_biome`]; the index is the ordinal.
    proteins_by_biome: Vec<u64>,
}

impl TableReader {
    /// Starts before the first row.
    pub(super) fn new(table: Table, source: Box<dyn RowSource>, places: Sender<()>) -> Self {
        Self { table, rows: RowCursor::new(table, source), places }
    }

    /// Returns the table.
    pub(super) fn table(&self) -> Table {
        self.table
    }

    /// Cuts a slice for every range that is ordered. Ends early, without an error, when nobody takes the slices any more.
    ///
    /// # Errors
    ///
    /// * The input cannot be read, or is not in order.
    pub(super) fn run(mut self, orders: &Receiver<SliceOrder>) -> Result<()> {
        let places = self.places.clone();
        for (range, sender) in orders {
            let mut slice = Slice::new(&range, sender, &places);
            if self.cut(&mut slice)?.is_err() || slice.finish().is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes all rows of a range. Bad rows belong to the range of the good row before them, which is the same wherever a run
    /// starts to read.
    fn cut(&mut self, slice: &mut Slice<'_>) -> Result<std::result::Result<(), Abandoned>> {
        loop {
            let taken = match self.rows.due()? {
                Due::Nothing => return Ok(Ok(())),
                Due::Rejected => self.rows.take_rejected().map_or(Ok(()), |(file, row)| slice.reject(file, row)),
                Due::Clan => {
                    slice.pass_clan(self.rows.take_clan_row());
                    Ok(())
                }
                Due::Row => match self.rows.row().filter(|row| !slice.range.is_before(row.key)) {
                    None => return Ok(Ok(())),
                    Some(row) => {
                        let taken = slice.take(row, self.table);
                        self.rows.pass_row();
                        taken
                    }
                },
            };
            if taken.is_err() {
                return Ok(Err(Abandoned));
            }
        }
    }
}

impl<'a> Slice<'a> {
    /// Starts an empty slice.
    fn new(range: &'a KeyRange, sender: SliceSender, places: &'a Sender<()>) -> Self {
        Self {
            range,
            next_protein: 0,
            sender,
            places,
            block: RowBlock::default(),
            rejected: Vec::new(),
            counts: SliceCounts::default(),
            proteins_by_biome: Vec::new(),
        }
    }

    /// Takes a good row.
    fn take(&mut self, row: Row<'_>, table: Table) -> std::result::Result<(), Abandoned> {
        if self.range.is_done {
            return Ok(());
        }
        count(&mut self.counts.num_read, row.place.file(), 1);
        if table == Table::Biomes
            && let Ok(BiomeRow { biome, .. }) = BiomeRow::take(row.payload)
        {
            let index = biome as usize;
            if self.proteins_by_biome.len() <= index {
                self.proteins_by_biome.resize(index + 1, 0);
            }
            self.proteins_by_biome[index] += 1;
        }
        let proteins = &self.range.proteins;
        while proteins.get(self.next_protein).is_some_and(|protein| protein.number < row.key) {
            self.next_protein += 1;
        }
        let is_wanted = proteins.get(self.next_protein).is_some_and(|protein| protein.number == row.key);
        let payload = if is_wanted { row.payload } else { &[] };
        self.block.push(row.key, row.place, |out| out.extend(payload));
        if self.block.is_full() { self.send_block() } else { Ok(()) }
    }

    /// Counts a row that has a clan in place of a family.
    fn pass_clan(&mut self, place: Option<RowPlace>) {
        if let Some(place) = place {
            count(&mut self.counts.num_read, place.file(), 1);
            count(&mut self.counts.num_clan_rows, place.file(), 1);
        }
    }

    /// Takes a bad row.
    fn reject(&mut self, file: u16, row: RejectedRow) -> std::result::Result<(), Abandoned> {
        if self.range.is_done {
            return Ok(());
        }
        count(&mut self.counts.num_read, file, 1);
        self.rejected.push((file, row));
        if self.rejected.len() >= REJECTED_CHUNK { self.send_rejected() } else { Ok(()) }
    }

    /// Sends all that is left.
    fn finish(mut self) -> std::result::Result<(), Abandoned> {
        if self.range.is_done {
            return Ok(());
        }
        self.send_block()?;
        self.send_rejected()?;
        let mut counts = std::mem::take(&mut self.counts);
        let by_biome = (0..).zip(std::mem::take(&mut self.proteins_by_biome));
        counts.proteins_by_biome = by_biome.filter(|&(_, num)| num > 0).collect();
        self.send(SlicePart::End(counts))
    }

    /// Sends the rows.
    fn send_block(&mut self) -> std::result::Result<(), Abandoned> {
        if self.block.is_empty() {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        self.send(SlicePart::Rows(block))
    }

    /// Sends the bad rows.
    fn send_rejected(&mut self) -> std::result::Result<(), Abandoned> {
        if self.rejected.is_empty() {
            return Ok(());
        }
        let rejected = std::mem::take(&mut self.rejected);
        self.send(SlicePart::Rejected(rejected))
    }

    /// Sends a part as soon as there is a place for it.
    fn send(&self, part: SlicePart) -> std::result::Result<(), Abandoned> {
        self.places.send(()).map_err(|_| Abandoned)?;
        self.sender.send(part).map_err(|_| Abandoned)
    }
}
