//! Waiting for work in a task of its own.

use std::{future, panic};

use tokio::task::{JoinError, JoinHandle};

/// Waits for the result of a task that nobody aborts. A panic goes on in the caller.
pub(crate) async fn joined<T>(task: JoinHandle<T>) -> T {
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
    async fn a_result_is_returned_and_a_panic_goes_on() {
        assert_eq!(joined(tokio::spawn(async { 7 })).await, 7);
        let broken = tokio::spawn(async { panic!("broken") });
        let panic = panic::AssertUnwindSafe(joined::<()>(broken)).catch_unwind().await.expect_err("a panic");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"broken"));
    }

    #[tokio::test]
    async fn a_task_that_ends_with_the_server_never_comes_to_anything() {
        let task = tokio::spawn(future::pending::<()>());
        task.abort();
        while !task.is_finished() {
            tokio::task::yield_now().await;
        }
        assert_eq!(joined(task).now_or_never(), None);
    }
}
