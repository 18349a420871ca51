//! Sources of rows: one contract for Parquet, tab-separated text, FASTA and sorted runs.

use indexer::ahead::Ahead;
use indexer::run::{PassedOver, Reason, RejectedRow, Rejection};
use indexer::sort::{decode, encode};
use indexer::{Error, Result};
use serde::{Deserialize, Serialize};

const BLOCK_BYTES: usize = 128 * 1024;

/// The most rows of a block, however short they are.
pub(crate) const BLOCK_ROWS: usize = 4096;

const ROW_BITS: u32 = 48;

/// Work for another thread, which decodes rows for a source that was split.
pub(crate) type Decoding = Box<dyn FnOnce() + Send>;

/// Rows that were read. Every row is either in `rows` or in `left_out`.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) rows: RowBlock,
    /// All other rows, in the order of the input.
    pub(crate) left_out: Vec<(RowOrigin, LeftOut)>,
}

#[derive(Clone, Debug)]
pub(crate) enum LeftOut {
    Rejected(RejectedRow),
    PassedOver(PassedOver),
    /// The row was used to make these rows, but is from another table.
    Used,
}

pub(crate) trait RowSource: Send {
    /// Appends the next rows, about a block of them, in the order of the input. Returns false at
    /// the end. It may append nothing before the end.
    fn next(&mut self, batch: &mut Batch) -> Result<bool>;

    /// Skips rows whose keys are below `key`, as far as that is cheaper than reading them. Only
    /// called before the first [`RowSource::next`], for a table that is in order. The origins of
    /// later rows are as if all rows had been read.
    fn skip_before(&mut self, _key: u64) {}

    /// Moves decoding to `num_decoders` other threads, each of which must run one of the returned
    /// functions and may have `num_blocks` blocks ready. Returns no functions if the rows cannot be
    /// decoded separately. Only called before the first [`RowSource::next`], and after
    /// [`RowSource::skip_before`].
    fn split(&mut self, _num_decoders: usize, _num_blocks: usize) -> Vec<Decoding> {
        Vec::new()
    }
}

/// Rows of another source, each turned into another row.
pub(crate) struct MappedRows<F> {
    source: Box<dyn RowSource>,
    batch: Batch,
    /// Set if the rows are read for the second time, and are counted elsewhere.
    are_counted: bool,
    map: F,
}

impl<F: FnMut(Row<'_>, &mut Batch) -> Result<()>> MappedRows<F> {
    pub(crate) fn new(source: Box<dyn RowSource>, are_counted: bool, map: F) -> Self {
        Self { source, batch: Batch::default(), are_counted, map }
    }
}

impl<F: FnMut(Row<'_>, &mut Batch) -> Result<()> + Send> RowSource for MappedRows<F> {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        self.batch.clear();
        let is_more = self.source.next(&mut self.batch)?;
        self.batch.rows.iter().try_for_each(|row| (self.map)(row, batch))?;
        if !self.are_counted {
            batch.left_out.append(&mut self.batch.left_out);
        }
        Ok(is_more)
    }
}

/// Rows of another source, which another thread reads.
pub(crate) struct RowsAhead(Ahead<Batch>);

impl RowsAhead {
    pub(crate) fn start(mut source: Box<dyn RowSource>) -> Result<Self> {
        let mut is_more = true;
        let read = move || {
            let mut batch = Batch::default();
            let is_wanted = is_more;
            is_more = is_more && source.next(&mut batch)?;
            Ok(is_wanted.then_some(batch))
        };
        Ahead::start("read", read).map(Self)
    }
}

impl RowSource for RowsAhead {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        let Some(next) = self.0.receive()? else { return Ok(false) };
        batch.append(next);
        Ok(true)
    }
}

/// The reason why a row cannot become one of a batch.
pub(super) enum Fault {
    Rejected(Rejection),
    /// The annotation is a clan (`CL0193`) and not a family.
    Clan,
    Fatal(Error),
}

impl From<Rejection> for Fault {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Fatal(error)
    }
}

impl Batch {
    /// Leaves out a bad row. `text` is the row as shown in reports.
    #[cold]
    pub(crate) fn reject(&mut self, origin: RowOrigin, rejection: Rejection, text: &[u8]) {
        self.left_out.push((origin, LeftOut::Rejected(rejection.at_row(origin.row(), text))));
    }

    /// Leaves out a row, unless the fault ends the run.
    #[cold]
    pub(super) fn leave_out(&mut self, fault: impl Into<Fault>, origin: RowOrigin, text: &[u8]) -> Result<()> {
        match fault.into() {
            Fault::Rejected(rejection) => self.reject(origin, rejection, text),
            Fault::Clan => self.left_out.push((origin, LeftOut::PassedOver(PassedOver::Clan))),
            Fault::Fatal(error) => return Err(error),
        }
        Ok(())
    }

    /// Appends a row for each member of a cluster; only bad ones are left out. `text` is the row of
    /// the cluster as shown in reports.
    pub(super) fn push_members(
        &mut self,
        cluster: Result<u64, Rejection>,
        members: impl Iterator<Item = Result<u64, Rejection>>,
        origin: RowOrigin,
        text: impl Fn() -> String,
    ) {
        let reject = |batch: &mut Self, bad| batch.reject(origin, bad, text().as_bytes());
        let key = match cluster {
            Ok(key) => key,
            Err(bad) => return reject(self, bad),
        };
        let mut has_members = false;
        for member in members {
            has_members = true;
            match member {
                Ok(member) => self.rows.push(key, origin, &member),
                Err(bad) => reject(self, bad),
            }
        }
        if !has_members {
            reject(self, Rejection::new(Reason::BadRow, "the cluster has no members"));
        }
    }

    /// Appends other rows.
    pub(super) fn append(&mut self, other: Self) {
        if self.rows.is_empty() {
            self.rows = other.rows;
        } else {
            other.rows.iter().for_each(|row| self.rows.push_encoded(row));
        }
        self.left_out.extend(other.left_out);
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.left_out.clear();
    }
}

/// The origin of a row: the position of the input file in the run, and the 1-based row. In a text
/// file the row is the line, in FASTA the line of the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct RowOrigin(pub(crate) u64);

impl RowOrigin {
    pub(crate) fn new(file: u16, row: u64) -> Self {
        debug_assert!(row >> ROW_BITS == 0, "no file has that many rows");
        Self(u64::from(file) << ROW_BITS | row)
    }

    pub(crate) const fn file(self) -> u16 {
        (self.0 >> ROW_BITS) as u16
    }

    pub(crate) const fn row(self) -> u64 {
        self.0 & ((1 << ROW_BITS) - 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    /// The key that the table is ordered by: the number of a protein or contig.
    pub(crate) key: u64,
    pub(crate) origin: RowOrigin,
    pub(crate) payload: &'a [u8],
}

impl<'a> Row<'a> {
    pub(crate) fn decode<T: Deserialize<'a>>(self) -> Result<T> {
        decode(self.payload)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowBlock {
    /// Key, origin and end of the payload of each row.
    rows: Vec<(u64, RowOrigin, usize)>,
    payloads: Vec<u8>,
}

impl RowBlock {
    pub(crate) fn push(&mut self, key: u64, origin: RowOrigin, payload: &impl Serialize) {
        let payloads = std::mem::take(&mut self.payloads);
        self.payloads = encode(payload, payloads).expect("memory takes all, and rows can be encoded");
        self.rows.push((key, origin, self.payloads.len()));
    }

    /// Appends a row whose payload was encoded before.
    pub(crate) fn push_encoded(&mut self, row: Row<'_>) {
        self.payloads.extend_from_slice(row.payload);
        self.rows.push((row.key, row.origin, self.payloads.len()));
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns whether the block has reached its target size.
    pub(crate) fn is_full(&self) -> bool {
        self.payloads.len() >= BLOCK_BYTES || self.rows.len() >= BLOCK_ROWS
    }

    pub(crate) fn get(&self, index: usize) -> Option<Row<'_>> {
        let &(key, origin, end) = self.rows.get(index)?;
        let start = if index == 0 { 0 } else { self.rows[index - 1].2 };
        Some(Row { key, origin, payload: &self.payloads[start..end] })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows.len()).filter_map(|index| self.get(index))
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.payloads.clear();
    }
}
