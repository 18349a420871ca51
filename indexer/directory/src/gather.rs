//! The first half of a load: lines are read and checked, and their facts are sorted.

use std::sync::atomic::Ordering;

use indexer::Result;
use indexer::input::{BytesRead, Input};
use indexer::lines::{Line, LineReader};
use indexer::run::{Progress, Reason, Rejection, Rows, StageReport, Unit};
use indexer::sort::{SortSpace, SortedEntries, Sorter};
use store::InputEntry;

use super::key::Fact;
use super::line::{Entry, read_line};

/// The longest line that is read: a domain with 1.5 million users.
pub(super) const LINE_BYTES_MAX: usize = 64 << 20;

pub(super) struct Gathered {
    /// Facts in the order of their subjects; those of one subject in the order of their lines.
    pub(super) facts: SortedEntries<Box<[u8]>>,
    pub(super) num_facts: u64,
    pub(super) input: InputEntry,
    pub(super) stage: StageReport,
}

/// Reads an input, which has `total_bytes` on disk if known. One line is in memory at a time, and
/// its facts are sorted once the whole line is known to be valid.
pub(super) fn gather(input: &Input, total_bytes: u64, space: SortSpace<'_>, rows: &mut Rows) -> Result<Gathered> {
    let progress = Progress::start("reading", Unit::Bytes, total_bytes);
    let bytes_read = BytesRead::default();
    let reader = input.open(&bytes_read, None).map_err(|error| input.error(0, error))?;
    let mut lines = LineReader::with_limit(reader, LINE_BYTES_MAX).ending_in_whole_json();
    let mut sorter = Sorter::new(space.folder, space.memory_bytes);
    let mut num_facts = 0;
    while let Some(batch) = lines.next_batch().map_err(|error| input.error(lines.num_lines(), error))? {
        for line in batch.lines() {
            let line = Line { bytes: line.without_mark(), ..line };
            if line.bytes.trim_ascii().is_empty() && !line.is_cut {
                continue;
            }
            rows.files[0].num_read += 1;
            match check(line) {
                Ok(entry) => {
                    entry.for_each_fact(|subject, flags| {
                        num_facts += 1;
                        sorter.push_value(subject.to_key(), &Fact { line: line.number, flags })
                    })?;
                    rows.files[0].num_accepted += 1;
                }
                // The text of a bad line would be personal data; its number is enough to find it.
                Err(rejection) => rows.reject(0, &rejection.at_row(line.number, b""))?,
            }
        }
        progress.set(bytes_read.load(Ordering::Relaxed));
    }
    let input = input.entry(bytes_read.load(Ordering::Relaxed));
    let facts = sorter.finish()?;
    Ok(Gathered { facts, num_facts, input, stage: StageReport::new("reading", progress.finish()) })
}

fn check(line: Line<'_>) -> std::result::Result<Entry, Rejection> {
    if line.is_cut {
        return Err(Rejection::new(Reason::TooLong, format!("it has more than {LINE_BYTES_MAX} bytes")));
    }
    read_line(line.bytes)
}
