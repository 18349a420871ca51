//! Columns of numbers with one value for each document.

use std::sync::Arc;

use tantivy::columnar::{Cardinality, ColumnValues};
use tantivy::{DocId, SegmentReader, TantivyError};

/// How many values are read at once when a whole column is walked.
const WALK_BATCH: u32 = 4096;

/// A column that has exactly one number for each document.
pub(super) struct DenseColumn(Arc<dyn ColumnValues<u64>>);

impl DenseColumn {
    /// Opens the column of that name.
    pub(super) fn open(reader: &SegmentReader, name: &str) -> tantivy::Result<Self> {
        let column = reader.fast_fields().u64(name)?;
        if column.get_cardinality() != Cardinality::Full || column.values.num_vals() != reader.max_doc() {
            return Err(TantivyError::SchemaError(format!("column {name} does not have one value a document")));
        }
        Ok(Self(column.values))
    }

    /// Returns the value of a document.
    pub(super) fn get(&self, doc: DocId) -> u64 {
        self.0.get_val(doc)
    }

    /// Returns the values of documents, in one call into the engine.
    pub(super) fn get_all(&self, docs: &[DocId]) -> Vec<u64> {
        let mut values = vec![0; docs.len()];
        self.0.get_vals(docs, &mut values);
        values
    }

    /// Finds a value by bisection. The column must ascend.
    pub(super) fn bisect(&self, value: u64) -> Option<DocId> {
        let (mut low, mut high) = (0, self.0.num_vals());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle).cmp(&value) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Returns the first document whose value is not higher than the one before it.
    pub(super) fn first_descent(&self) -> Option<DocId> {
        let mut previous = None;
        let mut start = 0;
        while start < self.0.num_vals() {
            let mut values = vec![0; (self.0.num_vals() - start).min(WALK_BATCH) as usize];
            self.0.get_range(start.into(), &mut values);
            for (doc, value) in (start..).zip(values) {
                if previous.is_some_and(|previous| previous >= value) {
                    return Some(doc);
                }
                previous = Some(value);
            }
            start = start.saturating_add(WALK_BATCH);
        }
        None
    }
}
