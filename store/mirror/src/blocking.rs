//! The only way from asynchronous code to the disk.

use crate::Result;

/// Runs work that waits for a disk, on a thread that may block.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
}
