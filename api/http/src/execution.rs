//! Execution of work on the stores: in place while they answer from memory, otherwise on a thread
//! that may wait for the disk.

use std::cell::Cell;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;

use super::blocking::blocking;

/// Work that takes longer may have waited for the disk.
const WARM_MAX: Duration = Duration::from_millis(1);

/// The number of pieces of work in a row that must not wait before the next one runs in place.
const WARM_RUNS: u32 = 256;

/// The most pieces of work in a row, after others have waited in place.
const WARM_RUNS_MAX: u32 = 1 << 16;

/// The file in which the system counts reads and writes of the thread that opens it.
const OWN_IO: &str = "/proc/thread-self/io";

thread_local! {
    /// The bytes that this thread had read from disks at the last look.
    static NUM_READ: Cell<Option<u64>> = const { Cell::new(None) };
}

/// A piece of work that has been started.
pub enum Execution<'a, T> {
    /// It is done.
    Inline(T),
    /// It is done on another thread, or later.
    Offloaded(BoxFuture<'a, T>),
}

/// Runs short work in place while that does not wait for a disk.
#[derive(Debug)]
pub struct InlineExecutor {
    /// The number of pieces of work that must still run without waiting until the data count as
    /// warm.
    runs_until_warm: AtomicU32,
    /// The same number after the next piece of work that waits. It doubles whenever one has waited
    /// in place, so that few do so if cold data are requested all the time.
    backoff: AtomicU32,
}

impl Default for InlineExecutor {
    fn default() -> Self {
        Self { runs_until_warm: AtomicU32::new(WARM_RUNS), backoff: AtomicU32::new(WARM_RUNS) }
    }
}

impl InlineExecutor {
    /// Runs a short piece of work. A panic of the work is resumed in the caller.
    pub fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Execution<'_, T> {
        if self.is_warm() {
            return Execution::Inline(self.in_place(work));
        }
        Execution::Offloaded(Box::pin(async {
            let (result, has_waited) = blocking(|| watched(work)).await;
            self.note(false, has_waited);
            result
        }))
    }

    /// Runs a short piece of work if that is possible in place.
    pub fn try_run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        self.is_warm().then(|| self.in_place(work))
    }

    fn is_warm(&self) -> bool {
        self.runs_until_warm.load(Ordering::Relaxed) == 0
    }

    fn in_place<T>(&self, work: impl FnOnce() -> T) -> T {
        let (result, has_waited) = watched(work);
        self.note(true, has_waited);
        result
    }

    fn note(&self, is_in_place: bool, has_waited: bool) {
        let backoff = self.backoff.load(Ordering::Relaxed);
        match (is_in_place, has_waited) {
            (true, true) => {
                let doubled = (backoff * 2).min(WARM_RUNS_MAX);
                self.backoff.store(doubled, Ordering::Relaxed);
                self.runs_until_warm.store(doubled, Ordering::Relaxed);
            }
            (false, true) => self.runs_until_warm.store(backoff, Ordering::Relaxed),
            // Nothing changes while the data are warm.
            (true, false) if backoff == WARM_RUNS => {}
            (true, false) => self.backoff.store(backoff - 1, Ordering::Relaxed),
            (false, false) => {
                let _ =
                    self.runs_until_warm.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |runs| runs.checked_sub(1));
            }
        }
    }
}

/// Returns the result of a piece of work, and whether it has waited for a disk.
fn watched<T>(work: impl FnOnce() -> T) -> (T, bool) {
    let started = Instant::now();
    let result = work();
    (result, started.elapsed() > WARM_MAX && has_read())
}

/// Returns whether this thread has read from a disk since the last call, or true if the system does
/// not say.
fn has_read() -> bool {
    let counts = fs::read_to_string(OWN_IO).ok();
    let num_read = counts
        .iter()
        .flat_map(|counts| counts.lines())
        .find_map(|line| line.strip_prefix("read_bytes: ")?.parse().ok());
    let previous = NUM_READ.replace(num_read);
    num_read.is_none() || previous != num_read
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    async fn is_in_place(executor: &InlineExecutor) -> bool {
        match executor.run(|| thread::current().id()) {
            Execution::Inline(id) => id == thread::current().id(),
            Execution::Offloaded(id) => id.await == thread::current().id(),
        }
    }

    /// Reads from a disk, or pretends to.
    fn read() {
        thread::sleep(WARM_MAX * 2);
        NUM_READ.set(None);
    }

    #[tokio::test]
    async fn work_runs_in_place_after_enough_runs_without_reads() {
        let executor = InlineExecutor::default();
        for _ in 0..WARM_RUNS {
            assert!(!is_in_place(&executor).await);
        }
        assert!(is_in_place(&executor).await);
        executor.run(read);
        for _ in 0..WARM_RUNS * 2 {
            assert!(!is_in_place(&executor).await, "it waits for longer");
        }
        assert!(is_in_place(&executor).await);
        has_read();
        executor.run(|| thread::sleep(WARM_MAX * 2));
        assert!(is_in_place(&executor).await, "work may take long");
    }
}
