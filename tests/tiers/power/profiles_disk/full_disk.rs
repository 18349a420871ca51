//! Disks without room.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use support::machine::{Inputs, Mount, Server, acknowledged, or_skip, seeded, wait_for};
use support::profile_writers::outcomes::{opening_failure, write_for};
use support::profile_writers::{Access, Answer, Connection, Mix, Writer, check_over_http};

/// The room of the disk.
const DISK: &str = "400m";

/// The room that is left first: less than the store requires, even when the engine frees 16 MiB,
/// and more than it needs for one commit.
const LITTLE_ROOM_BYTES: u64 = 44 << 20;

/// The number of times that the disk gets full.
const ROUNDS: usize = 3;

/// The time between two changes.
const WRITING_TIME: Duration = Duration::from_millis(300);

/// The size of a disk without room for many files.
const DISK_OF_FEW_FILES: &str = "400m,nr_inodes=100";

/// More files than that.
const FILES_MAX: u32 = 200;

/// Fills a disk until only the given number of bytes is free.
fn fill(disk: &Path, free_bytes: u64) {
    let mut ballast = File::options().append(true).create(true).open(disk.join("ballast")).expect("writable");
    let statistics = rustix::fs::statvfs(disk).expect("a disk");
    let length = (statistics.f_bavail * statistics.f_frsize).saturating_sub(free_bytes);
    let piece = vec![1; 1 << 20];
    for start in (0..length).step_by(piece.len()) {
        let length = usize::try_from(length - start).expect("a small disk").min(piece.len());
        ballast.write_all(&piece[..length]).expect("room");
    }
}

/// Checks that a write was refused for want of room, as the documentation says.
fn check_refused(answer: &Answer) {
    assert_eq!(answer.status, 503, "{answer:?}");
    let body = answer.json();
    assert_eq!(body["status"], "SERVICE_UNAVAILABLE", "{answer:?}");
    for field in ["timestamp", "error", "message", "path"] {
        assert!(body[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {answer:?}");
    }
}

/// Starts a server on a disk without room, and returns whether it has opened its store.
fn start_without_room(access: &Access, data: &Path) -> (Server, bool) {
    let server = access.start(data);
    let unopened = opening_failure(&server, access, data, "started without room");
    assert!(unopened.as_ref().is_none_or(|problem| problem.contains("No space left")), "{unopened:?}");
    let is_open = unopened.is_none();
    (server, is_open)
}

/// Makes room on a disk, and waits until a server that was started without has opened its store.
fn make_room(disk: &Path, server: &Server) {
    fs::remove_file(disk.join("ballast")).expect("writable");
    wait_for("the store", || (server.get("/readyz").0 == 200).then_some(()));
}

/// Lets clients write on while the disk gets full, until each was refused many times.
fn write_until_full(server: &Server, access: &Access, writers: &mut [Writer], disk: &Path) {
    let is_full = AtomicBool::new(false);
    thread::scope(|scope| {
        for writer in writers {
            scope.spawn(|| {
                let mut connection = Connection::open(server.address()).expect("the server accepts");
                let mut num_refused = 0;
                while num_refused < 20 {
                    let was_full = is_full.load(Ordering::SeqCst);
                    let answer = writer.write(&mut connection, access).expect("an answer");
                    if answer.status >= 500 {
                        check_refused(&answer);
                        // Checked below: nothing was changed.
                        writer.give_up();
                        num_refused += 1;
                    } else {
                        assert!(!was_full, "written without room: {answer:?}");
                    }
                }
            });
        }
        thread::sleep(WRITING_TIME);
        fill(disk, LITTLE_ROOM_BYTES);
        is_full.store(true, Ordering::SeqCst);
    });
}

#[test]
fn full_disks_refuse_writes_until_there_is_room() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(disk) = or_skip(Mount::tmpfs(DISK, folder.path())) else { return };
    let (access, data) = (Access::new(), disk.path().join("data"));
    let (mut random, seed) = seeded();
    let mut writers = Writer::several(4, seed, &[Mix::SMALL, Mix::MIXED]);
    let mut server = access.start(&data);
    for round in 1..=ROUNDS {
        let context = format!("round {round}, seed {seed}");
        write_for(&server, &access, &mut writers, WRITING_TIME);
        write_until_full(&server, &access, &mut writers, disk.path());
        check_over_http(&server, &access, &mut writers, &mut random, &context);
        fill(disk.path(), 0);
        check_over_http(&server, &access, &mut writers, &mut random, &context);
        assert_eq!(server.get("/readyz").0, 200, "what there is can be read");
        fs::remove_file(disk.path().join("ballast")).expect("writable");
        write_for(&server, &access, &mut writers, WRITING_TIME);
        check_over_http(&server, &access, &mut writers, &mut random, &context);
    }
    server.kill();
    fill(disk.path(), 0);
    let (server, is_open) = start_without_room(&access, &data);
    // Otherwise the data of the killed server must be recovered, which needs room.
    if is_open {
        check_over_http(&server, &access, &mut writers, &mut random, "started without room");
    }
    make_room(disk.path(), &server);
    check_over_http(&server, &access, &mut writers, &mut random, "there is room again");
    write_for(&server, &access, &mut writers, WRITING_TIME);
    drop(server);
    check_over_http(&access.start(&data), &access, &mut writers, &mut random, "after a restart");
}

#[test]
fn disks_without_room_for_a_store_are_named() {
    let folder = TempDir::new().expect("a temporary folder");
    let Some(disk) = or_skip(Mount::tmpfs(DISK, folder.path())) else { return };
    let (access, data) = (Access::new(), disk.path().join("data"));
    for free_bytes in [0, 4096, 64 << 10, 1 << 20] {
        fill(disk.path(), free_bytes);
        let (server, _) = start_without_room(&access, &data);
        let mut connection = Connection::open(server.address()).expect("the server accepts");
        check_refused(&Writer::new(0, 1, Mix::SMALL).write(&mut connection, &access).expect("an answer"));
        make_room(disk.path(), &server);
        write_for(&server, &access, &mut [Writer::new(0, 1, Mix::SMALL)], WRITING_TIME);
        drop(server);
        // The next one finds no store.
        fs::remove_dir_all(&data).expect("writable");
    }
}

/// Serves with the audit log in its default place, on a disk that accepts no new file: proteins are
/// still served.
fn serve_without_new_files(access: &Access, data: &Path) -> Server {
    let mut command = support::program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data);
    command.arg("--jwt-key").arg(access.public_key()).stdin(Stdio::null());
    let server = Server::of_command(&mut command);
    assert!(opening_failure(&server, access, data, "no new files").is_some());
    assert_eq!(server.get_protein("/protein/1").0, 200);
    let message = "profiles-audit.jsonl cannot be opened: lines are lost until it can be";
    assert!(server.log().contains(message), "{}", server.log());
    server
}

#[test]
fn servers_start_on_disks_that_accept_no_new_files() {
    let (inputs, folder, access) = (Inputs::new(), TempDir::new().expect("a temporary folder"), Access::new());
    let [full, protected] = ["full", "protected"].map(|name| folder.path().join(name));
    for path in [&full, &protected] {
        fs::create_dir(path).expect("writable");
    }
    let Some(disk) = or_skip(Mount::tmpfs(DISK_OF_FEW_FILES, &full)) else { return };
    let data = disk.path().join("data");
    acknowledged(&inputs.index(&data, 1).output().expect("the binary"));
    if let Some(disk) = or_skip(Mount::read_only(&data, &protected)) {
        serve_without_new_files(&access, disk.path());
    }
    let files = disk.path().join("files");
    fs::create_dir(&files).expect("room for a folder");
    let is_full = |number: u32| File::create_new(files.join(number.to_string())).is_err();
    assert!((0..FILES_MAX).any(is_full), "the disk takes more files than it should");
    let server = serve_without_new_files(&access, &data);
    fs::remove_dir_all(&files).expect("writable");
    let refused = Writer::new(0, 1, Mix::SMALL).write(&mut Connection::open(server.address()).expect("open"), &access);
    check_refused(&refused.expect("an answer"));
    let log = data.join("profiles-audit.jsonl");
    wait_for("a line of the audit log", || fs::metadata(&log).is_ok_and(|file| file.len() > 0).then_some(()));
}
