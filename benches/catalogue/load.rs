//! Loading.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use store::Generations;
use support::measure::{folder_bytes, ratio};
use support::process::Process;

use crate::corpus::Corpus;

/// Bytes of a megabyte.
const MEGABYTE: f64 = 1e6;

/// Loads the corpus in a process of its own, prints what that took, and returns the data folder,
/// and the time.
pub(crate) fn measure(corpus: &Corpus) -> (PathBuf, Duration) {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("catalogue-bench-data");
    // Removes the remains of an earlier run.
    let _ = fs::remove_dir_all(&data);
    let mut load = Command::new(env!("CARGO_BIN_EXE_mgdex"));
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(&data).arg(&corpus.path);
    let process = Process::run(&mut load);
    let generations = Generations::new(data.join("catalogue"));
    let current = generations.current().expect("readable").expect("published");
    let report = fs::read_to_string(generations.path(current).join("report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let (input, output) = (corpus.num_bytes() as f64, folder_bytes(&generations.path(current)) as f64);
    println!("loading {:.0} MB of JSON lines", input / MEGABYTE);
    println!("  {:.1} s, {:.1} s of processor time", process.elapsed.as_secs_f64(), process.cpu_s);
    println!("  peak memory {:.0} MB", report["peak_memory_bytes"].as_f64().expect("a number") / MEGABYTE);
    println!("  {:.0} MB on disk, {:.2} times the input", output / MEGABYTE, ratio(output, input));
    for (thread, cpu_s) in &process.thread_cpu_s {
        println!("  {thread:<16} {cpu_s:>6.1} s");
    }
    (data, process.elapsed)
}
