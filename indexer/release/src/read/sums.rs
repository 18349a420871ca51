//! Comparing files with their MD5 sums if no reader reads them whole: readers of Parquet read only
//! the parts they need.

use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use indexer::input::{BytesRead, SummingReader};
use indexer::run::{Progress, StageReport, Unit};
use indexer::{Error, Result};

use crate::table::Table;
use crate::threads::{join, spawn};

use super::layout::{Format, KnownBy, Layout, ReleaseFile};

const BUFFER_BYTES: usize = 1 << 20;

/// Returns the files that are read only for their sums. Members of clusters are among them only
/// if the run reads them.
pub(crate) fn files_to_sum(layout: &Layout, reads_members: bool) -> Vec<&ReleaseFile> {
    let counted = layout.counted_tables();
    let is_read = |table: &Table| match table {
        Table::ClusterMembers => reads_members || layout.known_by() == KnownBy::Clusters || counted.contains(table),
        table => counted.contains(table),
    };
    let tables = layout.inputs.iter().filter(|&(table, input)| is_read(table) && input.format == Format::Parquet);
    tables.flat_map(|(_, input)| &input.files).filter(|file| file.sum.is_some()).collect()
}

/// Reads whole files, several at a time, and compares their sums.
pub(crate) fn check_sums(files: &[&ReleaseFile], num_threads: usize) -> Result<StageReport> {
    let progress = Progress::start("checking", Unit::Bytes, files.iter().map(|file| file.size_bytes).sum());
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (next, has_failed, shown) = (&next, &has_failed, &progress);
    thread::scope(|scope| {
        let check = |number: usize| {
            spawn(scope, format!("check {number}"), has_failed, move || {
                while !has_failed.load(Ordering::Relaxed)
                    && let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    check_sum(file, shown, has_failed)?;
                }
                Ok(())
            })
        };
        let threads = (0..num_threads.min(files.len())).map(check).collect::<Result<Vec<_>>>()?;
        threads.into_iter().try_for_each(join)
    })?;
    Ok(StageReport::new("checking", progress.finish()))
}

/// Reads a whole file, and compares its sum. Ends early, without an error, if another thread has
/// failed.
fn check_sum(file: &ReleaseFile, progress: &Progress, has_failed: &AtomicBool) -> Result<()> {
    let input_error = |source| Error::reading(file.name(), 0, source);
    let opened = File::open(&file.path).map_err(input_error)?;
    let mut reader = SummingReader::new(opened, &BytesRead::default(), file.sum.as_ref());
    let mut buffer = vec![0; BUFFER_BYTES];
    while !has_failed.load(Ordering::Relaxed) {
        let length = reader.read(&mut buffer).map_err(input_error)?;
        if length == 0 {
            break;
        }
        progress.add(length as u64);
    }
    Ok(())
}
