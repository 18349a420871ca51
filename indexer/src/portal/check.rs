//! Rows become encoded records, or are rejected.

use serde::{Deserialize, Serialize};
use store::ProteinAccession;

use super::columns::Columns;
use super::row::RowParser;
use crate::lines::{LINE_BYTES_MAX, Line, LineBatch};
use crate::run::{Notes, Reason, RejectedRow, Rejection, excerpt};

/// Lines of one input.
pub(super) struct RowBatch {
    /// The input, by position.
    pub(super) file: usize,
    pub(super) columns: Columns,
    pub(super) lines: LineBatch,
    /// The number of the header.
    pub(super) header_line: Option<u64>,
}

/// The rows of a batch, checked.
pub(super) struct CheckedBatch {
    /// The input, by position.
    pub(super) file: usize,
    pub(super) records: Vec<(ProteinAccession, EncodedRecord)>,
    pub(super) rejected: Vec<RejectedRow>,
    pub(super) notes: Notes,
}

/// The record of a good row, on its way through the sorter.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EncodedRecord {
    /// The input, by position.
    pub(super) file: usize,
    /// 1-based.
    pub(super) line: u64,
    /// The start of the row's text.
    #[serde(with = "serde_bytes")]
    pub(super) excerpt: Vec<u8>,
    #[serde(with = "serde_bytes")]
    pub(super) record: Vec<u8>,
}

/// Checks the rows of a batch.
pub(super) fn check(parser: &mut RowParser<'_>, batch: &RowBatch) -> CheckedBatch {
    let (mut records, mut rejected) = (Vec::new(), Vec::new());
    let is_row = |line: &Line<'_>| !line.bytes.is_empty() && Some(line.number) != batch.header_line;
    for line in batch.lines.lines().filter(is_row) {
        match check_row(parser, batch, line) {
            Ok(record) => records.push(record),
            Err(rejection) => rejected.push(rejection.of_row(line.number, line.bytes)),
        }
    }
    CheckedBatch { file: batch.file, records, rejected, notes: parser.take_notes() }
}

fn check_row(
    parser: &mut RowParser<'_>,
    batch: &RowBatch,
    line: Line<'_>,
) -> Result<(ProteinAccession, EncodedRecord), Rejection> {
    if line.is_cut {
        return Err(Rejection::new(Reason::TooLong, format!("longer than {LINE_BYTES_MAX} bytes")));
    }
    let (accession, parsed) = parser.parse(&batch.columns, line.bytes)?;
    let mut record = Vec::new();
    parsed.encode(accession, &mut record);
    let excerpt = excerpt(line.bytes).to_vec();
    Ok((accession, EncodedRecord { file: batch.file, line: line.number, excerpt, record }))
}
