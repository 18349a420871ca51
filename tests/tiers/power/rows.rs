//! Builds on disks that get full or are write-protected. The current generation is served as if
//! nothing had happened.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use rand::RngExt;
use support::machine::{Inputs, Mount, Server, acknowledged, current, failure, leftovers, mgdex, or_skip, seeded};
use tempfile::TempDir;

/// The room of the small disk: the requirement of a run, and some for the current generation.
const SMALL_DISK: &str = "9m";

/// The room that is left for a build, from none to more than it needs.
const ROOM_STEP_BYTES: u64 = 4096;

/// The letters of random sequences.
const RESIDUES: &[u8] = b"ACDEFGHIKLMNPQRSTVWY";

#[test]
fn a_full_disk_at_any_step_fails_only_the_build() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(disk) = or_skip(Mount::tmpfs(SMALL_DISK, folder.path())) else { return };
    let (inputs, data) = (Inputs::new(), disk.path().join("data"));
    let known = inputs.publish(&data, 1);
    let server = Server::start(&data);
    let mut num_failed = 0;
    for step in 0.. {
        let free_bytes = step * ROOM_STEP_BYTES;
        let (process, mut rows) = inputs.start_waiting_build(&data);
        disk.fill(free_bytes);
        rows.write_all(support::states::rows(2).as_bytes()).expect("the build reads");
        drop(rows);
        let output = process.wait_with_output().expect("a child");
        disk.remove_ballast();
        if output.status.success() {
            assert_eq!(current(&data, "enough room"), Some((acknowledged(&output), 2)));
            break;
        }
        let message = failure(&output);
        assert!(message.contains("No space left on device"), "{free_bytes} bytes free: {message}");
        assert_eq!(current(&data, &message), Some(known), "{free_bytes} bytes free");
        assert_eq!(leftovers(&data), [""; 0], "{free_bytes} bytes free");
        assert_eq!(server.get_protein("/protein/1").0, 200, "{free_bytes} bytes free");
        num_failed += 1;
    }
    assert!(num_failed > 5, "the disk was full at {num_failed} steps only");
}

#[test]
fn rows_that_outgrow_the_disk_fail_only_the_build() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(disk) = or_skip(Mount::tmpfs(SMALL_DISK, folder.path())) else { return };
    let (inputs, data) = (Inputs::new(), disk.path().join("data"));
    let known = inputs.publish(&data, 1);
    let (mut random, _) = seeded();
    let (process, mut rows) = inputs.start_waiting_build(&data);
    let mut row = String::new();
    for accession in 1..=20_000 {
        let sequence: String =
            (0..1000).map(|_| char::from(RESIDUES[random.random_range(0..RESIDUES.len())])).collect();
        row.clear();
        writeln!(row, "{accession},{sequence},,1,").expect("memory");
        rows.write_all(row.as_bytes()).expect("rows are read to their end before they are indexed");
    }
    drop(rows);
    let message = failure(&process.wait_with_output().expect("a child"));
    assert!(message.contains("No space left on device") && message.contains("building-"), "{message}");
    assert_eq!(current(&data, &message), Some(known));
    assert_eq!(leftovers(&data), [""; 0], "the room is free again");
    let next = inputs.publish(&data, 2);
    assert_eq!(current(&data, "there is room for less"), Some(next));
}

#[test]
fn read_only_folders_are_served_and_checked_but_not_written() {
    let (inputs, folder) = (Inputs::new(), TempDir::new().expect("a temporary folder"));
    let [data, mount_point] = ["data", "read-only"].map(|name| folder.path().join(name));
    let (name, number) = inputs.publish(&data, 1);
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
    let message = failure(&inputs.index(data, 2).output().expect("the binary"));
    assert!(message.contains("Read-only file system"), "{message}");
    assert_eq!(current(data, &message), Some((name, number)));
}
