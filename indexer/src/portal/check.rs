//! Rows become encoded records, or are rejected.

use store::ProteinAccession;

use super::columns::Columns;
use super::gather::RowBatch;
use super::row::RowParser;
use crate::lines::{LINE_BYTES_MAX, Line};
use crate::run::{Notes, Reason, RejectedRow, Rejection, excerpt};

/// The rows of a batch, checked.
pub(super) struct CheckedBatch {
    /// The input, by position.
    pub(super) file: usize,
    /// The good rows.
    pub(super) rows: Vec<CheckedRow>,
    pub(super) rejected: Vec<RejectedRow>,
    pub(super) notes: Notes,
}

/// A good row.
pub(super) struct CheckedRow {
    pub(super) accession: ProteinAccession,
    /// 1-based.
    pub(super) line: u64,
    /// The start of the text.
    pub(super) excerpt: Vec<u8>,
    /// The encoded record.
    pub(super) record: Vec<u8>,
}

/// Checks the rows of a batch.
pub(super) fn check(parser: &mut RowParser<'_>, batch: &RowBatch) -> CheckedBatch {
    let (mut rows, mut rejected) = (Vec::new(), Vec::new());
    let is_row = |line: &Line<'_>| !line.bytes.is_empty() && Some(line.number) != batch.header_line;
    for line in batch.lines.lines().filter(is_row) {
        match check_row(parser, &batch.columns, line) {
            Ok(row) => rows.push(row),
            Err(rejection) => rejected.push(rejection.of_row(line.number, line.bytes)),
        }
    }
    CheckedBatch { file: batch.file, rows, rejected, notes: parser.take_notes() }
}

fn check_row(parser: &mut RowParser<'_>, columns: &Columns, line: Line<'_>) -> Result<CheckedRow, Rejection> {
    if line.is_cut {
        return Err(Rejection::new(Reason::TooLong, format!("longer than {LINE_BYTES_MAX} bytes")));
    }
    let (accession, parsed) = parser.parse(columns, line.bytes)?;
    let mut record = Vec::new();
    parsed.encode(accession, &mut record);
    Ok(CheckedRow { accession, line: line.number, excerpt: excerpt(line.bytes).to_vec(), record })
}
