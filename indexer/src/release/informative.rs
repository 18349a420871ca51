//! Tables that are compared and never a reason to fail.

use super::source::{Batch, RowSource};
use crate::Result;

/// Reads a table up to the first thing that is wrong with it, and tells about that. Bad rows so reach neither a list nor the limit.
pub(super) struct Informative {
    /// The rows.
    source: Box<dyn RowSource>,
    /// What the table is called.
    name: &'static str,
    /// The key of the last row, where the rows must be in order.
    previous_key: Option<u64>,
    /// There is nothing more to read.
    is_over: bool,
}

impl Informative {
    /// Starts before the first row.
    pub(super) fn new(name: &'static str, source: Box<dyn RowSource>) -> Self {
        Self { source, name, previous_key: None, is_over: false }
    }

    /// Starts before the first row of a table that must be in order.
    pub(super) fn in_order(name: &'static str, source: Box<dyn RowSource>) -> Self {
        Self { previous_key: Some(0), ..Self::new(name, source) }
    }

    /// Tells why the rest is not compared.
    fn stop(&mut self, problem: &str, batch: &mut Batch) -> bool {
        tracing::warn!("the {} are compared no further: {problem}", self.name);
        batch.clear();
        self.is_over = true;
        false
    }
}

impl RowSource for Informative {
    fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        if self.is_over {
            return Ok(false);
        }
        let is_more = match self.source.next(batch) {
            Ok(is_more) => is_more,
            Err(error) => return Ok(self.stop(&error.to_string(), batch)),
        };
        if let Some((place, rejection, _)) = batch.rejected.first() {
            let problem = format!("row {}: {}", place.row(), rejection.detail);
            return Ok(self.stop(&problem, batch));
        }
        if let Some(previous_key) = self.previous_key {
            let first_key = batch.rows.get(0).map_or(previous_key, |row| row.key);
            if first_key < previous_key || !batch.rows.iter().is_sorted_by_key(|row| row.key) {
                return Ok(self.stop("they are not in order", batch));
            }
            self.previous_key = Some(batch.rows.iter().last().map_or(first_key, |row| row.key));
        }
        Ok(is_more)
    }

    fn skip_before(&mut self, key: u64) -> Result<()> {
        self.source.skip_before(key)
    }
}
