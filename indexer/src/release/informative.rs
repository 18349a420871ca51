//! Tables that are compared and never a reason to fail.

use super::source::{Batch, RowSource};
use crate::Result;

/// Reads a table up to the first thing that is wrong with it, and tells about that.
pub(super) struct Informative {
    /// The rows.
    source: Box<dyn RowSource>,
    /// What the table is called.
    name: &'static str,
    /// The key of the last row.
    previous_key: u64,
    /// There is nothing more to read.
    is_over: bool,
}

impl Informative {
    /// Starts before the first row.
    pub(super) fn new(name: &'static str, source: Box<dyn RowSource>) -> Self {
        Self { source, name, previous_key: 0, is_over: false }
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
        // Bad rows would count towards the limit.
        if let Some((place, rejection, _)) = batch.rejected.first() {
            let problem = format!("row {}: {}", place.row(), rejection.detail);
            return Ok(self.stop(&problem, batch));
        }
        let first_key = batch.rows.get(0).map_or(self.previous_key, |row| row.key);
        if first_key < self.previous_key || !batch.rows.iter().is_sorted_by_key(|row| row.key) {
            return Ok(self.stop("they are not in order", batch));
        }
        self.previous_key = batch.rows.iter().last().map_or(first_key, |row| row.key);
        Ok(is_more)
    }

    fn skip_before(&mut self, key: u64) -> Result<()> {
        self.source.skip_before(key)
    }
}
