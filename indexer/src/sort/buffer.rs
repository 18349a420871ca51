//! Entries in memory.

use std::vec::IntoIter;

use super::run::RunWriter;
use super::{SortKey, SortedEntries};
use crate::Result;

pub(super) struct Buffer<K> {
    payloads: Vec<u8>,
    /// Key, start and end of each payload.
    index: Vec<(K, u32, u32)>,
    /// The memory of keys outside of the index.
    key_bytes: usize,
}

impl<K> Default for Buffer<K> {
    fn default() -> Self {
        Self { payloads: Vec::new(), index: Vec::new(), key_bytes: 0 }
    }
}

impl<K: SortKey> Buffer<K> {
    pub(super) fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Returns whether another entry fits. An empty buffer has room for any.
    pub(super) fn has_room(&self, key: &K, payload: &[u8], max_bytes: usize) -> bool {
        let index_bytes = (self.index.len() + 1) * size_of::<(K, u32, u32)>() + self.key_bytes + key.heap_bytes();
        let payload_bytes = self.payloads.len() + payload.len();
        self.is_empty() || payload_bytes + index_bytes <= max_bytes && u32::try_from(payload_bytes).is_ok()
    }

    pub(super) fn is_longer_than(&self, num_entries: usize, payload_bytes: usize) -> bool {
        self.index.len() > num_entries || self.payloads.len() > payload_bytes
    }

    pub(super) fn push(&mut self, key: K, payload: &[u8]) {
        self.key_bytes += key.heap_bytes();
        let place = |bytes: &Vec<u8>| u32::try_from(bytes.len()).expect("there is room");
        let start = place(&self.payloads);
        self.payloads.extend_from_slice(payload);
        self.index.push((key, start, place(&self.payloads)));
    }

    /// Sorts the entries by key. Equal ones keep their order, which is that of their payloads.
    pub(super) fn sort(&mut self, ranks: &[u32]) {
        self.index.iter_mut().for_each(|(key, ..)| key.relabel(ranks));
        self.index
            .sort_unstable_by(|(key, start, _), (other, other_start, _)| key.cmp(other).then(start.cmp(other_start)));
    }

    /// Writes all entries, and removes them.
    pub(super) fn drain_into(&mut self, mut run: RunWriter, numbers: &[u32]) -> Result<()> {
        for (mut key, start, end) in self.index.drain(..) {
            key.relabel(numbers);
            run.write(&key, &self.payloads[start as usize..end as usize])?;
        }
        self.payloads.clear();
        self.key_bytes = 0;
        run.finish().map(drop)
    }

    pub(super) fn into_sorted(mut self, ranks: &[u32]) -> SortedEntries<K> {
        self.sort(ranks);
        let (payloads, index) = self.into_parts();
        SortedEntries { payloads, index, further: None }
    }

    pub(super) fn into_parts(self) -> (Vec<u8>, IntoIter<(K, u32, u32)>) {
        (self.payloads, self.index.into_iter())
    }
}
