//! Builds that do not end well: killed, refused, out of room. The current generation is served as if nothing had happened.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::time::Instant;

use rand::RngExt;
use store::GenerationName;
use support::machine::{
    Inputs, Mount, Server, acknowledged, current, failure, generations, kill_after, mgdex, or_skip, rubbish, seeded,
    wait_for,
};
use tempfile::TempDir;

/// Builds that are killed.
const KILLS: usize = 30;

/// The room of the small disk: what a run asks for, and some for the current generation.
const SMALL_DISK: &str = "9m";

/// The room that is left for a build, from none to more than it needs.
const ROOM_STEP_BYTES: u64 = 4096;

/// The letters of random sequences.
const RESIDUES: &[u8] = b"ACDEFGHIKLMNPQRSTVWY";

/// Publishes a state and returns what is current then.
fn publish(inputs: &Inputs, data: &Path, number: u64) -> (GenerationName, u64) {
    let name = acknowledged(&inputs.index(data, number).output().expect("the binary"));
    (name, number)
}

/// Starts a build that waits for its rows, and is in the middle of its work until they come.
fn start_waiting_build(inputs: &Inputs, data: &Path) -> (Child, ChildStdin) {
    let mut process = inputs.index_file(data, Path::new("-")).stdin(Stdio::piped()).spawn().expect("the binary");
    let rows = process.stdin.take().expect("piped");
    // It is made once the build has looked at the room on the disk, and just before it reads.
    let has_begun = |folder: &String| data.join("proteins").join(folder).join("rejects.tsv").is_file();
    wait_for("the folder of the build", || rubbish(data).iter().any(has_begun).then_some(()));
    (process, rows)
}

#[test]
fn a_killed_build_leaves_what_was_acknowledged_or_its_own_generation_whole() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let (mut random, seed) = seeded();
    let started = Instant::now();
    let mut known = publish(&inputs, data, 1);
    let build_time = started.elapsed();
    let (mut num_with_rubbish, mut num_killed) = (0, 0);
    for (kill, number) in (1..=KILLS).zip(2..) {
        let context = format!("kill {kill}, seed {seed}");
        let delay = build_time.mul_f64(random.random());
        let output = kill_after(inputs.index(data, number).spawn().expect("the binary"), delay);

        let found = current(data, &context).unwrap_or_else(|| panic!("nothing is current; {context}"));
        if output.status.success() {
            assert_eq!(found, (acknowledged(&output), number), "{context}");
        } else {
            assert_eq!(output.status.code(), None, "{output:?}; {context}");
            // It may have been killed between the publish and its last word.
            assert!(found == known || found.1 == number, "{known:?} was current, then {found:?}; {context}");
            num_killed += 1;
        }
        known = found;
        num_with_rubbish += usize::from(!rubbish(data).is_empty());
        assert!(rubbish(data).len() <= 1, "a build removes what those before it left; {context}");
    }
    assert!(num_killed > 0 && num_with_rubbish > 0, "no build was killed in the middle of its work; seed {seed}");

    known = publish(&inputs, data, 1000);
    assert_eq!(current(data, "after all kills"), Some(known));
    assert_eq!(rubbish(data), [""; 0]);
    assert_eq!(generations(data).names().expect("readable").len(), 2, "this one and the one before; seed {seed}");
}

#[test]
fn a_second_builder_is_refused_while_the_first_goes_on() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    publish(&inputs, data, 1);
    let (first, mut rows) = start_waiting_build(&inputs, data);

    let second = inputs.index(data, 3).output().expect("the binary");
    let told = failure(&second);
    assert!(told.contains("another mgdex process is writing to"), "{told}");
    assert!(told.contains(&data.join("proteins").display().to_string()), "{told}");
    assert_eq!(rubbish(data).len(), 1, "the folder of the first is not taken for rubbish");

    rows.write_all(support::states::rows(2).as_bytes()).expect("the first reads");
    drop(rows);
    let first = acknowledged(&first.wait_with_output().expect("a child"));
    assert_eq!(current(data, "the first"), Some((first, 2)));
    let third = publish(&inputs, data, 3);
    assert_eq!(current(data, "the lock is free again"), Some(third));
}

#[test]
fn a_killed_builder_does_not_keep_its_lock() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let (mut killed, rows) = start_waiting_build(&inputs, data);
    killed.kill().expect("a child");
    killed.wait().expect("a child");
    drop(rows);
    assert_eq!(rubbish(data).len(), 1);
    assert_eq!(current(data, "nothing was published yet"), None);
    let published = publish(&inputs, data, 1);
    assert_eq!(current(data, "the next build"), Some(published));
    assert_eq!(rubbish(data), [""; 0]);
}

/// Fills a disk until only so much is free.
fn fill(disk: &Path, free_bytes: u64) {
    let ballast = disk.join("ballast");
    let mut file = File::create(&ballast).expect("writable");
    let statistics = rustix::fs::statvfs(disk).expect("a disk");
    let available = statistics.f_bavail * statistics.f_frsize;
    let length = usize::try_from(available.saturating_sub(free_bytes)).expect("a small disk");
    file.write_all(&vec![1; length]).expect("room");
}

#[test]
fn a_disk_that_gets_full_at_any_step_fails_the_build_and_nothing_else() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(disk) = or_skip(Mount::tmpfs(SMALL_DISK, folder.path())) else { return };
    let (inputs, data) = (Inputs::new(), disk.path().join("data"));
    let known = publish(&inputs, &data, 1);
    let server = Server::start(&data);
    let mut num_failed = 0;
    for step in 0.. {
        let free_bytes = step * ROOM_STEP_BYTES;
        let (process, mut rows) = start_waiting_build(&inputs, &data);
        fill(disk.path(), free_bytes);
        rows.write_all(support::states::rows(2).as_bytes()).expect("the build reads");
        drop(rows);
        let output = process.wait_with_output().expect("a child");
        fs::remove_file(disk.path().join("ballast")).expect("writable");
        if output.status.success() {
            assert_eq!(current(&data, "enough room"), Some((acknowledged(&output), 2)));
            break;
        }
        let told = failure(&output);
        assert!(told.contains("No space left on device"), "{free_bytes} bytes free: {told}");
        assert_eq!(current(&data, &told), Some(known), "{free_bytes} bytes free");
        assert_eq!(rubbish(&data), [""; 0], "{free_bytes} bytes free");
        assert_eq!(server.get_protein("/protein/1").0, 200, "{free_bytes} bytes free");
        num_failed += 1;
    }
    assert!(num_failed > 5, "the disk was full at {num_failed} steps only");
}

#[test]
fn rows_that_outgrow_the_disk_fail_the_build_and_nothing_else() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(disk) = or_skip(Mount::tmpfs(SMALL_DISK, folder.path())) else { return };
    let (inputs, data) = (Inputs::new(), disk.path().join("data"));
    let known = publish(&inputs, &data, 1);
    let (mut random, _) = seeded();
    let (process, mut rows) = start_waiting_build(&inputs, &data);
    let mut row = String::new();
    for accession in 1..=20_000 {
        let sequence: String =
            (0..1000).map(|_| char::from(RESIDUES[random.random_range(0..RESIDUES.len())])).collect();
        row.clear();
        writeln!(row, "{accession},{sequence},,1,").expect("memory");
        rows.write_all(row.as_bytes()).expect("rows are read to their end before they are indexed");
    }
    drop(rows);
    let told = failure(&process.wait_with_output().expect("a child"));
    assert!(told.contains("No space left on device") && told.contains("building-"), "{told}");
    assert_eq!(current(&data, &told), Some(known));
    assert_eq!(rubbish(&data), [""; 0], "the room is free again");
    let next = publish(&inputs, &data, 2);
    assert_eq!(current(&data, "there is room for less"), Some(next));
}

#[test]
fn a_run_that_cannot_fit_is_refused_before_it_starts() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let data = folder.path();
    let known = publish(&inputs, data, 1);
    // Its size is all that is looked at.
    let huge = inputs.write("huge.csv", "");
    File::options().write(true).open(&huge).and_then(|file| file.set_len(4 << 40)).expect("a sparse file");
    let told = failure(&inputs.index_file(data, &huge).output().expect("the binary"));
    assert!(told.contains("MB free, and this run needs about"), "{told}");
    assert!(told.contains(&data.display().to_string()) && told.contains("--data"), "{told}");
    assert_eq!(current(data, &told), Some(known));
    assert_eq!(rubbish(data), [""; 0]);
}

#[test]
fn a_read_only_folder_is_served_and_checked_but_not_written() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let [data, mount_point] = ["data", "read-only"].map(|name| folder.path().join(name));
    let (name, number) = publish(&inputs, &data, 1);
    fs::create_dir(&mount_point).expect("new");
    let Some(disk) = or_skip(Mount::read_only(&data, &mount_point)) else { return };
    let data = disk.path();

    let server = Server::start(data);
    let (status, body) = server.get("/readyz");
    assert!(status == 200 && body.contains(&name.to_string()), "{status} {body}");
    let (status, body) = server.get_protein("/protein/search?biome_id=2&limit=1000");
    assert_eq!((status, body.matches("MGYP").count()), (200, support::states::accessions(number).count()), "{body}");
    assert_eq!(server.get_protein("/protein/1").0, 200);

    let verified = mgdex("verify", data).output().expect("the binary");
    assert!(verified.status.success(), "{verified:?}");
    let told = failure(&inputs.index(data, 2).output().expect("the binary"));
    assert!(told.contains("Read-only file system"), "{told}");
    assert_eq!(current(data, &told), Some((name, number)));
}
