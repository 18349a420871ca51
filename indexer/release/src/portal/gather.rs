//! The first half of a run: rows are read and checked, and their records are sorted, keeping the
//! order of the input.

use std::io::Read;

use indexer::input::{BytesRead, Input};
use indexer::lines::{LINE_BYTES_MAX, Line, LineBatch, LineReader};
use indexer::ordered::Queue;
use indexer::run::{Notes, Reason, RejectedRow, Rejection, RowOrigin, Rows, StageReport, excerpt, read_in_order};
use indexer::sort::Sorter;
use indexer::{Error, Result};
use serde::{Deserialize, Serialize};
use store::{BiomeTable, FamilyTable, InputEntry, ProteinAccession};

use super::columns::Columns;
use super::row::RowParser;

/// Results in addition to the records in the sorter.
pub(super) struct Gathered {
    pub(super) inputs: Vec<InputEntry>,
    pub(super) notes: Notes,
    pub(super) stage: StageReport,
}

/// Reads all inputs, which have `total_bytes` on disk if known, and checks their rows on
/// `num_threads` threads.
pub(super) fn gather(
    inputs: &[Input],
    total_bytes: u64,
    biomes: &BiomeTable,
    families: &FamilyTable,
    num_threads: usize,
    sorter: &mut Sorter,
    rows: &mut Rows,
) -> Result<Gathered> {
    let mut notes = Notes::default();
    let worker = || {
        let mut parser = RowParser::new(biomes, families);
        move |batch: RowBatch| check(&mut parser, &batch)
    };
    let read = |file: usize, reader, queue: &mut _| read(&inputs[file], file, reader, queue);
    let (inputs, stage) = read_in_order(inputs, total_bytes, num_threads, read, worker, |batch: CheckedBatch| {
        rows.files[batch.file].num_read += (batch.records.len() + batch.rejected.len()) as u64;
        notes.add(batch.notes);
        batch.rejected.iter().try_for_each(|row| rows.reject(batch.file, row))?;
        let mut records = batch.records.iter();
        records.try_for_each(|(accession, record)| sorter.push_value(accession.number(), record))
    })?;
    Ok(Gathered { inputs, notes, stage })
}

fn read(input: &Input, file: usize, reader: Box<dyn Read + Send>, queue: &mut Queue<RowBatch>) -> Result<()> {
    let mut batches = RowBatches::new(input, file, reader);
    while let Some(batch) = batches.next()? {
        queue.push(batch).map_err(|source| input.error(0, source))?;
    }
    Ok(())
}

/// Reads the first rows of a file, whose header must have the columns.
pub(super) fn read_header(input: &Input) -> Result<()> {
    let reader = input.open(&BytesRead::default(), None).map_err(|source| input.error(0, source))?;
    RowBatches::new(input, 0, reader).next().map(drop)
}

/// The rows of an input, in batches.
pub(super) struct RowBatches<'a> {
    input: &'a Input,
    file: usize,
    reader: LineReader<Box<dyn Read + Send>>,
    /// The columns, known from the first line on.
    columns: Option<Columns>,
}

impl<'a> RowBatches<'a> {
    pub(super) fn new(input: &'a Input, file: usize, reader: Box<dyn Read + Send>) -> Self {
        Self { input, file, reader: LineReader::new(reader), columns: None }
    }

    pub(super) fn next(&mut self) -> Result<Option<RowBatch>> {
        let Self { input, file, reader, columns } = self;
        let read = reader.next_batch();
        let Some(lines) = read.map_err(|source| input.error(reader.num_lines(), source))? else { return Ok(None) };
        let mut header_line = None;
        if columns.is_none()
            && let Some(first) = lines.lines().find(|line| !line.bytes.is_empty())
        {
            let table_error = |problem| Error::table(&input.name(), first.number, problem);
            let header = Columns::from_header(first.bytes).map_err(table_error)?;
            header_line = header.is_some().then_some(first.number);
            *columns = Some(header.unwrap_or_default());
        }
        Ok(Some(RowBatch { file: *file, columns: columns.unwrap_or_default(), lines, header_line }))
    }
}

pub(super) struct RowBatch {
    file: usize,
    columns: Columns,
    lines: LineBatch,
    header_line: Option<u64>,
}

pub(super) struct CheckedBatch {
    file: usize,
    pub(super) records: Vec<(ProteinAccession, EncodedRecord)>,
    pub(super) rejected: Vec<RejectedRow>,
    pub(super) notes: Notes,
}

/// The record of a good row, as the sorter stores it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EncodedRecord {
    pub(super) origin: RowOrigin,
    #[serde(with = "serde_bytes")]
    pub(super) record: Vec<u8>,
}

pub(super) fn check(parser: &mut RowParser<'_>, batch: &RowBatch) -> CheckedBatch {
    let (mut records, mut rejected) = (Vec::new(), Vec::new());
    let is_row = |line: &Line<'_>| !line.bytes.is_empty() && Some(line.number) != batch.header_line;
    for line in batch.lines.lines().filter(is_row) {
        match check_row(parser, batch, line) {
            Ok(record) => records.push(record),
            Err(rejection) => rejected.push(rejection.at_row(line.number, line.bytes)),
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
    let origin = RowOrigin { file: batch.file, line: line.number, excerpt: excerpt(line.bytes).to_vec() };
    Ok((accession, EncodedRecord { origin, record }))
}
