//! What sources of rows give: one contract for Parquet, tab-separated text, FASTA and sorted runs.

use crate::Result;
use crate::rejects::{RejectedRow, Rejection, excerpt};
use crate::report::PassedOver;

use super::block::{RowBlock, RowOrigin};

/// Rows that were read. Every row is either in `rows` or in `left_out`.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Good rows, in the order of the input.
    pub(crate) rows: RowBlock,
    /// All other rows, in the order of the input.
    pub(crate) left_out: Vec<(RowOrigin, LeftOut)>,
}

/// Why a row is not among the rows of its batch.
#[derive(Clone, Debug)]
pub(crate) enum LeftOut {
    Rejected(RejectedRow),
    PassedOver(PassedOver),
    /// It is of another table that was read to make these rows, and was used for them.
    Used,
}

/// The rows of a table.
pub(crate) trait RowSource: Send {
    /// Appends the next rows, about a block of them, in the order of the input; false at the end. It may append nothing and still
    /// not be at the end.
    ///
    /// # Errors
    ///
    /// * A file cannot be read or decoded: the error names file and line, or file and row group.
    fn next(&mut self, batch: &mut Batch) -> Result<bool>;

    /// Skips rows whose keys are below `key`, as far as that is cheaper than reading them. Only called before the first
    /// [`RowSource::next`], for a table that is in order; origins of later rows are as if all had been read.
    ///
    /// # Errors
    ///
    /// * A file cannot be read.
    fn skip_before(&mut self, key: u64) -> Result<()> {
        let _ = key;
        Ok(())
    }
}

impl Batch {
    /// Leaves out a bad row. `text` is what the row looks like.
    #[cold]
    pub(crate) fn reject(&mut self, origin: RowOrigin, rejection: Rejection, text: &[u8]) {
        let row = RejectedRow { line: origin.row(), rejection, excerpt: excerpt(text).to_vec() };
        self.left_out.push((origin, LeftOut::Rejected(row)));
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.left_out.clear();
    }
}
