//! Runs over a release that do not end well: killed, started with other inputs, out of room. They go on where they were, and the
//! current generation is served as if nothing had happened.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Output};
use std::thread;
use std::time::{Duration, Instant};

use crate::release::contents::Contents;
use crate::release::runs::{Release, current_folder, current_name, journal, num_ranges_continued, report};
use rand::RngExt;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use support::machine::{
    Inputs, Mount, Server, acknowledged, current, failure, kill_after, mgdex, or_skip, seeded, wait_for,
};
use tempfile::TempDir;

/// The number of representatives that a release has: some ranges of the least memory.
const NUM_PROTEINS: u64 = 14_000;

/// The number of proteins that a large release has.
const NUM_MANY_PROTEINS: u64 = 200_000;

/// The number of runs over each release that are killed.
const KILLS: usize = 5;

/// The interval of looks at a process that will be killed.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// The room on the disk when a run starts that will fill it.
const ROOM_AT_START_BYTES: u64 = 12 << 20;

/// The room that is added for each run on a full disk.
const ROOM_STEP_BYTES: u64 = 1 << 20;

/// The most that a process may take beside `--memory`.
const MEMORY_BESIDE_BYTES: u64 = 200_000_000;

/// The outcome of a run that was left alone.
struct Expected {
    contents: Contents,
    report: Value,
    rejects: String,
    duration: Duration,
}

impl Expected {
    /// Runs over a release without a disturbance.
    fn of(release: &Release) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let started = Instant::now();
        acknowledged(&release.publish(folder.path()));
        let duration = started.elapsed();
        assert_eq!(num_ranges_continued(folder.path()), 0);
        let contents = Contents::of(&folder.path().join("proteins"));
        assert!(contents.num_proteins() > 0 && contents.has_digests());
        Self { contents, report: report(folder.path()), rejects: rejects(folder.path()), duration }
    }

    /// Compares the current generation of a data folder with it.
    fn assert_published(&self, data: &Path, context: &str) {
        self.contents.assert_same(&Contents::of(&data.join("proteins")), context);
        let report = report(data);
        for key in ["files", "num_read", "num_accepted", "num_rejected", "num_passed_over", "notes", "num_biomes"] {
            assert_eq!(report[key], self.report[key], "{context}: {key}");
        }
        for key in ["num_proteins", "lineage_counts", "out_of_order", "layout"] {
            assert_eq!(report["release"][key], self.report["release"][key], "{context}: {key}");
        }
        assert_eq!(rejects(data), self.rejects, "{context}");
    }
}

/// Returns the rejected rows of the current generation.
fn rejects(data: &Path) -> String {
    fs::read_to_string(current_folder(data).join("rejects.tsv")).expect("listed")
}

/// Sends a signal to a run as soon as it has indexed a range.
fn end_after_a_range(release: &Release, data: &Path, signal: Signal) -> Output {
    let mut process = release.index(data).spawn().expect("the binary");
    wait_for("the first range", || {
        assert!(process.try_wait().expect("a child").is_none(), "it has ended before it was killed");
        journal(data).filter(|journal| journal.contains(" {\"range\":"))
    });
    self::signal(&process, signal);
    process.wait_with_output().expect("a child")
}

/// Kills a run as soon as it has indexed a range.
fn kill_after_a_range(release: &Release, data: &Path) {
    end_after_a_range(release, data, Signal::KILL);
}

/// Publishes the rows of a state, and checks later that it is still what is served.
fn publish_old(inputs: &Inputs, data: &Path) -> store::GenerationName {
    acknowledged(&inputs.index(data, 1).output().expect("the binary"))
}

/// Kills runs over a release at random moments until it is published, some times, and returns how many ranges were continued.
fn kill_many_times(arguments: &[&str]) -> u64 {
    let release = Release::write(NUM_PROTEINS, &[arguments, &["--faults", "--only-representatives"]].concat());
    let expected = Expected::of(&release);
    let inputs = Inputs::new();
    let (mut random, seed) = seeded();
    let (mut num_killed, mut num_continued) = (0, 0);
    while num_killed < KILLS {
        let folder = TempDir::new().expect("a temporary folder");
        let data = folder.path();
        let old = publish_old(&inputs, data);
        loop {
            let context = format!("{arguments:?}, kill {num_killed}, seed {seed}");
            let delay = expected.duration.mul_f64(random.random());
            let is_last = num_killed >= KILLS;
            let process = release.index(data).spawn().expect("the binary");
            let output =
                if is_last { process.wait_with_output().expect("a child") } else { kill_after(process, delay) };
            if output.status.success() {
                assert_eq!(acknowledged(&output), current_name(data), "{context}");
            } else {
                assert_eq!(output.status.code(), None, "{output:?}; {context}");
                num_killed += 1;
            }
            if current_name(data) != old {
                // It may have been killed between the publish and its last word.
                expected.assert_published(data, &context);
                num_continued += num_ranges_continued(data);
                break;
            }
            assert_eq!(current(data, &context), Some((old, 1)), "{context}");
        }
    }
    num_continued
}

#[test]
fn a_killed_run_goes_on_and_ends_as_if_it_had_not_been_killed() {
    let releases: [&[&str]; 4] = [&[], &["--shuffle"], &["--layout", "flat"], &["--layout", "flat", "--shuffle"]];
    let num_continued: u64 = releases.into_iter().map(kill_many_times).sum();
    assert!(num_continued > 0, "no run had anything to go on with");
}

#[test]
fn an_interrupted_run_says_that_it_will_go_on_and_then_that_it_does() {
    let release = Release::write(NUM_PROTEINS, &["--only-representatives"]);
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let old = publish_old(&inputs, data);
    let output = end_after_a_range(&release, data, Signal::INT);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(told, "mgdex: interrupted: what was done is kept, and the same command goes on with it\n");
    assert_eq!(current_name(data), old);

    let mut again = support::program();
    again.args(release.index(data).get_args().filter(|argument| *argument != "--quiet"));
    let output = again.output().expect("the binary");
    acknowledged(&output);
    let told = String::from_utf8_lossy(&output.stderr).replace(',', "");
    let num_ranges = num_ranges_continued(data);
    let ranges = if num_ranges == 1 { "1 range".to_owned() } else { format!("{num_ranges} ranges") };
    assert!(told.contains(&format!("going on with an unfinished run which has done {ranges} and")), "{told}");
    let merged = told.lines().find(|line| line.contains("merging: ")).expect("it merges");
    assert!(merged.contains(&format!("merging: {NUM_PROTEINS} proteins in ")), "all that are in the index: {told}");
    assert!(told.contains(&format!("{NUM_PROTEINS} proteins in ")), "{told}");
}

#[test]
fn a_run_over_other_inputs_is_refused_until_the_unfinished_one_is_thrown_away() {
    let [first, other] = [&["--only-representatives"][..], &["--only-representatives", "--seed", "2"]]
        .map(|arguments| Release::write(NUM_PROTEINS, arguments));
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let old = publish_old(&inputs, data);
    kill_after_a_range(&first, data);

    let told = failure(&other.publish(data));
    assert!(told.contains("unfinished run over other inputs") && told.contains("--fresh"), "{told}");
    let folders = [first.path(), other.path()].map(|path| path.canonicalize().expect("there").display().to_string());
    assert!(folders.iter().all(|folder| told.contains(folder)), "both are named: {told}");
    let mut all_proteins = first.index(data);
    let told = failure(&all_proteins.arg("--all-proteins").output().expect("the binary"));
    assert!(told.contains("--all-proteins") && told.contains("--fresh"), "{told}");
    assert_eq!(current(data, "nothing was published"), Some((old, 1)));

    acknowledged(&other.index(data).arg("--fresh").output().expect("the binary"));
    assert_eq!(num_ranges_continued(data), 0);
    Expected::of(&other).assert_published(data, "with --fresh");
    assert_eq!(journal(data), None, "nothing unfinished is left");
}

#[test]
fn an_index_of_rows_leaves_an_unfinished_run_alone() {
    let release = Release::write(NUM_PROTEINS, &["--only-representatives"]);
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    kill_after_a_range(&release, data);
    let unfinished = journal(data).expect("it was killed");
    let between = acknowledged(&inputs.index(data, 2).output().expect("the binary"));
    assert_eq!(current(data, "the rows"), Some((between, 2)));
    assert_eq!(journal(data), Some(unfinished), "it is as it was");
    let verified = mgdex("verify", data).output().expect("the binary");
    assert!(verified.status.success(), "{verified:?}");

    acknowledged(&release.publish(data));
    assert!(num_ranges_continued(data) > 0);
    Expected::of(&release).assert_published(data, "beside an index of rows");
}

#[test]
fn a_second_run_over_the_release_is_refused_while_the_first_goes_on() {
    let release = Release::write(NUM_PROTEINS, &["--only-representatives"]);
    let folder = TempDir::new().expect("a temporary folder");
    let data = folder.path();
    let first = release.index(data).spawn().expect("the binary");
    wait_for("the journal", || journal(data).filter(|journal| !journal.is_empty()));
    let told = failure(&release.publish(data));
    assert!(told.contains("another mgdex process is writing to"), "{told}");
    let first = acknowledged(&first.wait_with_output().expect("a child"));
    assert_eq!(current_name(data), first);
}

/// Fills a disk until only so much is free.
fn fill(disk: &Path, free_bytes: u64) {
    let mut file = File::options().create(true).append(true).open(disk.join("ballast")).expect("writable");
    let statistics = rustix::fs::statvfs(disk).expect("a disk");
    let available = statistics.f_bavail * statistics.f_frsize;
    let length = usize::try_from(available.saturating_sub(free_bytes)).expect("a small disk");
    file.write_all(&vec![1; length]).expect("room for what was counted");
}

/// Waits until a run works, with its journal open and more threads than the first and the one that waits for signals: it has looked for
/// room by then. Tells whether it does; it may also have ended.
fn wait_until_it_works(process: &mut Child) -> bool {
    let folder = format!("/proc/{}", process.id());
    let entries = |name: &str| fs::read_dir(format!("{folder}/{name}")).into_iter().flatten().flatten();
    wait_for("the run to work", || {
        let names_journal = |file: fs::DirEntry| fs::read_link(file.path()).is_ok_and(|path| path.ends_with("journal"));
        let works = entries("fd").any(names_journal) && entries("task").count() > 2;
        (works || process.try_wait().expect("a child").is_some()).then_some(works)
    })
}

/// Sends a signal to a run that nobody has waited for.
fn signal(process: &Child, signal: Signal) {
    kill_process(Pid::from_child(process), signal).expect("a child");
}

#[test]
fn a_run_on_a_full_disk_fails_and_goes_on_after_room_was_made() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(disk) = or_skip(Mount::tmpfs("200m", folder.path())) else { return };
    let (inputs, data) = (Inputs::new(), disk.path().join("data"));
    let release = Release::write(NUM_PROTEINS, &["--only-representatives", "--shuffle", "--faults"]);
    let expected = Expected::of(&release);
    let old = publish_old(&inputs, &data);
    let server = Server::start(&data);
    // From no room at all to enough of it.
    let mut num_failed = 0;
    loop {
        let free_bytes = num_failed * ROOM_STEP_BYTES;
        // A run starts only where there is room, and writes nothing while the rest of it is taken.
        fill(disk.path(), ROOM_AT_START_BYTES);
        let mut process = release.index(&data).spawn().expect("the binary");
        if wait_until_it_works(&mut process) {
            signal(&process, Signal::STOP);
            fill(disk.path(), free_bytes);
            signal(&process, Signal::CONT);
        }
        let output = process.wait_with_output().expect("a child");
        fs::remove_file(disk.path().join("ballast")).expect("writable");
        if output.status.success() {
            break;
        }
        let told = failure(&output);
        assert!(told.contains("No space left on device"), "{free_bytes} bytes free: {told}");
        assert_eq!(current(&data, &told), Some((old, 1)), "{free_bytes} bytes free");
        assert_eq!(server.get_protein("/protein/1").0, 200, "{free_bytes} bytes free");
        num_failed += 1;
    }
    assert!(num_failed > 1, "the disk was full at {num_failed} steps only");
    expected.assert_published(&data, "after room was made");
}

/// Returns the most memory that a running process has had.
fn peak_memory_bytes(process: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().expect("a number") * 1024)
}

#[test]
fn memory_stays_within_what_was_allowed() {
    let release = Release::write(NUM_MANY_PROTEINS, &["--shuffle"]);
    let folder = TempDir::new().expect("a temporary folder");
    let mut process = release.index(folder.path()).spawn().expect("the binary");
    let mut peak = 0;
    while process.try_wait().expect("a child").is_none() {
        peak = peak.max(peak_memory_bytes(&process).unwrap_or_default());
        thread::sleep(LOOK_INTERVAL);
    }
    acknowledged(&process.wait_with_output().expect("a child"));
    let allowed = (64 << 20) + MEMORY_BESIDE_BYTES;
    let reported = report(folder.path())["release"]["peak_memory_bytes"].as_u64().expect("a number");
    assert!(peak > 0 && peak <= allowed, "{peak} bytes");
    assert!(reported > peak / 2 && reported <= allowed, "{reported} bytes were reported, {peak} seen");
}
