//! The lowest of many numbers, in bounded memory.

use std::collections::BinaryHeap;

/// Rows with the lowest keys; of equal keys, the lowest rows.
pub(super) struct Lowest {
    num_wanted: usize,
    heap: BinaryHeap<(u64, u64)>,
}

impl Lowest {
    pub(super) fn new(num_wanted: usize) -> Self {
        Self { num_wanted, heap: BinaryHeap::new() }
    }

    pub(super) fn insert(&mut self, key: u64, row: u64) {
        if !self.is_full() {
            self.heap.push((key, row));
        } else if let Some(mut highest) = self.heap.peek_mut()
            && (key, row) < *highest
        {
            *highest = (key, row);
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.heap.len() >= self.num_wanted
    }

    /// Returns the rows, ascending by key.
    pub(super) fn into_rows(self) -> Vec<u64> {
        self.heap.into_sorted_vec().into_iter().map(|(_, row)| row).collect()
    }
}
