//! The stages of a run over portal rows, each a function, joined by bounded channels; see the picture in the crate's page.

mod check;
mod collect;
mod read;
mod write;

pub(crate) use write::write;

use std::sync::atomic::Ordering;
use std::thread;

use crossbeam::channel;
use store::{BiomeTable, FamilyTable};

use crate::Result;
use crate::input::{BytesRead, Input};
use crate::notes::Notes;
use crate::progress::{Progress, Unit};
use crate::rejects::Rejects;
use crate::report::StageReport;
use crate::sort::Sorter;

use check::check;
use collect::Collector;
use read::read;

/// How many batches may be under way for each checking thread: one that is checked, and one that waits.
const BATCHES_PER_THREAD: usize = 2;

/// The rows of an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileCounts {
    /// Rows that were read.
    pub(crate) num_read: u64,
    /// Rows that were accepted and indexed.
    pub(crate) num_accepted: u64,
}

/// What reading and checking has found, beside the records in the sorter.
pub(crate) struct Gathered {
    /// The rows of each input.
    pub(crate) files: Vec<FileCounts>,
    /// The size of each input on disk.
    pub(crate) sizes_bytes: Vec<u64>,
    /// What was worth telling.
    pub(crate) notes: Notes,
    /// How long it took.
    pub(crate) stage: StageReport,
}

impl Gathered {
    /// Returns how many rows were read and accepted in all.
    pub(crate) fn rows(&self) -> [u64; 2] {
        let sum = |of: fn(&FileCounts) -> u64| self.files.iter().map(of).sum();
        [sum(|file| file.num_read), sum(|file| file.num_accepted)]
    }
}

/// Reads all inputs, which have `total_bytes` on disk as far as that is known, checks their rows on `num_threads` threads, and
/// gives the records to the sorter in the order of the input.
///
/// # Errors
///
/// * An input cannot be read; too many rows are bad; the disk is full.
pub(crate) fn gather(
    inputs: &[Input],
    total_bytes: u64,
    tables: (&BiomeTable, &FamilyTable),
    num_threads: usize,
    sorter: &mut Sorter,
    rejects: &mut Rejects,
) -> Result<Gathered> {
    let mut progress = Progress::start("reading", Unit::Bytes, total_bytes);
    let bytes_read: Vec<BytesRead> = inputs.iter().map(|_| BytesRead::default()).collect();
    let num_batches = num_threads * BATCHES_PER_THREAD;
    let (row_sender, row_receiver) = channel::bounded(num_batches);
    let (checked_sender, checked_receiver) = channel::bounded(num_batches);
    // A batch takes a place before it is sent and gives it back when it is collected: no more than these, and the one that is
    // being read, are in memory.
    let (place_sender, place_receiver) = channel::bounded(num_batches);

    let mut collector = Collector::new(inputs.len(), sorter, rejects);
    let collected = thread::scope(|scope| {
        let reader = scope.spawn(|| read(inputs, &bytes_read, place_sender, row_sender));
        for _ in 0..num_threads {
            let (rows, checked) = (row_receiver.clone(), checked_sender.clone());
            scope.spawn(move || check(tables, &rows, &checked));
        }
        drop((row_receiver, checked_sender));
        let collected = collector.run(&checked_receiver, &place_receiver, || {
            progress.set(bytes_read.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum());
        });
        // Whoever waits for one of these gives up, so that a failed run ends.
        drop((checked_receiver, place_receiver));
        let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // If both failed, the collector is why the reader stopped.
        collected.and(read)
    });
    collected?;
    let (files, notes) = collector.finish();
    let stage = StageReport::new("reading", progress.finish());
    let sizes_bytes = bytes_read.iter().map(|bytes| bytes.load(Ordering::Relaxed)).collect();
    Ok(Gathered { files, sizes_bytes, notes, stage })
}
