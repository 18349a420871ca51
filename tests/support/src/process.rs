//! A child process, and the measurements that the system reports for it.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The interval at which threads are sampled.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// Ticks of the system clock a second, which Linux reports as 100 to all programs.
const TICKS_PER_S: f64 = 100.0;

/// The field of the processor time in a line of `/proc`, counted from the end of the name of the
/// process.
const FIELD_UTIME: usize = 11;

/// The time of children that have ended.
const FIELD_CHILDREN_UTIME: usize = 13;

/// A process that has ended well.
pub struct Process {
    /// The time that it ran.
    pub elapsed: Duration,
    /// The processor time that it took, for itself and in the system, in seconds.
    pub cpu_s: f64,
    /// Its part by thread, where threads have names of their own. Short ones may be missing.
    pub thread_cpu_s: BTreeMap<String, f64>,
}

impl Process {
    /// Runs a command to its end.
    pub fn run(command: &mut Command) -> Self {
        let cpu_before_s = children_cpu_s();
        let started = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("the binary");
        let mut threads = BTreeMap::new();
        let status = loop {
            sample_threads(&child, &mut threads);
            if let Some(status) = child.try_wait().expect("a child") {
                break status;
            }
            thread::sleep(LOOK_INTERVAL);
        };
        let elapsed = started.elapsed();
        assert!(status.success(), "{command:?}: {status}");
        let own_name = threads.get(&u64::from(child.id())).map(|(name, _)| name.clone()).unwrap_or_default();
        let mut thread_cpu_s = BTreeMap::new();
        for (name, cpu_s) in threads.into_values().filter(|(name, _)| *name != own_name) {
            let group = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-').to_owned();
            *thread_cpu_s.entry(group).or_default() += cpu_s;
        }
        Self { elapsed, cpu_s: children_cpu_s() - cpu_before_s, thread_cpu_s }
    }
}

/// Records name and processor time of each thread.
fn sample_threads(child: &Child, threads: &mut BTreeMap<u64, (String, f64)>) {
    // The process may just have ended.
    let Ok(tasks) = fs::read_dir(format!("/proc/{}/task", child.id())) else { return };
    for task in tasks.flatten() {
        let thread = task.file_name().to_string_lossy().parse();
        if let (Ok(thread), Ok(line)) = (thread, fs::read_to_string(task.path().join("stat"))) {
            let name = line.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map(|(name, _)| name);
            threads.insert(thread, (name.unwrap_or_default().to_owned(), cpu_s(&line, FIELD_UTIME)));
        }
    }
}

/// Returns the processor time of all children that have ended.
fn children_cpu_s() -> f64 {
    cpu_s(&fs::read_to_string("/proc/self/stat").expect("Linux"), FIELD_CHILDREN_UTIME)
}

/// Adds the time of the process and that of the system, which is the next field.
fn cpu_s(line: &str, field: usize) -> f64 {
    let fields = line.rsplit_once(')').map_or("", |(_, rest)| rest).split_ascii_whitespace();
    fields.skip(field).take(2).map(|ticks| ticks.parse::<f64>().expect("a number")).sum::<f64>() / TICKS_PER_S
}
