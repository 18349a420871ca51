//! Runs over a release that are killed, started with other inputs, or out of room. They resume
//! where they stopped, and the current generation is served as if nothing had happened.

use std::fs;
use std::path::Path;
use std::process::{Child, Output};
use std::thread;
use std::time::Duration;

use rand::RngExt;
use rustix::process::{Pid, Signal, kill_process};
use support::machine::{Inputs, acknowledged, current, failure, kill_after, mgdex, rounds, seeded, wait_for};
use tempfile::TempDir;

use support::release::expected::Expected;
use support::release::runs::{Release, current_name, journal, num_ranges_continued, report};

/// The number of representatives that a release has: more than one range of the least memory.
const NUM_PROTEINS: u64 = 7000;

/// The number of proteins of a release of which about as many are representatives.
const NUM_WITH_MEMBERS: u64 = 24_000;

/// The number of representatives that another release has.
const NUM_FEW: u64 = 600;

/// The interval of looks at a process that will be killed.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// The most memory that a process may use in addition to `--memory`.
const EXTRA_MEMORY_BYTES: u64 = 200_000_000;

/// Sends a signal to a run as soon as it has indexed a range.
fn signal_after_a_range(mut process: Child, data: &Path, signal: Signal) -> Output {
    wait_for("the first range", || {
        assert!(process.try_wait().expect("a child").is_none(), "it has ended before it was killed");
        journal(data).filter(|journal| journal.contains(" {\"range\":"))
    });
    kill_process(Pid::from_child(&process), signal).expect("a child");
    process.wait_with_output().expect("a child")
}

/// Kills runs over a release at random moments until it is published, several times, and returns
/// the number of ranges that were reused.
fn kill_many_times(num_proteins: u64, arguments: &[&str]) -> u64 {
    let release = Release::write(num_proteins, &[arguments, &["--faults"]].concat());
    let expected = Expected::of(&release);
    let inputs = Inputs::new();
    let (mut random, seed) = seeded();
    let (mut num_killed, mut num_continued) = (0, 0);
    let kills = rounds(1, 5);
    while num_killed < kills {
        let folder = TempDir::new().expect("a temporary folder");
        let data = folder.path();
        let old = inputs.publish(data, 1).0;
        loop {
            let context = format!("{arguments:?}, kill {num_killed}, seed {seed}");
            let delay = expected.duration.mul_f64(random.random());
            let is_last = num_killed >= kills;
            let process = release.index(data).spawn().expect("the binary");
            let output = match num_killed {
                // There is a run to resume, whatever the others find.
                0 => signal_after_a_range(process, data, Signal::KILL),
                _ if is_last => process.wait_with_output().expect("a child"),
                _ => kill_after(process, delay),
            };
            if output.status.success() {
                assert_eq!(acknowledged(&output), current_name(data), "{context}");
            } else {
                assert_eq!(output.status.code(), None, "{output:?}; {context}");
                num_killed += 1;
            }
            if current_name(data) != old {
                // It may have been killed after the publish and before its last message.
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
fn killed_runs_resume_and_end_like_undisturbed_ones() {
    // Either layout and either order, and before a release each with each. One has all members of
    // its clusters.
    let alone = "--only-representatives";
    let releases: [(u64, &[&str]); 4] = [
        (NUM_WITH_MEMBERS, &[]),
        (NUM_PROTEINS, &["--layout", "flat", "--shuffle", alone]),
        (NUM_PROTEINS, &["--shuffle", alone]),
        (NUM_PROTEINS, &["--layout", "flat", alone]),
    ];
    let killed = releases.into_iter().take(rounds(2, 4));
    let num_continued: u64 = killed.map(|(num_proteins, arguments)| kill_many_times(num_proteins, arguments)).sum();
    assert!(num_continued > 0, "no run had anything to go on with");
}

#[test]
fn interrupted_runs_block_no_others_and_resume() {
    let release = Release::write(NUM_PROTEINS, &["--only-representatives"]);
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let old = inputs.publish(data, 1).0;
    let process = release.index(data).spawn().expect("the binary");
    wait_for("the journal", || journal(data).filter(|journal| !journal.is_empty()));
    // It stands still until the second one has been refused.
    let signal = |signal| kill_process(Pid::from_child(&process), signal).expect("a child");
    signal(Signal::STOP);
    let message = failure(&release.publish(data));
    signal(Signal::CONT);
    assert!(message.contains("another mgdex process is writing to"), "a second run is refused: {message}");

    let output = signal_after_a_range(process, data, Signal::INT);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(message, "mgdex: interrupted: the work so far is kept; run the same command again to continue\n");
    assert_eq!(current_name(data), old);

    let unfinished = journal(data).expect("it was interrupted");
    let between = acknowledged(&inputs.index(data, 2).output().expect("the binary"));
    assert_eq!(current(data, "the rows"), Some((between, 2)));
    assert_eq!(journal(data), Some(unfinished), "an index of rows leaves it as it was");
    let verified = mgdex("verify", data).output().expect("the binary");
    assert!(verified.status.success(), "{verified:?}");

    let mut again = support::program();
    again.args(release.index(data).get_args().filter(|argument| *argument != "--quiet"));
    let output = again.output().expect("the binary");
    acknowledged(&output);
    let message = String::from_utf8_lossy(&output.stderr).replace(',', "");
    let num_ranges = num_ranges_continued(data);
    let ranges = if num_ranges == 1 { "1 range".to_owned() } else { format!("{num_ranges} ranges") };
    assert!(message.contains(&format!("continuing an unfinished run which has finished {ranges} and")), "{message}");
    let merged = message.lines().find(|line| line.contains("merging: ")).expect("it merges");
    assert!(merged.contains(&format!("merging: {NUM_PROTEINS} proteins in ")), "all that are in the index: {message}");
    assert!(message.contains(&format!("{NUM_PROTEINS} proteins in ")), "{message}");
    Expected::of(&release).assert_published(data, "beside an index of rows");
}

#[test]
fn runs_over_other_inputs_are_refused_until_the_unfinished_one_is_discarded() {
    let first = Release::write(NUM_PROTEINS, &["--only-representatives"]);
    let other = Release::write(NUM_FEW, &["--only-representatives", "--seed", "2"]);
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let old = inputs.publish(data, 1).0;
    signal_after_a_range(first.index(data).spawn().expect("the binary"), data, Signal::KILL);

    let message = failure(&other.publish(data));
    assert!(message.contains("unfinished run over other inputs") && message.contains("--fresh"), "{message}");
    let folders = [first.path(), other.path()].map(|path| path.canonicalize().expect("there").display().to_string());
    assert!(folders.iter().all(|folder| message.contains(folder)), "both are named: {message}");
    let mut all_proteins = first.index(data);
    let message = failure(&all_proteins.arg("--all-proteins").output().expect("the binary"));
    assert!(message.contains("--all-proteins") && message.contains("--fresh"), "{message}");
    assert_eq!(current(data, "nothing was published"), Some((old, 1)));

    acknowledged(&other.index(data).arg("--fresh").output().expect("the binary"));
    assert_eq!(num_ranges_continued(data), 0);
    Expected::of(&other).assert_published(data, "with --fresh");
    assert_eq!(journal(data), None, "nothing unfinished is left");
}

/// Returns the most memory that a running process has had.
fn peak_memory_bytes(process: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().expect("a number") * 1024)
}

#[test]
fn memory_stays_within_the_limit() {
    let release = Release::write(rounds(20_000, 200_000) as u64, &["--shuffle"]);
    let folder = TempDir::new().expect("a temporary folder");
    let mut process = release.index(folder.path()).spawn().expect("the binary");
    let mut peak = 0;
    while process.try_wait().expect("a child").is_none() {
        peak = peak.max(peak_memory_bytes(&process).unwrap_or_default());
        thread::sleep(LOOK_INTERVAL);
    }
    acknowledged(&process.wait_with_output().expect("a child"));
    let allowed = (64 << 20) + EXTRA_MEMORY_BYTES;
    let reported = report(folder.path())["release"]["peak_memory_bytes"].as_u64().expect("a number");
    assert!(peak > 0 && peak <= allowed, "{peak} bytes");
    assert!(reported > peak / 2 && reported <= allowed, "{reported} bytes were reported, {peak} seen");
}
