//! Medians of short times, and sizes of folders.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// The minimum number of samples.
const SAMPLES_MIN: usize = 50;

/// The time for which an operation is measured once there are enough samples.
const BUDGET: Duration = Duration::from_millis(600);

/// The shortest sample: reading the clock takes about 200 ns, so a sample repeats short work.
const SAMPLE_MIN: Duration = Duration::from_micros(50);

/// Returns the median time of `work` on the inputs by a clock, in microseconds. The inputs take
/// turns.
pub fn median_us<T>(clock: fn() -> Duration, inputs: &[T], mut work: impl FnMut(&T) -> usize) -> f64 {
    assert!(!inputs.is_empty());
    let started = Instant::now();
    for input in inputs {
        black_box(work(input));
    }
    let warm_up = started.elapsed() / u32::try_from(inputs.len()).expect("few inputs");
    let repeats = u32::try_from(SAMPLE_MIN.as_nanos() / warm_up.as_nanos().max(1)).expect("short") + 1;
    let mut samples_us = Vec::new();
    let started = Instant::now();
    for input in inputs.iter().cycle() {
        let sample = clock();
        for _ in 0..repeats {
            black_box(work(black_box(input)));
        }
        samples_us.push(clock().saturating_sub(sample).as_secs_f64() * 1e6 / f64::from(repeats));
        if samples_us.len() >= SAMPLES_MIN && samples_us.len() >= inputs.len() && started.elapsed() > BUDGET {
            break;
        }
    }
    samples_us.sort_by(f64::total_cmp);
    samples_us[samples_us.len() / 2]
}

/// Returns the ratio of two durations.
pub fn ratio(one: f64, other: f64) -> f64 {
    one / other
}

/// Returns the bytes of all files of a folder.
pub fn folder_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable"));
    let size = |entry: fs::DirEntry| {
        let metadata = entry.metadata().expect("readable");
        if metadata.is_dir() { folder_bytes(&entry.path()) } else { metadata.len() }
    };
    entries.map(size).sum()
}
