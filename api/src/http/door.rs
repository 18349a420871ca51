//! The door through which a request reaches the stores: in place while they answer from memory, else on a thread that may wait for the disk.

use std::cell::Cell;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;

use super::blocking::blocking;

/// Work that takes longer may have waited for the disk.
const WARM_MAX: Duration = Duration::from_millis(1);

/// How many pieces of work in a row must not have waited until the next one is done in place.
const WARM_RUNS: u32 = 256;

/// As many at most, after others have waited in place.
const WARM_RUNS_MAX: u32 = 1 << 16;

/// What the system counts for the thread that reads it.
const OWN_IO: &str = "/proc/thread-self/io";

thread_local! {
    /// How many bytes this thread had read from disks when it was last asked.
    static NUM_READ: Cell<Option<u64>> = const { Cell::new(None) };
}

/// What becomes of a piece of work.
pub(crate) enum Passing<'a, T> {
    Done(T),
    /// It is done on another thread, or later.
    Elsewhere(BoxFuture<'a, T>),
}

#[derive(Debug)]
pub(crate) struct Door {
    /// How many pieces of work have still to be done without waiting until the data count as warm.
    cold_runs: AtomicU32,
    /// How many they are when the next one has waited. Doubles whenever one has waited in place, so that few do where cold data are asked for
    /// all the time.
    patience: AtomicU32,
}

impl Default for Door {
    fn default() -> Self {
        Self { cold_runs: AtomicU32::new(WARM_RUNS), patience: AtomicU32::new(WARM_RUNS) }
    }
}

impl Door {
    /// Does a short piece of work. A panic of the work goes on in the caller.
    pub(crate) fn pass<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Passing<'_, T> {
        if self.is_warm() {
            return Passing::Done(self.in_place(work));
        }
        Passing::Elsewhere(Box::pin(async {
            let (result, has_waited) = blocking(|| watched(work)).await;
            self.note(false, has_waited);
            result
        }))
    }

    /// Does a short piece of work if that can be done in place.
    pub(crate) fn try_pass<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        self.is_warm().then(|| self.in_place(work))
    }

    fn is_warm(&self) -> bool {
        self.cold_runs.load(Ordering::Relaxed) == 0
    }

    fn in_place<T>(&self, work: impl FnOnce() -> T) -> T {
        let (result, has_waited) = watched(work);
        self.note(true, has_waited);
        result
    }

    fn note(&self, is_in_place: bool, has_waited: bool) {
        let patience = self.patience.load(Ordering::Relaxed);
        match (is_in_place, has_waited) {
            (true, true) => {
                let doubled = (patience * 2).min(WARM_RUNS_MAX);
                self.patience.store(doubled, Ordering::Relaxed);
                self.cold_runs.store(doubled, Ordering::Relaxed);
            }
            (false, true) => self.cold_runs.store(patience, Ordering::Relaxed),
            // Nothing changes while the data are warm.
            (true, false) if patience == WARM_RUNS => {}
            (true, false) => self.patience.store(patience - 1, Ordering::Relaxed),
            (false, false) => {
                let _ = self.cold_runs.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |runs| runs.checked_sub(1));
            }
        }
    }
}

/// Does a piece of work, and tells whether it has waited for a disk.
fn watched<T>(work: impl FnOnce() -> T) -> (T, bool) {
    let started = Instant::now();
    let result = work();
    (result, started.elapsed() > WARM_MAX && has_read())
}

/// Tells whether this thread has read from a disk since it was last asked. The answer is yes where the system does not say.
fn has_read() -> bool {
    let counts = fs::read_to_string(OWN_IO).unwrap_or_default();
    let num_read = counts.lines().find_map(|line| line.strip_prefix("read_bytes: ")?.parse().ok());
    let previous = NUM_READ.replace(num_read);
    num_read.is_none() || previous != num_read
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    async fn is_in_place(door: &Door) -> bool {
        match door.pass(|| thread::current().id()) {
            Passing::Done(id) => id == thread::current().id(),
            Passing::Elsewhere(id) => id.await == thread::current().id(),
        }
    }

    /// Reads from a disk, or pretends to.
    fn read() {
        thread::sleep(WARM_MAX * 2);
        NUM_READ.set(None);
    }

    #[tokio::test]
    async fn work_is_done_in_place_once_it_has_not_read_for_a_while() {
        let door = Door::default();
        for _ in 0..WARM_RUNS {
            assert!(!is_in_place(&door).await);
        }
        assert!(is_in_place(&door).await);
        door.pass(read);
        for _ in 0..WARM_RUNS * 2 {
            assert!(!is_in_place(&door).await, "it waits for longer");
        }
        assert!(is_in_place(&door).await);
        has_read();
        door.pass(|| thread::sleep(WARM_MAX * 2));
        assert!(is_in_place(&door).await, "work may take long");
    }
}
