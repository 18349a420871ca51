//! The real binary, the disks under it, and processes that are awaited or killed.

mod disk;
mod server;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;
use store::{GenerationName, Generations};
use store_proteins::ProteinGeneration;
use tempfile::TempDir;

use crate::states;
pub use disk::{Disk, Mount, PowerSwitch};
pub use server::{Server, read_answer};

/// The timeout of polling.
const PATIENCE: Duration = Duration::from_mins(3);

/// The interval of polling.
const LOOK_INTERVAL: Duration = Duration::from_millis(2);

/// The interval of polling a process that will be killed.
const CLOSE_LOOK_INTERVAL: Duration = Duration::from_micros(200);

/// The variable with the seed of random moments, which failure messages name.
const SEED_VARIABLE: &str = "MGDEX_TEST_SEED";

/// Returns random numbers and the seed to get the same ones again, which is shown where the test
/// fails.
#[expect(clippy::print_stdout, reason = "the harness shows it where the test fails")]
pub fn seeded() -> (StdRng, u64) {
    let seed = match std::env::var(SEED_VARIABLE) {
        Ok(text) => text.parse().expect(SEED_VARIABLE),
        Err(_) => rand::random(),
    };
    println!("{SEED_VARIABLE}={seed}");
    (StdRng::seed_from_u64(seed), seed)
}

/// Returns whether tests run in their long form, as before a release: with `MGDEX_TEST_THOROUGH=1`.
pub fn is_thorough() -> bool {
    std::env::var("MGDEX_TEST_THOROUGH").is_ok_and(|value| value == "1")
}

/// Returns a number from the environment, or the usual one. Variables make tests longer.
pub fn number_of<T: FromStr>(variable: &str, usual: T) -> T {
    let given = std::env::var(variable).ok();
    given.map_or(usual, |number| number.parse().unwrap_or_else(|_| panic!("{variable}={number}")))
}

/// Returns the number of random rounds of a test: a few, or many before a release.
pub fn rounds(usual: usize, thorough: usize) -> usize {
    if is_thorough() { thorough } else { usual }
}

/// Returns a requirement of a test on the system, or prints that the test is skipped. See
/// [`needed`](crate::needed).
pub fn or_skip<T>(needed: Result<T, String>) -> Option<T> {
    let reason = |reason| format!("root, loop devices, network namespaces, python3 and strace ({reason})");
    crate::needed(needed.map_err(reason))
}

/// Polls until there is a result.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        thread::sleep(LOOK_INTERVAL);
    }
}

/// Kills a process after some time, unless it has ended.
pub fn kill_after(mut process: Child, delay: Duration) -> Output {
    let started = Instant::now();
    while started.elapsed() < delay && process.try_wait().expect("a child").is_none() {
        thread::sleep(CLOSE_LOOK_INTERVAL);
    }
    // It may have ended by itself.
    let _ = process.kill();
    process.wait_with_output().expect("a child")
}

/// Runs a system tool.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let problem = || format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
    if output.status.success() { Ok(()) } else { Err(problem()) }
}

/// The inputs of numbered states, outside of any data folder.
pub struct Inputs {
    folder: TempDir,
}

impl Inputs {
    /// Writes the tables.
    pub fn new() -> Self {
        let inputs = Self { folder: TempDir::new().expect("a temporary folder") };
        inputs.write("biomes.tsv", states::BIOMES);
        inputs.write("clans.tsv", states::CLANS);
        inputs
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, content).expect("writable");
        path
    }

    /// Returns the command that publishes a state.
    pub fn index(&self, data: &Path, number: u64) -> Command {
        self.index_file(data, &self.write("rows.csv", &states::rows(number)))
    }

    /// Returns the command that publishes the rows of a file; `-` is standard input.
    pub fn index_file(&self, data: &Path, portal: &Path) -> Command {
        let mut command = mgdex("index", data);
        command.arg("--portal").arg(portal);
        command.arg("--biomes").arg(self.folder.path().join("biomes.tsv"));
        command.arg("--pfam").arg(self.folder.path().join("clans.tsv"));
        command.args(["--memory", "64M"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Publishes a state, and returns the current generation afterwards.
    pub fn publish(&self, data: &Path, number: u64) -> (GenerationName, u64) {
        (acknowledged(&self.index(data, number).output().expect("the binary")), number)
    }

    /// Starts a build that waits for its rows, and stays unfinished until they arrive.
    pub fn start_waiting_build(&self, data: &Path) -> (Child, ChildStdin) {
        let mut process = self.index_file(data, Path::new("-")).stdin(Stdio::piped()).spawn().expect("the binary");
        let rows = process.stdin.take().expect("piped");
        // It is made after the build has checked the room on the disk, and just before it reads.
        let has_begun = |folder: &String| data.join("proteins").join(folder).join("rejects.tsv").is_file();
        wait_for("the folder of the build", || leftovers(data).iter().any(has_begun).then_some(()));
        (process, rows)
    }
}

/// Returns a command over a data folder.
pub fn mgdex(command: &str, data: &Path) -> Command {
    let mut process = crate::program();
    process.arg(command).arg("--quiet").arg("--data").arg(data);
    process
}

/// Returns the name of the generation that `mgdex index` has acknowledged.
pub fn acknowledged(output: &Output) -> GenerationName {
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let name = Path::new(text.trim_end()).file_name().and_then(OsStr::to_str).expect("a path");
    name.parse().expect("the name of a generation")
}

/// Returns the error message of a command that must fail, but not crash.
pub fn failure(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the generations of a data folder.
pub fn generations(data: &Path) -> Generations {
    Generations::new(data.join("proteins"))
}

/// Returns name and number of the current generation after checking every byte of it.
pub fn current(data: &Path, context: &str) -> Option<(GenerationName, u64)> {
    let broken = |error| panic!("{error}; {context}");
    let generation = ProteinGeneration::open_current(&generations(data)).unwrap_or_else(broken)?;
    generation.verify().unwrap_or_else(|error| panic!("{error}; {context}"));
    Some((generation.name(), states::number_of(&generation)))
}

/// Returns the entries of a data folder that unfinished builds have left.
pub fn leftovers(data: &Path) -> Vec<String> {
    let entries = match fs::read_dir(data.join("proteins")) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => panic!("{error}"),
    };
    let names = entries.map(|entry| entry.expect("readable").file_name().into_string().expect("text"));
    names.filter(|name| name.starts_with("building-")).collect()
}
