//! Threads that answer requests.

use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::runtime::{self, Handle};
use tokio::sync::oneshot;

/// Threads with a runtime each. A connection stays on one of them, so that a request wakes no other
/// thread, and no thread looks for work of another.
pub struct Workers {
    workers: Vec<Worker>,
    next: AtomicUsize,
}

struct Worker {
    runtime: Handle,
    /// Ends the thread when it is dropped.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Workers {
    /// Starts a thread for each core, each with at most `blocking_threads_max` others for work that
    /// blocks. When this is dropped, they end, after `patience` at the latest.
    ///
    /// # Errors
    ///
    /// * The system cannot start a thread.
    pub fn start(blocking_threads_max: usize, patience: Duration) -> io::Result<Self> {
        let num_workers = thread::available_parallelism().map_or(1, NonZero::get);
        let start = |_| {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .max_blocking_threads(blocking_threads_max)
                .build()?;
            let handle = runtime.handle().clone();
            let (stop, stopped) = oneshot::channel::<()>();
            let thread = thread::Builder::new().name("worker".to_owned()).spawn(move || {
                let _ = runtime.block_on(stopped);
                runtime.shutdown_timeout(patience);
            })?;
            Ok(Worker { runtime: handle, stop: Some(stop), thread: Some(thread) })
        };
        let workers = (0..num_workers).map(start).collect::<io::Result<_>>()?;
        Ok(Self { workers, next: AtomicUsize::new(0) })
    }

    /// Returns the runtime of the worker whose turn it is.
    pub(super) fn next(&self) -> &Handle {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        &self.workers[next % self.workers.len()].runtime
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            drop(worker.stop.take());
        }
        for thread in self.workers.iter_mut().filter_map(|worker| worker.thread.take()) {
            // A panic was reported by the thread.
            let _ = thread.join();
        }
    }
}
