//! Columns of numbers with one value for each document.

use std::ops::Range;
use std::sync::Arc;

use tantivy::columnar::{Cardinality, ColumnValues};
use tantivy::{DocId, SegmentReader, TantivyError};

const WALK_BATCH: u32 = 4096;

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

    /// Finds the first document whose key is not lower, by bisection, or returns the number of
    /// documents. The keys must ascend.
    pub(crate) fn first_from(&self, key: u64, key_of: impl Fn(u64) -> u64) -> DocId {
        self.bisect(0..self.0.num_vals(), |value| key_of(value) < key)
    }

    /// Finds the document whose value has a key. The keys must ascend. The document right after
    /// `previous` is found at once.
    pub(crate) fn find(&self, key: u64, previous: Option<DocId>, key_of: impl Fn(u64) -> u64) -> Option<DocId> {
        let mut range = 0..self.0.num_vals();
        let (mut probe, mut step) = (previous.unwrap_or(DocId::MAX), 1);
        while probe < range.end {
            if key_of(self.get(probe)) < key {
                range.start = probe + 1;
                (probe, step) = (probe.saturating_add(step), step.saturating_mul(2));
            } else {
                range.end = probe;
            }
        }
        let doc = self.bisect(range, |value| key_of(value) < key);
        (doc < self.0.num_vals() && key_of(self.get(doc)) == key).then_some(doc)
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
