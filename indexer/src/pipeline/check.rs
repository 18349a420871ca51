//! The second stage: threads turn rows into stored records, or reject them.

use std::panic::{self, AssertUnwindSafe};
use std::thread;

use crossbeam::channel::{Receiver, Sender};
use store::{BiomeTable, FamilyTable, ProteinAccession};

use crate::lines::{LINE_BYTES_MAX, Line};
use crate::notes::Notes;
use crate::portal::{Columns, RowParser};
use crate::rejects::{Reason, RejectedRow, Rejection, excerpt};

use super::read::RowBatch;

/// The rows of a batch, checked.
pub(super) struct CheckedBatch {
    /// The rank of the batch among all, 0-based.
    pub(super) sequence: u64,
    /// The input, by position.
    pub(super) file: usize,
    /// How many rows the batch had.
    pub(super) num_rows: u64,
    /// The good rows.
    pub(super) rows: Vec<CheckedRow>,
    /// The bad ones.
    pub(super) rejected: Vec<RejectedRow>,
    /// What was worth telling.
    pub(super) notes: Notes,
}

/// A good row.
pub(super) struct CheckedRow {
    /// The accession.
    pub(super) accession: ProteinAccession,
    /// The line, 1-based.
    pub(super) line: u64,
    /// The start of the raw text.
    pub(super) excerpt: Vec<u8>,
    /// The record as it will be stored.
    pub(super) record: Vec<u8>,
}

/// Checks batches until there are no more, or nobody takes them any more.
pub(super) fn check(
    (biomes, families): (&BiomeTable, &FamilyTable),
    batches: &Receiver<RowBatch>,
    checked: &Sender<thread::Result<CheckedBatch>>,
) {
    let mut parser = RowParser::new(biomes, families);
    for batch in batches {
        // A panic goes to the collector, which would wait for the batch for ever.
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| check_batch(&mut parser, &batch)));
        if checked.send(outcome).is_err() {
            return;
        }
    }
}

/// Checks the rows of a batch.
fn check_batch(parser: &mut RowParser<'_>, batch: &RowBatch) -> CheckedBatch {
    let mut checked = CheckedBatch {
        sequence: batch.sequence,
        file: batch.file,
        num_rows: 0,
        rows: Vec::new(),
        rejected: Vec::new(),
        notes: Notes::default(),
    };
    for line in batch.lines.lines() {
        if line.bytes.is_empty() || Some(line.number) == batch.header_line {
            continue;
        }
        checked.num_rows += 1;
        match check_row(parser, &batch.columns, line) {
            Ok(row) => checked.rows.push(row),
            Err(rejection) => {
                let excerpt = excerpt(line.bytes).to_vec();
                checked.rejected.push(RejectedRow { line: line.number, rejection, excerpt });
            }
        }
    }
    checked.notes = parser.take_notes();
    checked
}

/// Checks a row.
fn check_row(parser: &mut RowParser<'_>, columns: &Columns, line: Line<'_>) -> Result<CheckedRow, Rejection> {
    if line.is_cut {
        return Err(Rejection::new(Reason::TooLong, format!("longer than {LINE_BYTES_MAX} bytes")));
    }
    let (accession, record) = parser.parse(columns, line.bytes)?;
    let mut stored = Vec::new();
    record.encode(accession, &mut stored);
    Ok(CheckedRow { accession, line: line.number, excerpt: excerpt(line.bytes).to_vec(), record: stored })
}
