//! Attempts of a stranger without a token: idle connections must not harm anyone.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use support::machine::{Server, acknowledged, wait_for};
use support::profile_writers::{Access, Connection};
use tempfile::TempDir;

/// The number of descriptors that the server may open.
const DESCRIPTORS: usize = 300;

/// More connections than it has descriptors.
const CONNECTIONS: usize = 400;

/// Returns a command that has no more descriptors than that, and cannot get more.
fn with_descriptors(command: &Command, descriptors: usize) -> Command {
    let mut limited = Command::new("sh");
    limited.arg("-c").arg(format!("ulimit -n {descriptors} && exec \"$0\" \"$@\""));
    limited.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    limited
}

/// Writes a new profile and reads it again, by a connection of its own.
fn check_writing(server: &Server, access: &Access, number: u32) {
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    let owner = format!("00000000-0000-4000-8000-{number:012}");
    let body = format!(r#"{{"user":{{"userReference":"usr-{owner}"}},"attributes":{{"number":"{number}"}}}}"#);
    let made = connection.send("POST /profiles", &access.administrator, "", Some(&body)).expect("an answer");
    assert_eq!(made.status, 201, "{made:?}");
    let profile = made.json()["reference"].as_str().expect("a reference").to_owned();
    let read = connection.get(&format!("/profiles/{profile}"), &access.administrator).expect("an answer");
    assert_eq!(read.status, 200, "{read:?}");
}

#[test]
fn idle_connections_beyond_the_descriptor_limit_harm_no_client() {
    let (folder, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let server = Server::of_command(&mut with_descriptors(&access.serve(folder.path()), DESCRIPTORS));
    assert!(server.log().contains("ulimit"), "the log has the limit: {}", server.log());
    check_writing(&server, &access, 0);
    let mut idle = Vec::new();
    for number in 1..=CONNECTIONS {
        let mut stream = TcpStream::connect(server.address()).expect("the server accepts");
        // One says nothing, one stops inside of its header, and one has been answered.
        match number % 3 {
            0 => {}
            1 => stream.write_all(b"GET /healthz HT").expect("open"),
            _ => stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").expect("open"),
        }
        idle.push(stream);
        if number % 50 == 0 {
            check_writing(&server, &access, u32::try_from(number).expect("small"));
        }
    }
    let (status, body) = server.get("/readyz");
    assert_eq!(status, 200, "{body}");
    assert_eq!(server.get("/healthz").0, 200);
    assert!(!server.log().contains("was not accepted"), "{}", server.log());
    drop(idle);
    check_writing(&server, &access, 1_000_000);
}

/// The longest answers to a stranger, and the number of them requested at once.
const LARGE_PAGE: &str = "/metagenomics/api/v1/samples?page_size=250";
const LARGE_PAGES: usize = 120;

/// The memory limits of answers and of the server: the rest of its memory does not grow with the
/// number of clients.
const ANSWER_MEMORY: &str = "64M";
const MEMORY_MAX_BYTES: u64 = 200 << 20;

/// Loads a catalogue of which the largest page has 4 MB.
fn load_large_samples(data: &Path) {
    let file = data.with_extension("jsonl");
    let species = "ab".repeat(8_000);
    let line = |number| format!(r#"{{"type":"samples","id":"ERS{number:06}","attributes":{{"species":"{species}"}}}}"#);
    fs::write(&file, (0..300).map(line).collect::<Vec<_>>().join("\n")).expect("writable");
    let mut load = support::program();
    load.args(["catalogue", "load", "--data"]).arg(data).arg(&file);
    acknowledged(&load.output().expect("the binary"));
}

#[test]
fn clients_that_do_not_read_use_little_memory_and_block_no_one() {
    let (folder, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let data = folder.path().join("data");
    load_large_samples(&data);
    let server = Server::of_command(access.serve(&data).args(["--answer-memory", ANSWER_MEMORY]));
    let ask = |_| {
        let mut stream = server.connect();
        write!(stream, "GET {LARGE_PAGE} HTTP/1.1\r\nHost: a\r\n\r\n").expect("open");
        stream
    };
    let mut unread: Vec<_> = (0..LARGE_PAGES).map(ask).collect();
    check_writing(&server, &access, 0);
    assert_eq!(server.get("/healthz").0, 200);
    let mut num_answered = 0;
    for stream in &mut unread {
        let mut status = [0; 12];
        stream.read_exact(&mut status).expect("an answer");
        match &status {
            b"HTTP/1.1 200" => num_answered += 1,
            b"HTTP/1.1 503" => {}
            other => panic!("{}", String::from_utf8_lossy(other)),
        }
    }
    assert!((1..LARGE_PAGES).contains(&num_answered), "{num_answered}");
    let peak = server.peak_bytes();
    assert!(peak < MEMORY_MAX_BYTES, "{peak}");
    drop(unread);
    wait_for("room for an answer", || (server.get(LARGE_PAGE).0 == 200).then_some(()));
}

/// Publishes a directory in which a user is locked or not.
fn publish_directory(data: &Path, user: &str, is_locked: bool) {
    let file = data.with_extension("jsonl");
    fs::write(&file, format!(r#"{{"type":"user","userReference":"{user}","accountNonLocked":{}}}"#, !is_locked))
        .expect("writable");
    let mut load = support::program();
    load.args(["directory", "load", "--data"]).arg(data).arg(&file);
    acknowledged(&load.output().expect("the binary"));
}

/// Takes from a process all descriptors that it does not use at the moment.
fn take_descriptors(server: &Server) {
    let entries = fs::read_dir(format!("/proc/{}/fd", server.id())).expect("a process");
    let used: BTreeSet<u64> =
        entries.filter_map(|entry| entry.expect("readable").file_name().to_str()?.parse().ok()).collect();
    let lowest_free = (0..=used.len() as u64).find(|number| !used.contains(number)).expect("there is one");
    let pid = Pid::from_raw(server.id().cast_signed()).expect("a process");
    let limit = Rlimit { current: Some(lowest_free), maximum: Some(lowest_free) };
    prlimit(Some(pid), Resource::Nofile, limit).expect("a right of the owner");
}

#[test]
fn user_locks_apply_when_no_descriptor_is_free() {
    let (folder, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let data = folder.path().join("data");
    publish_directory(&data, &access.searcher_reference, false);
    let server = access.start(&data);
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    let mut status = || connection.get("/profiles/info", &access.searcher).expect("an answer").status;
    assert_eq!(status(), 200);
    take_descriptors(&server);
    publish_directory(&data, &access.searcher_reference, true);
    wait_for("the lock", || (status() == 401).then_some(()));
    assert!(!server.log().contains("cannot be served"), "{}", server.log());
}

#[test]
fn unread_logs_delay_no_requests() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut command = support::program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path());
    let mut process = command.stderr(Stdio::piped()).spawn().expect("the binary");
    let mut log = BufReader::new(process.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.contains("serving on ") {
        line.clear();
        assert!(log.read_line(&mut line).expect("text") > 0, "the server ended");
    }
    let address = line.trim_end().rsplit("http://").next().expect("an address");
    let mut stream = TcpStream::connect(address).expect("the server accepts");
    stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a socket");
    // Their lines are many times as long as the buffer of a pipe.
    for _ in 0..20_000 {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").expect("open");
        let (mut answer, mut num_read) = ([0; 1024], 0);
        while !answer[..num_read].ends_with(b"}") {
            let more = stream.read(&mut answer[num_read..]).expect("an answer, soon");
            assert!(more > 0, "the connection ended");
            num_read += more;
        }
    }
    process.kill().expect("running");
    process.wait().expect("killed");
}
