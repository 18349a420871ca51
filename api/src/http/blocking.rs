//! The only ways by which work leaves the asynchronous runtime.
//!
//! What waits for a disk goes through [`blocking`]: a warm search takes microseconds, but a cold one may wait once for each hit, and the runtime
//! must not wait with it. What may keep a processor busy for more than a millisecond goes through [`in_turn`].

use std::time::Duration;

use super::joining::joined;
use super::limits::Permit;
use crate::SourceError;

/// How long an answer waits for its turn.
pub(crate) const ANSWER_PATIENCE: Duration = Duration::from_secs(5);

/// How long a piece of a stream waits for its turn: as long as its client does.
pub(crate) const STREAM_PATIENCE: Duration = Duration::MAX;

/// Runs blocking work on a thread that may block, and waits for its result. A panic of the work goes on in the caller. Work that nobody
/// waits for any more goes on too, so it holds the permit of its request.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let permit = Permit::current();
    let work = move || match permit {
        Some(permit) => permit.scope_sync(work),
        None => work(),
    };
    #[expect(clippy::disallowed_methods, reason = "this is the only way")]
    let task = tokio::task::spawn_blocking(work);
    joined(task).await
}

/// Runs long work for a request like [`blocking`], when it is its turn: a few pieces a core are done at once, and a share of them for each client
/// and each user.
///
/// # Errors
///
/// * Its turn did not come within the patience.
pub(crate) async fn in_turn<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, SourceError> {
    let turn = match Permit::current() {
        Some(permit) => Some(permit.turn(patience).await.ok_or(SourceError::Overloaded)?),
        None => None,
    };
    let work = move || {
        let _turn = turn;
        work()
    };
    Ok(blocking(work).await)
}
