//! Surveys the inputs of a run by their first rows.

use std::sync::atomic::Ordering;

use indexer::input::{BytesRead, Input};
use indexer::run::estimate::{Estimate, Measured, scaled, scaled_time, spread};
use indexer::run::{FirstRejects, Notes};
use indexer::{Error, Result};
use store::{BiomeTable, FamilyTable};

use super::gather::{RowBatches, check};
use super::row::RowParser;

/// The most inputs that are read, and the bytes of each, as they are on disk.
const INPUTS_MAX: usize = 16;
const INPUT_BYTES: u64 = 1 << 20;

pub(super) struct Sample {
    pub(super) num_rows: u64,
    /// Nothing if some inputs are streams.
    pub(super) estimate: Option<Estimate>,
    pub(super) notes: Notes,
    /// Inputs that were read whole, and have no good row.
    pub(super) without_good_row: Vec<String>,
}

/// Reads the start of files, which have `total_bytes` in all. Streams, which can be read only once, are left alone.
///
/// # Errors
///
/// * A file cannot be read, has more bad rows than are allowed, or no file has a good one.
pub(super) fn sample(
    inputs: &[Input],
    total_bytes: u64,
    biomes: &BiomeTable,
    families: &FamilyTable,
    max_rejects: u64,
) -> Result<Sample> {
    let (mut notes, mut without_good_row) = (Notes::default(), Vec::new());
    let mut rejects = FirstRejects::default();
    let (mut num_rows, mut num_good, mut record_bytes) = (0, 0, 0);
    let bytes_read = BytesRead::default();
    let mut parser = RowParser::new(biomes, families);
    let measured = Measured::start();
    let is_file = |input: &Input| !matches!(input, Input::Path(path) if !path.is_file()) && *input != Input::Stdin;
    let files: Vec<&Input> = inputs.iter().filter(|input| is_file(input)).collect();
    let mut is_exact = files.len() <= INPUTS_MAX;
    for input in spread(&files, INPUTS_MAX) {
        let (start, num_good_before) = (bytes_read.load(Ordering::Relaxed), num_good);
        let reader = input.open(&bytes_read, None).map_err(|source| input.error(0, source))?;
        let mut batches = RowBatches::new(input, 0, reader);
        let is_whole = loop {
            let Some(batch) = batches.next()? else { break true };
            let checked = check(&mut parser, &batch);
            num_rows += (checked.records.len() + checked.rejected.len()) as u64;
            num_good += checked.records.len() as u64;
            record_bytes += checked.records.iter().map(|(_, record)| record.record.len() as u64).sum::<u64>();
            notes.add(checked.notes);
            rejects.add(&input.name(), &checked.rejected);
            if bytes_read.load(Ordering::Relaxed) - start >= INPUT_BYTES {
                break false;
            }
        };
        is_exact &= is_whole;
        if is_whole && num_good == num_good_before {
            without_good_row.push(input.name());
        }
    }
    rejects.check(max_rejects)?;
    if !files.is_empty() && without_good_row.len() == inputs.len() {
        return Err(Error::Refused { problem: "nothing to load: no file has a good row".to_owned() });
    }
    let part = bytes_read.load(Ordering::Relaxed);
    let estimate = Estimate {
        num_proteins: scaled(num_good, part, total_bytes),
        is_exact,
        record_bytes: scaled(record_bytes, part, total_bytes),
        reading: scaled_time(measured.elapsed(), part, total_bytes),
        num_rows_sampled: num_rows,
    };
    let estimate = (files.len() == inputs.len()).then_some(estimate);
    Ok(Sample { num_rows, estimate, notes, without_good_row })
}
