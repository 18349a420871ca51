//! The first half of a run: rows are read and checked, and their records go to the sorter in the order of the input.

use std::io::Read;

use store::{BiomeTable, FamilyTable, InputEntry};

use super::check::{CheckedBatch, RowBatch, check};
use super::columns::Columns;
use super::row::RowParser;
use crate::input::Input;
use crate::lines::LineReader;
use crate::ordered::Queue;
use crate::run::{Notes, Rows, StageReport, read_in_order};
use crate::sort::Sorter;
use crate::{Error, Result};

/// What was found, beside the records in the sorter.
pub(super) struct Gathered {
    pub(super) inputs: Vec<InputEntry>,
    pub(super) notes: Notes,
    pub(super) stage: StageReport,
}

/// Reads all inputs, which have `total_bytes` on disk as far as that is known, and checks their rows on `num_threads` threads.
pub(super) fn gather(
    inputs: &[Input],
    total_bytes: u64,
    (biomes, families): (&BiomeTable, &FamilyTable),
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

/// Cuts an input into batches of lines.
fn read(input: &Input, file: usize, reader: Box<dyn Read + Send>, queue: &mut Queue<RowBatch>) -> Result<()> {
    let mut reader = LineReader::new(reader);
    let mut columns = None;
    while let Some(lines) = reader.next_batch().map_err(|source| input.error(reader.num_lines(), source))? {
        let mut header_line = None;
        if columns.is_none()
            && let Some(first) = lines.lines().find(|line| !line.bytes.is_empty())
        {
            let table_error = |problem| Error::table(&input.name(), first.number, problem);
            let header = Columns::from_header(first.bytes).map_err(table_error)?;
            header_line = header.is_some().then_some(first.number);
            columns = Some(header.unwrap_or_default());
        }
        let batch = RowBatch { file, columns: columns.unwrap_or_default(), lines, header_line };
        queue.push(batch).map_err(|source| input.error(0, source))?;
    }
    Ok(())
}
