//! Tables that are compared with others, and are never a reason to fail.

use indexer::Result;

use crate::read::{Batch, LeftOut, RowSource};

/// Reads a table up to the first thing that is wrong with it, and warns of that. Its bad rows reach neither a list nor the limit.
pub(super) struct ComparedTable {
    source: Box<dyn RowSource>,
    name: &'static str,
    /// The key of the last row, where the rows must be in order.
    previous_key: Option<u64>,
    is_at_end: bool,
}

impl ComparedTable {
    pub(super) fn in_any_order(name: &'static str, source: Box<dyn RowSource>) -> Self {
        Self { source, name, previous_key: None, is_at_end: false }
    }

    pub(super) fn in_order(name: &'static str, source: Box<dyn RowSource>) -> Self {
        Self { source, name, previous_key: Some(0), is_at_end: false }
    }

    /// Reads the next rows, or returns what is wrong.
    fn read(&mut self, batch: &mut Batch) -> Result<bool, String> {
        let is_more = self.source.next(batch).map_err(|error| error.to_string())?;
        let rejected = batch.left_out.iter().find_map(|(_, left_out)| match left_out {
            LeftOut::Rejected(row) => Some(row),
            _ => None,
        });
        if let Some(row) = rejected {
            return Err(format!("row {}: {}", row.line, row.rejection.detail));
        }
        if let Some(previous_key) = &mut self.previous_key {
            for row in batch.rows.iter() {
                if row.key < *previous_key {
                    return Err("they are not in order".to_owned());
                }
                *previous_key = row.key;
            }
        }
        Ok(is_more)
    }
}

impl RowSource for ComparedTable {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        if self.is_at_end {
            return Ok(false);
        }
        Ok(self.read(batch).unwrap_or_else(|problem| {
            tracing::warn!("the {} are compared no further: {problem}", self.name);
            batch.clear();
            self.is_at_end = true;
            false
        }))
    }

    fn skip_before(&mut self, key: u64) {
        self.source.skip_before(key);
    }
}
