//! Clients that ask again as soon as they are answered.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use store_profiles::ProfilesState;

/// The time that a rate is measured for.
const BUDGET: Duration = Duration::from_secs(4);

pub(crate) struct Rate {
    /// Answers a second, of all clients together.
    pub(crate) per_second: f64,
    /// The average number of writes that shared a sync.
    pub(crate) writes_per_sync: Option<f64>,
}

/// Measures answers a second. `client` returns a function that sends one request of the nth client.
pub(crate) fn rate<C: FnMut()>(num_clients: usize, client: impl Fn(u64) -> C + Sync) -> f64 {
    let start = Barrier::new(num_clients);
    let num_answers: u64 = std::thread::scope(|scope| {
        let run = |number| {
            let mut ask = client(number);
            start.wait();
            let started = Instant::now();
            let mut num_answers = 0;
            while started.elapsed() < BUDGET {
                ask();
                num_answers += 1;
            }
            num_answers
        };
        let threads: Vec<_> = (0..num_clients as u64).map(|number| scope.spawn(move || run(number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    num_answers as f64 / BUDGET.as_secs_f64()
}

/// Measures writes, and how many of them shared a sync.
pub(crate) fn of_writes(state: impl Fn() -> ProfilesState, measure: impl FnOnce() -> f64) -> Rate {
    let before = state();
    let per_second = measure();
    let after = state();
    let num_commits = (after.num_commits - before.num_commits).max(1);
    let writes_per_sync = (after.num_writes - before.num_writes) as f64 / num_commits as f64;
    Rate { per_second, writes_per_sync: Some(writes_per_sync) }
}
