//! Threads that end together.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::{Error, Result};

/// Why a thread ends before its work is done.
pub(super) enum Stop {
    Aborted,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Stop {
    /// Returns what a thread returns in the end: one that was aborted has not failed itself.
    pub(super) fn end(ended: Result<(), Self>) -> Result<()> {
        match ended {
            Ok(()) | Err(Self::Aborted) => Ok(()),
            Err(Self::Failed(error)) => Err(error),
        }
    }
}

/// Starts a thread with a name that tools can show. If it fails or panics, `has_failed` is set.
pub(super) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    has_failed: &'scope AtomicBool,
    run: impl FnOnce() -> Result<T> + Send + 'scope,
) -> ScopedJoinHandle<'scope, Result<T>> {
    let run = move || {
        let outcome = panic::catch_unwind(AssertUnwindSafe(run));
        if !matches!(outcome, Ok(Ok(_))) {
            has_failed.store(true, Ordering::Relaxed);
        }
        outcome.unwrap_or_else(|panic| panic::resume_unwind(panic))
    };
    thread::Builder::new().name(name).spawn_scoped(scope, run).expect("the system has room for some threads")
}

pub(super) fn join<T>(thread: ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}
