//! How many bad rows a release may have.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::rejects::RejectedRow;
use crate::{Error, Result};

/// Counts bad rows over all threads.
pub(crate) struct RejectLimit {
    max: u64,
    num: AtomicU64,
    /// File, line and reason of the first one that was met.
    first: Mutex<Option<String>>,
    /// Where the rejected rows will be listed if they are too many.
    listed_in: PathBuf,
}

impl RejectLimit {
    pub(crate) fn new(max: u64, listed_in: PathBuf) -> Self {
        Self { max, num: AtomicU64::new(0), first: Mutex::new(None), listed_in }
    }

    /// Goes back to the number of bad rows in what is done for good: all others are read again.
    ///
    /// # Errors
    ///
    /// * They are too many already, as the earlier run was allowed more.
    pub(crate) fn restart(&self, num_before: u64) -> Result<()> {
        self.num.store(num_before, Ordering::Relaxed);
        if num_before <= self.max { Ok(()) } else { Err(self.too_many(num_before, "of an earlier run".to_owned())) }
    }

    /// Counts a bad row of a file.
    ///
    /// # Errors
    ///
    /// * It is one too many.
    pub(super) fn add(&self, name: &str, row: &RejectedRow) -> Result<()> {
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

    fn too_many(&self, num_rejected: u64, first: String) -> Error {
        let rejects_file = self.listed_in.clone();
        Error::TooManyRejects { num_rejected, max_rejects: self.max, first, rejects_file }
    }

    /// Returns the error of a run that has accepted nothing, or `None` if it has not met a bad row.
    pub(crate) fn nothing_accepted(&self) -> Option<Error> {
        let num_rejected = self.num.load(Ordering::Relaxed);
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let first = first.unwrap_or_else(|| "of an earlier run".to_owned());
        (num_rejected > 0).then(|| Error::NothingAccepted { num_rejected, first, rejects_file: self.listed_in.clone() })
    }
}
