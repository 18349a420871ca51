//! A run over a release whose disk gets full.

use std::fs;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use support::machine::{Inputs, Mount, Server, current, failure, or_skip, wait_for};
use tempfile::TempDir;

use support::release::expected::Expected;
use support::release::runs::Release;

/// The number of representatives that the release has: some ranges of the least memory.
const NUM_PROTEINS: u64 = 14_000;

/// The room on the disk when a run starts that will fill it.
const ROOM_AT_START_BYTES: u64 = 12 << 20;

/// The room that is added for each run on a full disk.
const ROOM_STEP_BYTES: u64 = 1 << 20;

/// Waits until a run works, with its journal open and more threads than the first and the one that
/// waits for signals: it has checked the room by then. Returns whether it works; it may also have
/// ended.
fn wait_until_working(process: &mut Child) -> bool {
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
fn runs_on_a_full_disk_fail_and_resume_when_there_is_room() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(disk) = or_skip(Mount::tmpfs("200m", folder.path())) else { return };
    let (inputs, data) = (Inputs::new(), disk.path().join("data"));
    let release = Release::write(NUM_PROTEINS, &["--only-representatives", "--shuffle", "--faults"]);
    let expected = Expected::of(&release);
    let old = inputs.publish(&data, 1).0;
    let server = Server::start(&data);
    // From no room at all to enough of it.
    let mut num_failed = 0;
    loop {
        let free_bytes = num_failed * ROOM_STEP_BYTES;
        // A run starts only if there is room, and writes nothing while the test fills the rest.
        disk.fill(ROOM_AT_START_BYTES);
        let mut process = release.index(&data).spawn().expect("the binary");
        if wait_until_working(&mut process) {
            signal(&process, Signal::STOP);
            disk.fill(free_bytes);
            signal(&process, Signal::CONT);
        }
        let output = process.wait_with_output().expect("a child");
        disk.remove_ballast();
        if output.status.success() {
            break;
        }
        let message = failure(&output);
        assert!(message.contains("No space left on device"), "{free_bytes} bytes free: {message}");
        assert_eq!(current(&data, &message), Some((old, 1)), "{free_bytes} bytes free");
        assert_eq!(server.get_protein("/protein/1").0, 200, "{free_bytes} bytes free");
        num_failed += 1;
    }
    assert!(num_failed > 1, "the disk was full at {num_failed} steps only");
    expected.assert_published(&data, "after room was made");
}
