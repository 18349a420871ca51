//! Rows in blocks: a key, the place that the row came from, and bytes whose form depends on the table (see [`super::rows`]).

/// How many bytes of rows make a block.
pub(crate) const BLOCK_BYTES: usize = 128 * 1024;

/// How many rows make a block, however short they are.
pub(crate) const BLOCK_ROWS: usize = 4096;

/// How many bits of a place are the number of the row.
const ROW_BITS: u32 = 48;

/// Where a row stands: the input file, by its position in the run, and the row in it, 1-based. In a text file that is the line,
/// in FASTA the line of the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RowPlace(u64);

impl RowPlace {
    /// Makes a place.
    pub(crate) fn new(file: u16, row: u64) -> Self {
        debug_assert!(row >> ROW_BITS == 0, "no file has that many rows");
        Self(u64::from(file) << ROW_BITS | row)
    }

    /// Returns the file, by its position in the run.
    pub(crate) const fn file(self) -> u16 {
        (self.0 >> ROW_BITS) as u16
    }

    /// Returns the row, 1-based.
    pub(crate) const fn row(self) -> u64 {
        self.0 & ((1 << ROW_BITS) - 1)
    }

    /// Returns the place in one number.
    pub(crate) const fn to_bits(self) -> u64 {
        self.0
    }

    /// Returns the place of which [`RowPlace::to_bits`] made a number.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// A row of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    /// What the table is ordered by: the number of a protein or contig.
    pub(crate) key: u64,
    /// Where the row came from.
    pub(crate) place: RowPlace,
    /// The rest of the row.
    pub(crate) payload: &'a [u8],
}

/// Some rows that follow one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowBlock {
    /// Key, place and end of the payload of each row.
    rows: Vec<(u64, RowPlace, usize)>,
    /// The payloads.
    payloads: Vec<u8>,
}

impl RowBlock {
    /// Appends a row whose payload is what `put` appends to the bytes that it is given.
    pub(crate) fn push(&mut self, key: u64, place: RowPlace, put: impl FnOnce(&mut Vec<u8>)) {
        put(&mut self.payloads);
        self.rows.push((key, place, self.payloads.len()));
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Tells whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Tells whether the block is as large as blocks should be.
    pub(crate) fn is_full(&self) -> bool {
        self.payloads.len() >= BLOCK_BYTES || self.rows.len() >= BLOCK_ROWS
    }

    /// Returns a row, 0-based.
    pub(crate) fn get(&self, index: usize) -> Option<Row<'_>> {
        let &(key, place, end) = self.rows.get(index)?;
        let start = if index == 0 { 0 } else { self.rows[index - 1].2 };
        Some(Row { key, place, payload: &self.payloads[start..end] })
    }

    /// Returns the rows.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Removes all rows.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.payloads.clear();
    }
}
