//! The door through which a request reaches the stores: in place while they answer from memory, else on a thread that may wait for the disk.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::blocking::blocking;

/// Work that takes longer has waited for the disk, or for a processor that others needed more.
const WARM_MAX: Duration = Duration::from_millis(1);

/// How many pieces of work in a row must not have waited until the next one is done in place.
const WARM_RUNS: u32 = 256;

#[derive(Debug)]
pub(crate) struct Door {
    /// How many pieces of work have still to be done without waiting until the data count as warm.
    cold_runs: AtomicU32,
}

impl Default for Door {
    fn default() -> Self {
        Self { cold_runs: AtomicU32::new(WARM_RUNS) }
    }
}

impl Door {
    /// Does a short piece of work. A panic of the work goes on in the caller.
    pub(crate) async fn pass<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let timed = || {
            let started = Instant::now();
            (work(), started.elapsed())
        };
        let is_warm = self.cold_runs.load(Ordering::Relaxed) == 0;
        let (result, duration) = if is_warm { timed() } else { blocking(timed).await };
        self.note(duration);
        result
    }

    fn note(&self, duration: Duration) {
        if duration > WARM_MAX {
            self.cold_runs.store(WARM_RUNS, Ordering::Relaxed);
        } else {
            let one_less = |runs: u32| runs.checked_sub(1);
            // Nothing changes while the data are warm.
            let _ = self.cold_runs.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    async fn is_in_place(door: &Door) -> bool {
        door.pass(|| thread::current().id()).await == thread::current().id()
    }

    #[tokio::test]
    async fn work_is_done_in_place_once_it_has_not_waited_for_a_while() {
        let door = Door::default();
        for _ in 0..WARM_RUNS {
            assert!(!is_in_place(&door).await);
        }
        while !is_in_place(&door).await {}
        door.pass(|| thread::sleep(WARM_MAX * 2)).await;
        assert!(!is_in_place(&door).await);
    }
}
