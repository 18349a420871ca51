//! Attacks: each attempt gets its 4xx quickly, and changes nothing.

mod bodies;
mod paths;
mod schemas;
mod tokens;
mod wire;

use std::time::{Duration, Instant};

/// The longest time of a refusal, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// Waits for an answer, which must arrive soon.
async fn soon<T>(what: &str, answer: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let answer = answer.await;
    let elapsed = started.elapsed();
    assert!(elapsed < PATIENCE, "{what} took {elapsed:?}");
    answer
}
