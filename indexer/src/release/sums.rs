//! Comparing files with their MD5 sums where nobody reads them whole: readers of Parquet read what they need, and tables that are only
//! compared are read up to the first thing that is wrong with them.

use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::index::spawn;
use super::layout::{Format, Layout, ReleaseFile};
use super::table::Table;
use crate::input::{BytesRead, SummingReader};
use crate::run::{Progress, StageReport, Unit};
use crate::{Error, Result};

/// How much is read at once.
const BUFFER_BYTES: usize = 1 << 20;

/// How often the progress is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// Returns the files that have to be read for their sums alone.
pub(super) fn files_to_sum<'a>(
    layout: &'a Layout,
    is_read: impl Fn(Table) -> bool + 'a,
) -> impl Iterator<Item = &'a ReleaseFile> {
    let inputs = layout.inputs.iter().filter(move |input| {
        let is_compared = matches!(input.table, Table::Counts | Table::BiomeCounts);
        is_read(input.table) && (input.format == Format::Parquet || is_compared)
    });
    inputs.flat_map(|input| &input.files).filter(|file| file.sum.is_some())
}

/// Reads files whole, several at a time, and compares their sums.
///
/// # Errors
///
/// * A file cannot be read, or has another sum.
pub(super) fn check_sums(files: &[&ReleaseFile], num_threads: usize) -> Result<StageReport> {
    let bytes_read = BytesRead::default();
    let mut progress = Progress::start("checking", Unit::Bytes, files.iter().map(|file| file.size_bytes).sum());
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (next, has_failed, counter) = (&next, &has_failed, &bytes_read);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..num_threads.min(files.len()))
            .map(|number| {
                spawn(scope, format!("check {number}"), has_failed, move || {
                    while !has_failed.load(Ordering::Relaxed)
                        && let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        check_sum(file, counter, has_failed)?;
                    }
                    Ok(())
                })
            })
            .collect();
        while threads.iter().any(|thread| !thread.is_finished()) {
            thread::sleep(LOOK_INTERVAL);
            progress.set(counter.load(Ordering::Relaxed));
        }
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(StageReport::new("checking", progress.finish()))
}

/// Reads a file whole, and compares its sum. Ends early, without an error, where another thread has failed.
fn check_sum(file: &ReleaseFile, bytes_read: &BytesRead, has_failed: &AtomicBool) -> Result<()> {
    let input_error = |source| Error::reading(file.name(), 0, source);
    let opened = std::fs::File::open(&file.path).map_err(input_error)?;
    let mut reader = SummingReader::new(opened, file.sum.as_ref());
    let mut buffer = vec![0; BUFFER_BYTES];
    while !has_failed.load(Ordering::Relaxed) {
        let length = reader.read(&mut buffer).map_err(input_error)?;
        if length == 0 {
            break;
        }
        bytes_read.fetch_add(length as u64, Ordering::Relaxed);
    }
    Ok(())
}
