//! Sorting more entries than fit into memory.
//!
//! Entries are kept until half of the memory is full. Another thread sorts and spills them as a run
//! while the other half fills: a zstd stream with a checksum. At the end the runs are merged; if
//! there are too many to be open at once, neighbours are merged first. Entries with equal keys keep
//! their original order. Keys are numbers, or bytes that compare as they should sort. Texts in keys
//! can be numbered as they come; see [`Labels`].

mod buffer;
mod key;
mod labels;
mod merge;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};

use crate::ahead::spawn;
use crate::{Error, Result};

pub use key::{Pair, SortKey, read_number};
pub use labels::Labels;
pub use merge::SortedEntries;

use buffer::Buffer;
use merge::Merge;
use run::RunWriter;

/// The number of runs that are merged at once. Each open run uses about a megabyte.
const RUNS_OPEN_MAX: usize = 64;

/// The folder that sorters spill into, and the memory of each.
#[derive(Clone, Copy)]
pub struct SortSpace<'a> {
    /// The folder, which must exist.
    pub folder: &'a Path,
    /// The most bytes that a sorter holds.
    pub memory_bytes: usize,
}

/// Sorts entries that are pushed in any order.
pub struct Sorter<K: SortKey = u64> {
    /// The folder for the runs, which must exist.
    folder: PathBuf,
    /// The start of the names of the runs.
    name: String,
    /// The most bytes of a buffer: half of the memory.
    buffer_bytes: usize,
    buffer: Buffer<K>,
    /// The other buffer, which a thread spills.
    spilling: Spilling<K>,
    /// The value that is being encoded.
    encoded: Vec<u8>,
    /// The texts whose numbers are in keys.
    pub labels: Labels,
    /// The runs, in the order of their entries.
    runs: Vec<PathBuf>,
    /// The number of runs written so far, for their names.
    num_runs: usize,
}

impl<K: SortKey> Sorter<K> {
    /// Creates a sorter that spills into a folder.
    pub fn new(folder: &Path, memory_bytes: usize) -> Self {
        Self::named(folder, "run", memory_bytes)
    }

    /// Creates a sorter that shares its folder with others, each with its own name.
    pub fn named(folder: &Path, name: &str, memory_bytes: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            buffer_bytes: memory_bytes / 2,
            buffer: Buffer::default(),
            spilling: Spilling(None),
            encoded: Vec::new(),
            labels: Labels::default(),
            runs: Vec::new(),
            num_runs: 0,
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// * A run cannot be written.
    pub fn push(&mut self, key: K, payload: &[u8]) -> Result<()> {
        if !self.buffer.has_room(&key, payload, self.buffer_bytes) {
            self.spill()?;
        }
        self.buffer.push(key, payload);
        Ok(())
    }

    /// Adds an entry whose payload is a value, to be read back by [`decode`].
    pub fn push_value(&mut self, key: K, value: &impl Serialize) -> Result<()> {
        let mut encoded = std::mem::take(&mut self.encoded);
        encoded.clear();
        encoded = encode(value, encoded)?;
        let pushed = self.push(key, &encoded);
        self.encoded = encoded;
        pushed
    }

    /// Returns the entries in ascending order of key.
    ///
    /// # Errors
    ///
    /// * A run cannot be written or read.
    pub fn finish(self) -> Result<SortedEntries<K>> {
        let ranks = self.labels.order().ranks;
        if self.num_runs == 0 {
            return Ok(self.buffer.into_sorted(&ranks));
        }
        SortedEntries::merged(&self.finish_runs(RUNS_OPEN_MAX)?, ranks)
    }

    /// Writes the entries that are still in memory, and returns at most `num_runs_max` runs, to be
    /// merged at once by [`SortedEntries::open`]. Keys must have no labels then.
    pub fn finish_runs(mut self, num_runs_max: usize) -> Result<Vec<PathBuf>> {
        if !self.buffer.is_empty() {
            self.spill()?;
        }
        // Merging needs the memory.
        self.buffer = Buffer::default();
        self.spilling.end()?;
        while self.runs.len() > num_runs_max.max(1) {
            self.merge_neighbours()?;
        }
        Ok(self.runs)
    }

    /// Begins to spill the buffer.
    fn spill(&mut self) -> Result<()> {
        let empty = self.spilling.end()?;
        let mut buffer = std::mem::replace(&mut self.buffer, empty);
        let (order, path) = (self.labels.order(), self.next_run());
        self.runs.push(path.clone());
        let spill = move || {
            buffer.sort(&order.ranks);
            buffer.drain_into(RunWriter::create(path)?, &order.numbers)?;
            Ok(buffer)
        };
        self.spilling.0 = Some(spawn("sort", spill)?);
        Ok(())
    }

    /// Merges each [`RUNS_OPEN_MAX`] neighbouring runs into one.
    fn merge_neighbours(&mut self) -> Result<()> {
        let (runs, order) = (std::mem::take(&mut self.runs), self.labels.order());
        for group in runs.chunks(RUNS_OPEN_MAX) {
            let mut merge = Merge::<K>::open(group, order.ranks.clone())?;
            let mut merged = RunWriter::create(self.next_run())?;
            let mut payload = Vec::new();
            while let Some(mut key) = merge.next(&mut payload)? {
                key.relabel(&order.numbers);
                merged.write(&key, &payload)?;
            }
            self.runs.push(merged.finish()?);
            for run in group {
                fs::remove_file(run).map_err(Error::io("cannot remove", run))?;
            }
        }
        Ok(())
    }

    fn next_run(&mut self) -> PathBuf {
        self.num_runs += 1;
        self.folder.join(format!("{}-{:06}.zst", self.name, self.num_runs))
    }
}

/// A thread that spills a buffer. It ends before this is dropped.
struct Spilling<K: SortKey>(Option<JoinHandle<Result<Buffer<K>>>>);

impl<K: SortKey> Spilling<K> {
    /// Waits for the thread, and returns the empty buffer.
    fn end(&mut self) -> Result<Buffer<K>> {
        let Some(thread) = self.0.take() else { return Ok(Buffer::default()) };
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl<K: SortKey> Drop for Spilling<K> {
    fn drop(&mut self) {
        // A thread is left only after another error, so its outcome does not matter.
        drop(self.0.take().map(JoinHandle::join));
    }
}

/// Appends a value as [`Sorter::push_value`] does.
pub fn encode(value: &impl Serialize, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let encoded = postcard::serialize_with_flavor(value, Appending(bytes));
    encoded.map_err(|_| Error::Internal("a value cannot be encoded"))
}

/// Bytes that grow by slices, which is quicker than byte by byte.
struct Appending(Vec<u8>);

impl Flavor for Appending {
    type Output = Vec<u8>;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}

/// Reads a payload that was pushed with [`Sorter::push_value`].
pub fn decode<'a, T: Deserialize<'a>>(payload: &'a [u8]) -> Result<T> {
    postcard::from_bytes(payload).map_err(|_| Error::CorruptSpill)
}

#[cfg(test)]
mod tests;
