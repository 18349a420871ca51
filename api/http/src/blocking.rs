//! The only ways to run work outside the asynchronous runtime.
//!
//! Work that waits for a disk goes through [`blocking`]: a warm search takes microseconds, but a
//! cold one may wait once for each hit, and the runtime must not wait with it. Work that may keep a
//! processor busy for more than a millisecond goes through [`in_turn`].

use std::time::Duration;
use std::{future, panic};

use tokio::task::{JoinError, JoinHandle};

use super::limits::{Permit, TakenPlaces};
use crate::SourceError;

/// The longest wait of an answer for its turn.
pub const ANSWER_PATIENCE: Duration = Duration::from_secs(5);

/// The longest wait of a piece of a stream: as long as its client waits.
pub(crate) const STREAM_PATIENCE: Duration = Duration::MAX;

/// Runs blocking work on a thread that may block, and waits for its result. A panic of the work is
/// resumed in the caller. The work runs to its end even if the caller stops waiting, so it holds
/// the permit of its request.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let permit = Permit::current();
    let work = move || match permit {
        Some(permit) => permit.scope_sync(work),
        None => work(),
    };
    #[expect(clippy::disallowed_methods, reason = "this is the only way")]
    let task = tokio::task::spawn_blocking(work);
    joined(task).await
}

/// Runs long work for a request like [`blocking`], when it is its turn: a few pieces of work run at
/// once on each core, and each client and each user has a share of them.
///
/// # Errors
///
/// * The work got no turn within `patience`.
pub async fn in_turn<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, SourceError> {
    run(|permit| async move { permit.turn(patience).await }, work).await
}

/// Runs work that may take a few seconds like [`in_turn`], in turns that are reserved for it.
///
/// # Errors
///
/// * The work got no turn within [`ANSWER_PATIENCE`].
pub(crate) async fn in_long_turn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, SourceError> {
    run(|permit| async move { permit.long_turn(ANSWER_PATIENCE).await }, work).await
}

/// A turn in which an answer is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// One of many, for work of some milliseconds.
    Short,
    /// One of few, for work of some seconds.
    Long,
}

/// Makes an answer in a short turn. If that makes none, tries again in a long turn, which always
/// makes one.
///
/// # Errors
///
/// * Errors of the answer, or no turn in time.
pub async fn in_turns<T: Send + 'static, E: From<SourceError> + Send + 'static>(
    mut answer: impl FnMut(Turn) -> Result<Option<T>, E> + Send + 'static,
) -> Result<T, E> {
    let (answered, mut answer) = in_turn(ANSWER_PATIENCE, move || (answer(Turn::Short), answer)).await?;
    match answered? {
        Some(answered) => Ok(answered),
        None => in_long_turn(move || answer(Turn::Long))
            .await??
            .ok_or_else(|| SourceError::Fault("a long turn produced no answer".into()).into()),
    }
}

async fn run<T: Send + 'static, F: Future<Output = Option<TakenPlaces>>>(
    take: impl FnOnce(Permit) -> F,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, SourceError> {
    let turn = match Permit::current() {
        Some(permit) => Some(take(permit).await.ok_or(SourceError::Overloaded)?),
        None => None,
    };
    let work = move || {
        let _turn = turn;
        work()
    };
    Ok(blocking(work).await)
}

/// Waits for the result of a task that nobody aborts. A panic is resumed in the caller.
pub async fn joined<T>(task: JoinHandle<T>) -> T {
    match task.await.map_err(JoinError::try_into_panic) {
        Ok(result) => result,
        Err(Ok(panic)) => panic::resume_unwind(panic),
        // The server stops, and this task with it.
        Err(Err(_)) => future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn results_are_returned_and_panics_are_resumed() {
        assert_eq!(joined(tokio::spawn(async { 7 })).await, 7);
        let broken = tokio::spawn(async { panic!("broken") });
        let panic = panic::AssertUnwindSafe(joined::<()>(broken)).catch_unwind().await.expect_err("a panic");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"broken"));
    }

    #[tokio::test]
    async fn tasks_that_end_with_the_server_never_complete() {
        let task = tokio::spawn(future::pending::<()>());
        task.abort();
        while !task.is_finished() {
            tokio::task::yield_now().await;
        }
        assert_eq!(joined(task).now_or_never(), None);
    }
}
