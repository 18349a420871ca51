//! Columns of numbers with one value for each document.

use std::ops::Range;
use std::sync::Arc;

use tantivy::columnar::{Cardinality, ColumnValues};
use tantivy::{DocId, SegmentReader, TantivyError};

const WALK_BATCH: u32 = 4096;

/// The documents among which a search begins to guess.
const GUESSED_DOCS: u32 = 1 << 16;

/// A column that has exactly one number for each document.
pub(crate) struct DenseColumn(Arc<dyn ColumnValues<u64>>);

impl DenseColumn {
    pub(crate) fn open(reader: &SegmentReader, name: &str) -> tantivy::Result<Self> {
        let column = reader.fast_fields().u64(name)?;
        if column.get_cardinality() != Cardinality::Full || column.values.num_vals() != reader.max_doc() {
            return Err(TantivyError::SchemaError(format!("column {name} does not have one value a document")));
        }
        Ok(Self(column.values))
    }

    pub(crate) fn get(&self, doc: DocId) -> u64 {
        self.0.get_val(doc)
    }

    /// Fills `values` with the values of as many documents, in one call into the engine.
    pub(crate) fn get_all(&self, docs: &[DocId], values: &mut [u64]) {
        self.0.get_vals(docs, values);
    }

    /// Finds the first document whose key is not lower, or returns the number of documents. The
    /// keys must ascend.
    ///
    /// The first steps are a bisection, whose pages all searches share. Later ones would each read
    /// another page, and neighbouring keys are spread evenly enough for guesses. A guess is moved
    /// towards the middle, a little at first, so that the key lies on its short side.
    pub(crate) fn first_from(&self, key: u64, key_of: impl Fn(u64) -> u64) -> DocId {
        let mut docs = 0..self.0.num_vals();
        let (mut lowest, mut highest) = (key_of(self.0.min_value()), key_of(self.0.max_value()));
        let mut num_guesses = 0;
        while !docs.is_empty() && key > lowest {
            if key > highest {
                return docs.end;
            }
            let length = docs.end - docs.start;
            let mut probe = docs.start + length / 2;
            if length <= GUESSED_DOCS {
                let [offset, width] = [key - lowest, highest - lowest].map(u128::from);
                let offset = offset * u128::from(length - 1) / width;
                let guess = docs.start + DocId::try_from(offset).expect("a document in the range");
                let shift = length.isqrt() << num_guesses.min(8);
                let moved = if guess < probe { guess + shift } else { guess.saturating_sub(shift) };
                probe = if guess < probe { moved.min(probe) } else { moved.max(probe) };
                num_guesses += 1;
            }
            let found = key_of(self.get(probe));
            if found < key {
                (docs.start, lowest) = (probe + 1, found + 1);
            } else {
                (docs.end, highest) = (probe, found.saturating_sub(1));
            }
        }
        docs.start
    }

    /// Finds the document whose value has a key. The keys must ascend. The document right after
    /// `previous` is found at once.
    pub(crate) fn find(&self, key: u64, previous: Option<DocId>, key_of: impl Fn(u64) -> u64) -> Option<DocId> {
        let doc = match previous {
            Some(previous) => self.first_near(previous, key, &key_of),
            None => self.first_from(key, &key_of),
        };
        (doc < self.0.num_vals() && key_of(self.get(doc)) == key).then_some(doc)
    }

    /// Finds the same document as [`DenseColumn::first_from`], by steps that grow from `previous`.
    fn first_near(&self, previous: DocId, key: u64, key_of: impl Fn(u64) -> u64) -> DocId {
        let mut range = 0..self.0.num_vals();
        let (mut probe, mut step) = (previous, 1);
        while probe < range.end {
            if key_of(self.get(probe)) < key {
                range.start = probe + 1;
                (probe, step) = (probe.saturating_add(step), step.saturating_mul(2));
            } else {
                range.end = probe;
            }
        }
        self.bisect(range, |value| key_of(value) < key)
    }

    fn bisect(&self, mut range: Range<DocId>, is_lower: impl Fn(u64) -> bool) -> DocId {
        while range.start < range.end {
            let middle = range.start + (range.end - range.start) / 2;
            if is_lower(self.get(middle)) { range.start = middle + 1 } else { range.end = middle }
        }
        range.start
    }

    /// Returns all values in batches, each with its first document.
    pub(crate) fn batches(&self) -> impl Iterator<Item = (DocId, Vec<u64>)> {
        let num_vals = self.0.num_vals();
        (0..num_vals).step_by(WALK_BATCH as usize).map(move |start| {
            let mut values = vec![0; (num_vals - start).min(WALK_BATCH) as usize];
            self.0.get_range(start.into(), &mut values);
            (start, values)
        })
    }

    /// Returns the first document whose key is not higher than the previous one.
    pub(crate) fn first_descent(&self, key_of: impl Fn(u64) -> u64) -> Option<DocId> {
        let mut previous = None;
        for (start, values) in self.batches() {
            for (doc, value) in (start..).zip(values) {
                let key = key_of(value);
                if previous.is_some_and(|previous| previous >= key) {
                    return Some(doc);
                }
                previous = Some(key);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    /// Numbers, and the documents that were read.
    struct Numbers {
        numbers: Vec<u64>,
        read: Mutex<Vec<DocId>>,
    }

    impl ColumnValues<u64> for Numbers {
        fn get_val(&self, doc: DocId) -> u64 {
            self.read.lock().expect("no panic").push(doc);
            self.numbers[doc as usize]
        }

        fn min_value(&self) -> u64 {
            self.numbers.first().copied().unwrap_or_default()
        }

        fn max_value(&self) -> u64 {
            self.numbers.last().copied().unwrap_or_default()
        }

        fn num_vals(&self) -> u32 {
            DocId::try_from(self.numbers.len()).expect("few")
        }
    }

    fn column(numbers: Vec<u64>) -> (Arc<Numbers>, DenseColumn) {
        let numbers = Arc::new(Numbers { numbers, read: Mutex::default() });
        (Arc::clone(&numbers), DenseColumn(numbers))
    }

    proptest! {
        #[test]
        fn keys_are_found_however_they_are_spread(
            dense in btree_set(0..300_u64, 0..100),
            sparse in btree_set(any::<u64>(), 0..100),
            others in proptest::collection::vec(any::<u64>(), 20),
            previous in proptest::option::of(0..250_u32),
        ) {
            let keys: Vec<_> = dense.union(&sparse).copied().collect();
            let (_, column) = column(keys.clone());
            for key in keys.iter().copied().chain(0..300).chain(others).chain([u64::MAX]) {
                let expected = keys.partition_point(|&other| other < key);
                prop_assert_eq!(column.first_from(key, |value| value) as usize, expected);
                let found = column.find(key, previous, |value| value);
                prop_assert_eq!(found.map(|doc| doc as usize), keys.binary_search(&key).ok());
            }
        }
    }

    #[test]
    fn few_pages_are_read() {
        const DOCS_PER_PAGE: DocId = 1800;
        let even = |number: u64| number * 300 + number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 300;
        let denser_later = |number: u64| number * 1_000_000_000 - number * number * 400;
        for key_of in [&even as &dyn Fn(u64) -> u64, &denser_later] {
            let (numbers, column) = column((0..1_000_000).map(key_of).collect());
            for doc in (0..1_000_000).step_by(997) {
                numbers.read.lock().expect("no panic").clear();
                assert_eq!(column.find(numbers.numbers[doc as usize], None, |value| value), Some(doc));
                let read = numbers.read.lock().expect("no panic");
                let pages: BTreeSet<_> = read.iter().map(|doc| doc / DOCS_PER_PAGE).collect();
                // Four are read before the first guess. Bisection reads ten in all.
                assert!(pages.len() <= 4 + 3, "{pages:?}");
            }
        }
    }
}
