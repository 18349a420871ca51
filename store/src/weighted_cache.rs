//! A cache of bounded memory.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard};

use lru::LruCache;

use crate::lock;

const ENTRY_BYTES: usize = 128;

/// Keeps the most recently used values that fit into its memory.
pub struct WeightedCache<K, V> {
    values: Mutex<Values<K, V>>,
    bytes_max: usize,
}

struct Values<K, V> {
    /// The values with their sizes.
    by_key: LruCache<K, (V, usize)>,
    num_bytes: usize,
}

impl<K: Hash + Eq, V: Clone> WeightedCache<K, V> {
    /// Makes an empty cache of at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self { values: Mutex::new(Values { by_key: LruCache::unbounded(), num_bytes: 0 }), bytes_max }
    }

    /// Returns a value, and marks it as used.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.lock().by_key.get(key).map(|(value, _)| value.clone())
    }

    /// Returns the value of each key, and marks them as used.
    pub fn get_all(&self, keys: &[K]) -> Vec<Option<V>> {
        let mut values = self.lock();
        keys.iter().map(|key| values.by_key.get(key).map(|(value, _)| value.clone())).collect()
    }

    /// Keeps a value of some size, and drops the least recently used ones if the memory is full.
    pub fn put(&self, key: K, value: V, num_bytes: usize) {
        let mut values = self.lock();
        let num_bytes = ENTRY_BYTES + num_bytes;
        values.num_bytes += num_bytes;
        if let Some((_, (_, num_bytes))) = values.by_key.push(key, (value, num_bytes)) {
            values.num_bytes -= num_bytes;
        }
        while values.num_bytes > self.bytes_max {
            let Some((_, (_, num_bytes))) = values.by_key.pop_lru() else { break };
            values.num_bytes -= num_bytes;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Values<K, V>> {
        lock(&self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_values_are_dropped() {
        let cache = WeightedCache::new(64 << 10);
        for number in 0..100 {
            cache.put(number, number, 1 << 10);
            cache.put(number, -number, 1 << 10);
            assert_eq!(cache.get(&0), Some(0), "it is used all the time");
        }
        assert_eq!(cache.get_all(&[1, 99]), [None, Some(-99)]);
        let values = cache.lock();
        assert!(values.by_key.len() > 50 && values.num_bytes <= cache.bytes_max);
        assert_eq!(values.by_key.iter().map(|(_, (_, num_bytes))| num_bytes).sum::<usize>(), values.num_bytes);
    }
}
