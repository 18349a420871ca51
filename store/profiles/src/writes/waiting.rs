//! Waiting for a future on a thread that may block.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Unparks a thread.
struct Unparker(Thread);

impl Wake for Unparker {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Returns the output of a future.
pub(crate) fn wait_for<T>(future: impl Future<Output = T>) -> T {
    wait_until(Duration::MAX, future).expect("nobody waits for so long")
}

/// Returns the output of a future, or `None` if it takes longer than `patience`.
pub(crate) fn wait_until<T>(patience: Duration, future: impl Future<Output = T>) -> Option<T> {
    let started = Instant::now();
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unparker(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        thread::park_timeout(patience.checked_sub(started.elapsed())?);
    }
}
