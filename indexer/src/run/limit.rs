//! How many bad rows a run may meet.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::RejectedRow;
use crate::{Error, Result};

/// Counts the bad rows of all threads.
pub(crate) struct RejectLimit {
    max: u64,
    num: AtomicU64,
    /// File, line and reason of the first bad row that this process met.
    first: Mutex<Option<String>>,
    /// The list of the rejected rows, should they be too many.
    rejects_file: PathBuf,
}

impl RejectLimit {
    pub(crate) fn new(max: u64, rejects_file: PathBuf) -> Self {
        Self { max, num: AtomicU64::new(0), first: Mutex::new(None), rejects_file }
    }

    /// Goes back to the rows that will not be read, and so not counted, again. They are too many if the earlier run was allowed more.
    pub(crate) fn restart(&self, num_before: u64) -> Result<()> {
        self.num.store(num_before, Ordering::Relaxed);
        if num_before <= self.max { Ok(()) } else { Err(self.too_many(num_before, "of an earlier run".to_owned())) }
    }

    /// Counts a bad row of a file. It is an error if it is one too many.
    pub(crate) fn add(&self, name: &str, row: &RejectedRow) -> Result<()> {
        let reason = row.rejection.reason;
        if !reason.counts_towards_limit() {
            return Ok(());
        }
        let num_rejected = self.num.fetch_add(1, Ordering::Relaxed) + 1;
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let first = first
            .get_or_insert_with(|| format!("{name}, line {}: {} ({})", row.line, reason.name(), row.rejection.detail));
        if num_rejected <= self.max { Ok(()) } else { Err(self.too_many(num_rejected, first.clone())) }
    }

    /// Returns the error of a run that has accepted nothing, or `None` if no row was bad.
    pub(crate) fn nothing_accepted(&self) -> Option<Error> {
        let num_rejected = self.num.load(Ordering::Relaxed);
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let first = first.unwrap_or_else(|| "of an earlier run".to_owned());
        let rejects_file = self.rejects_file.clone();
        (num_rejected > 0).then_some(Error::NothingAccepted { num_rejected, first, rejects_file })
    }

    pub(super) const fn rejects_file(&self) -> &PathBuf {
        &self.rejects_file
    }

    fn too_many(&self, num_rejected: u64, first: String) -> Error {
        Error::TooManyRejects { num_rejected, max_rejects: self.max, first, rejects_file: self.rejects_file.clone() }
    }
}
