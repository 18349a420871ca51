//! Blocks of rows: a key, where the row came from, and bytes whose form depends on the table (see [`super::rows`]).

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::sort::decode;

const BLOCK_BYTES: usize = 128 * 1024;

/// How many rows make a block, however short they are.
pub(crate) const BLOCK_ROWS: usize = 4096;

const ROW_BITS: u32 = 48;

/// Where a row came from: the input file, by its position in the run, and the row in it, 1-based. In a text file that is the line,
/// in FASTA the line of the header.
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
    /// What the table is ordered by: the number of a protein or contig.
    pub(crate) key: u64,
    pub(crate) origin: RowOrigin,
    pub(crate) payload: &'a [u8],
}

impl<'a> Row<'a> {
    /// Decodes the payload.
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
        self.payloads = postcard::to_extend(payload, payloads).expect("memory takes all, and rows can be encoded");
        self.rows.push((key, origin, self.payloads.len()));
    }

    /// Appends a row whose payload was encoded before.
    pub(crate) fn push_encoded(&mut self, row: Row<'_>) {
        self.payloads.extend(row.payload);
        self.rows.push((row.key, row.origin, self.payloads.len()));
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Tells whether the block is as large as blocks should be.
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
