//! Sorted entries, from memory or from runs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::mem;
use std::path::PathBuf;
use std::vec::IntoIter;

use serde::Deserialize;

use super::buffer::Buffer;
use super::run::RunReader;
use super::{SortKey, decode};
use crate::Result;
use crate::ahead::Ahead;

/// The payloads that are merged at a time.
const BLOCK_BYTES: usize = 1 << 17;
const BLOCK_ENTRIES: usize = 1 << 12;

/// Entries in ascending order of key.
pub struct SortedEntries<K: SortKey = u64> {
    pub(super) payloads: Vec<u8>,
    /// Key, start and end of each payload, sorted.
    pub(super) index: IntoIter<(K, u32, u32)>,
    /// The entries after these, which another thread merges. `None` if all were in memory.
    pub(super) further: Option<Ahead<Buffer<K>>>,
}

impl<K: SortKey> SortedEntries<K> {
    /// Merges the runs that [`super::Sorter::finish_runs`] returned.
    pub fn open(runs: &[PathBuf]) -> Result<Self> {
        Self::merged(runs, Vec::new())
    }

    /// Merges runs, in whose keys the numbers of labels are replaced by their ranks.
    pub(super) fn merged(runs: &[PathBuf], ranks: Vec<u32>) -> Result<Self> {
        let (mut merge, mut payload) = (Merge::open(runs, ranks)?, Vec::new());
        let further = Ahead::start("merge", move || {
            let mut block = Buffer::default();
            while !block.is_longer_than(BLOCK_ENTRIES, BLOCK_BYTES)
                && let Some(key) = merge.next(&mut payload)?
            {
                block.push(key, &payload);
            }
            Ok(Some(block).filter(|block| !block.is_empty()))
        });
        Ok(Self { further: Some(further?), ..Buffer::default().into_sorted(&[]) })
    }

    /// Writes the next payload into the caller's buffer and returns its key, or `None` at the end.
    ///
    /// # Errors
    ///
    /// * A run cannot be read, or differs from the written one.
    pub fn next(&mut self, payload: &mut Vec<u8>) -> Result<Option<K>> {
        loop {
            if let Some((key, start, end)) = self.index.next() {
                payload.clear();
                payload.extend_from_slice(&self.payloads[start as usize..end as usize]);
                return Ok(Some(key));
            }
            let Some(block) = self.further.as_mut().map_or(Ok(None), Ahead::receive)? else { return Ok(None) };
            (self.payloads, self.index) = block.into_parts();
        }
    }

    /// Returns the next key with its value, which was pushed with
    /// [`super::Sorter::push_value`]. The payload is written into the caller's buffer.
    ///
    /// # Errors
    ///
    /// * A run cannot be read, or differs from the written one.
    pub fn next_value<'a, T: Deserialize<'a>>(&mut self, payload: &'a mut Vec<u8>) -> Result<Option<(K, T)>> {
        self.next(payload)?.map(|key| Ok((key, decode(payload)?))).transpose()
    }
}

/// Open runs, and the next key of each.
pub(super) struct Merge<K> {
    runs: Vec<RunReader>,
    /// Key and run; of equal keys the earlier run is first.
    heads: BinaryHeap<Reverse<(K, usize)>>,
    ranks: Vec<u32>,
}

impl<K: SortKey> Merge<K> {
    pub(super) fn open(paths: &[PathBuf], ranks: Vec<u32>) -> Result<Self> {
        let runs = paths.iter().map(|path| RunReader::open(path)).collect::<Result<Vec<_>>>()?;
        let mut merge = Self { runs, heads: BinaryHeap::new(), ranks };
        for index in 0..merge.runs.len() {
            let head = next_of(&mut merge.runs[index], &merge.ranks)?;
            merge.heads.extend(head.map(|key| Reverse((key, index))));
        }
        Ok(merge)
    }

    pub(super) fn next(&mut self, payload: &mut Vec<u8>) -> Result<Option<K>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let run = &mut self.runs[head.0.1];
        mem::swap(payload, &mut run.payload);
        Ok(Some(match next_of(run, &self.ranks)? {
            Some(next) => mem::replace(&mut head.0.0, next),
            None => PeekMut::pop(head).0.0,
        }))
    }
}

fn next_of<K: SortKey>(run: &mut RunReader, ranks: &[u32]) -> Result<Option<K>> {
    let mut key: Option<K> = run.advance()?;
    if let Some(key) = &mut key {
        key.relabel(ranks);
    }
    Ok(key)
}
