//! The only way by which blocking work leaves the asynchronous runtime.
//!
//! A warm search takes microseconds, but a cold one may wait for the disk once for each hit: the runtime must not wait with it.

use crate::joining::joined;
use crate::limits::Permit;

/// Runs blocking work on a thread that may block, and waits for its result. A panic of the work goes on in the caller. Work that nobody
/// waits for any more goes on too, so it holds the permit of its request.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let permit = Permit::current();
    let work = move || match permit {
        Some(permit) => permit.during(work),
        None => work(),
    };
    #[expect(clippy::disallowed_methods, reason = "this is the only way")]
    let task = tokio::task::spawn_blocking(work);
    joined(task).await
}
