//! Sorting more entries than fit into memory.
//!
//! Entries are kept until the memory is full, sorted, and spilled as a run: a zstd stream with a
//! checksum. At the end the runs are merged; if there are too many to be open at once, neighbours
//! are merged first. Entries with equal keys keep their original order. Keys are numbers, or bytes
//! that compare as they should sort.

mod key;
mod run;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

pub use key::SortKey;
use run::{RunReader, RunWriter};

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
pub struct Sorter<K = u64> {
    /// The folder for the runs, which must exist.
    folder: PathBuf,
    /// The start of the names of the runs.
    name: String,
    memory_bytes: usize,
    payloads: Vec<u8>,
    /// The value that is being encoded.
    encoded: Vec<u8>,
    /// Key, start and end of each payload.
    index: Vec<(K, usize, usize)>,
    /// The memory of keys outside of the index.
    key_bytes: usize,
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
        let (folder, name) = (folder.to_owned(), name.to_owned());
        Self {
            folder,
            name,
            memory_bytes,
            payloads: Vec::new(),
            encoded: Vec::new(),
            index: Vec::new(),
            key_bytes: 0,
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
        self.key_bytes += key.heap_bytes();
        let index_bytes = (self.index.len() + 1) * size_of::<(K, usize, usize)>() + self.key_bytes;
        if !self.index.is_empty() && self.payloads.len() + payload.len() + index_bytes > self.memory_bytes {
            let key_bytes = key.heap_bytes();
            self.spill()?;
            self.key_bytes = key_bytes;
        }
        let start = self.payloads.len();
        self.payloads.extend(payload);
        self.index.push((key, start, self.payloads.len()));
        Ok(())
    }

    /// Adds an entry whose payload is a value, to be read back by [`decode`].
    pub fn push_value(&mut self, key: K, value: &impl Serialize) -> Result<()> {
        let mut encoded = std::mem::take(&mut self.encoded);
        encoded.clear();
        encoded = postcard::to_extend(value, encoded).map_err(|_| Error::Internal("a value cannot be encoded"))?;
        let pushed = self.push(key, &encoded);
        self.encoded = encoded;
        pushed
    }

    /// Returns the entries in ascending order of key.
    ///
    /// # Errors
    ///
    /// * A run cannot be written or read.
    pub fn finish(mut self) -> Result<SortedEntries<K>> {
        if self.runs.is_empty() {
            self.index.sort_by(|(one, ..), (other, ..)| one.cmp(other));
            return Ok(SortedEntries::Memory { payloads: self.payloads, index: self.index.into_iter() });
        }
        SortedEntries::open(&self.finish_runs(RUNS_OPEN_MAX)?)
    }

    /// Writes the entries that are still in memory, and returns at most `num_runs_max` runs, to be
    /// merged at once by [`SortedEntries::open`].
    pub fn finish_runs(mut self, num_runs_max: usize) -> Result<Vec<PathBuf>> {
        if !self.index.is_empty() {
            self.spill()?;
        }
        // Merging needs the memory.
        (self.payloads, self.index) = (Vec::new(), Vec::new());
        while self.runs.len() > num_runs_max.max(1) {
            self.merge_neighbours()?;
        }
        Ok(self.runs)
    }

    fn spill(&mut self) -> Result<()> {
        self.index.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        let mut run = RunWriter::create(self.next_run())?;
        for &(ref key, start, end) in &self.index {
            run.write(key, &self.payloads[start..end])?;
        }
        self.runs.push(run.finish()?);
        self.index.clear();
        self.key_bytes = 0;
        self.payloads.clear();
        Ok(())
    }

    /// Merges each [`RUNS_OPEN_MAX`] neighbouring runs into one.
    fn merge_neighbours(&mut self) -> Result<()> {
        let runs = std::mem::take(&mut self.runs);
        for group in runs.chunks(RUNS_OPEN_MAX) {
            let mut merge = Merge::<K>::open(group)?;
            let mut merged = RunWriter::create(self.next_run())?;
            let mut payload = Vec::new();
            while let Some(key) = merge.next(&mut payload)? {
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

/// Reads a payload that was pushed with [`Sorter::push_value`].
pub fn decode<'a, T: Deserialize<'a>>(payload: &'a [u8]) -> Result<T> {
    postcard::from_bytes(payload).map_err(|_| Error::CorruptSpill)
}

/// Entries in ascending order of key.
pub enum SortedEntries<K = u64> {
    /// Everything fitted into memory.
    Memory {
        /// The payloads, one after the other.
        payloads: Vec<u8>,
        /// Key, start and end of each payload, sorted.
        index: std::vec::IntoIter<(K, usize, usize)>,
    },
    /// Runs that are merged.
    Merge(Merge<K>),
}

impl<K: SortKey> SortedEntries<K> {
    /// Merges the runs that [`Sorter::finish_runs`] returned.
    pub fn open(runs: &[PathBuf]) -> Result<Self> {
        Ok(Self::Merge(Merge::open(runs)?))
    }

    /// Writes the next payload into the caller's buffer and returns its key, or `None` at the end.
    ///
    /// # Errors
    ///
    /// * A run cannot be read, or differs from the written one.
    pub fn next(&mut self, payload: &mut Vec<u8>) -> Result<Option<K>> {
        match self {
            Self::Memory { payloads, index } => Ok(index.next().map(|(key, start, end)| {
                payload.clear();
                payload.extend(&payloads[start..end]);
                key
            })),
            Self::Merge(merge) => merge.next(payload),
        }
    }

    /// Returns the next key with its value, which was pushed with [`Sorter::push_value`]. The
    /// payload is written into the caller's buffer.
    ///
    /// # Errors
    ///
    /// * A run cannot be read, or differs from the written one.
    pub fn next_value<'a, T: Deserialize<'a>>(&mut self, payload: &'a mut Vec<u8>) -> Result<Option<(K, T)>> {
        self.next(payload)?.map(|key| Ok((key, decode(payload)?))).transpose()
    }
}

/// Open runs, and the next key of each.
pub struct Merge<K> {
    runs: Vec<RunReader>,
    /// Key and run; of equal keys the earlier run is first.
    heads: BinaryHeap<Reverse<(K, usize)>>,
}

impl<K: SortKey> Merge<K> {
    fn open(paths: &[PathBuf]) -> Result<Self> {
        let mut runs = paths.iter().map(|path| RunReader::open(path)).collect::<Result<Vec<_>>>()?;
        let mut heads = BinaryHeap::new();
        for (index, run) in runs.iter_mut().enumerate() {
            heads.extend(run.advance()?.map(|key| Reverse((key, index))));
        }
        Ok(Self { runs, heads })
    }

    fn next(&mut self, payload: &mut Vec<u8>) -> Result<Option<K>> {
        let Some(Reverse((key, index))) = self.heads.pop() else { return Ok(None) };
        let run = &mut self.runs[index];
        std::mem::swap(payload, &mut run.payload);
        self.heads.extend(run.advance()?.map(|key| Reverse((key, index))));
        Ok(Some(key))
    }
}

#[cfg(test)]
mod tests;
