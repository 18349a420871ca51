//! Some rows of a table, from the start of files and row groups everywhere in it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use indexer::Result;
use indexer::run::estimate::{scaled, spread};

use super::batch::Batch;
use super::layout::{Format, ReleaseFile, TableInput};
use super::lineages::Lineages;
use super::{num_rows, open, parquet};

/// From how many files or row groups of a table rows are read.
const PLACES_MAX: usize = 16;

/// The bytes of a text file that are read, as they are on disk.
const FILE_BYTES: u64 = 1 << 20;

/// A sample of the rows of a table.
pub(crate) struct SampledTable {
    /// The number of rows that were read.
    pub(crate) num_sampled: u64,
    /// The approximate number of rows of the table.
    pub(crate) num_rows: u64,
    /// The table was read whole, or says itself how many rows it has.
    pub(crate) is_exact: bool,
}

/// Reads rows of a table, and gives them to `visit` in blocks.
pub(crate) fn sample(
    input: &TableInput,
    lineages: &Arc<Lineages>,
    mut visit: impl FnMut(&Batch) -> Result<()>,
) -> Result<SampledTable> {
    let mut batch = Batch::default();
    let mut num_sampled = 0;
    let mut visit = |batch: &mut Batch| {
        num_sampled += (batch.rows.len() + batch.left_out.len()) as u64;
        let visited = visit(batch);
        batch.clear();
        visited
    };
    if input.format == Format::Parquet {
        let mut source = parquet::open_sample(input, lineages, PLACES_MAX)?;
        while source.next(&mut batch)? {
            visit(&mut batch)?;
        }
        let num_rows = num_rows(input)?.unwrap_or_default();
        return Ok(SampledTable { num_sampled, num_rows, is_exact: true });
    }
    let mut part_bytes = 0;
    let mut is_exact = input.files.len() <= PLACES_MAX;
    for file in spread(&input.files, PLACES_MAX) {
        // Its sum is not known before its end.
        let file = ReleaseFile { sum: None, ..file.clone() };
        let alone = TableInput { files: vec![file], ..input.clone() };
        let mut opened = open(&alone, lineages)?;
        let is_whole = loop {
            if !opened.source.next(&mut batch)? {
                break true;
            }
            visit(&mut batch)?;
            if opened.bytes_read.load(Ordering::Relaxed) >= FILE_BYTES {
                break false;
            }
        };
        is_exact &= is_whole;
        part_bytes += opened.bytes_read.load(Ordering::Relaxed);
    }
    let total_bytes = input.files.iter().map(|file| file.size_bytes).sum();
    Ok(SampledTable { num_sampled, num_rows: scaled(num_sampled, part_bytes, total_bytes), is_exact })
}
