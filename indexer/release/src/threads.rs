//! Threads that end together.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

use indexer::{Error, Result};

/// The reason why a thread ends before its work is done.
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
    /// Returns the final result of a thread: one that was aborted has not failed itself.
    pub(super) fn end(ended: Result<(), Self>) -> Result<()> {
        match ended {
            Ok(()) | Err(Self::Aborted) => Ok(()),
            Err(Self::Failed(error)) => Err(error),
        }
    }
}

/// Starts a thread with a name that tools can show. If it fails or panics, or cannot be started,
/// `has_failed` is set.
pub(super) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    has_failed: &'scope AtomicBool,
    run: impl FnOnce() -> Result<T> + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, Result<T>>> {
    spawn_with(thread::Builder::new(), scope, name, has_failed, run)
}

fn spawn_with<'scope, T: Send + 'scope>(
    builder: thread::Builder,
    scope: &'scope Scope<'scope, '_>,
    name: String,
    has_failed: &'scope AtomicBool,
    run: impl FnOnce() -> Result<T> + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, Result<T>>> {
    let run = move || {
        let outcome = panic::catch_unwind(AssertUnwindSafe(run));
        if !matches!(outcome, Ok(Ok(_))) {
            has_failed.store(true, Ordering::Relaxed);
        }
        outcome.unwrap_or_else(|panic| panic::resume_unwind(panic))
    };
    builder.name(name.clone()).spawn_scoped(scope, run).map_err(|source| {
        has_failed.store(true, Ordering::Relaxed);
        Error::Thread { name, source }
    })
}

pub(super) fn join<T>(thread: ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_thread_starts_are_errors() {
        let has_failed = AtomicBool::new(false);
        let error = thread::scope(|scope| {
            // No system has memory for such a stack.
            let builder = thread::Builder::new().stack_size(1 << 60);
            let started = spawn_with(builder, scope, "merge 3".to_owned(), &has_failed, || Ok(()));
            started.map(|_| ()).expect_err("no room").to_string()
        });
        assert!(error.starts_with("cannot start a thread to merge 3: "), "{error}");
        assert!(has_failed.into_inner());
    }
}
