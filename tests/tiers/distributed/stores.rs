//! Hostile, broken or intercepted object stores: their answers are limited in size, and not
//! revealed.

use std::fs;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Stdio;

use serde_json::Value;
use support::machine::{Server, wait_for};
use support::{HttpServer, TestFolder};

/// The memory that a replica without data may use, whatever a store sends.
const MEMORY_MAX_BYTES: u64 = 200 << 20;

/// A text of a store that must not reach anybody.
const INNER: &str = "INTERNAL: token=s3cr3t";

/// The way a hostile store answers each request.
enum Attack {
    /// A refusal whose body never ends.
    EndlessError,
    /// A short document, as its length says, that never ends.
    EndlessDocument,
    /// A pointer of 250 MB.
    LongPointer,
    /// A redirect to another server.
    Redirect(SocketAddr),
    /// A refusal of 5 MB, with line breaks.
    LongError,
}

fn answer(mut stream: &TcpStream, attack: &Attack) -> io::Result<()> {
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let endless = |mut stream: &TcpStream| loop {
        stream.write_all(chunk.as_bytes())?;
    };
    let length = |num_bytes: usize| format!("content-length: {num_bytes}\r\nconnection: close\r\n\r\n");
    match attack {
        Attack::EndlessError => {
            stream.write_all(b"HTTP/1.1 403 Forbidden\r\ntransfer-encoding: chunked\r\n\r\n")?;
            endless(stream)
        }
        Attack::EndlessDocument => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 200\r\ntransfer-encoding: chunked\r\n\r\n")?;
            endless(stream)
        }
        Attack::LongPointer => {
            stream.write_all(format!("HTTP/1.1 200 OK\r\n{}", length(250_000_000)).as_bytes())?;
            (0..25_000).try_for_each(|_| stream.write_all(&[b' '; 10_000]))
        }
        Attack::Redirect(to) => {
            let head = format!("HTTP/1.1 302 Found\r\nlocation: http://{to}/inner\r\n{}", length(0));
            stream.write_all(head.as_bytes())
        }
        Attack::LongError => {
            let body = format!("{INNER}\n").repeat(5_000_000 / (INNER.len() + 1));
            let head = format!("HTTP/1.1 401 Unauthorized\r\n{}", length(body.len()));
            stream.write_all(head.as_bytes())?;
            stream.write_all(body.as_bytes())
        }
    }
}

/// Starts a replica of a store, to which it shows a password.
fn replica(folder: &TestFolder, address: SocketAddr) -> Server {
    let mut command = support::program();
    let url = format!("http://user:hunter2@{address}/store?sig=hunter3");
    command.args(["serve", "--listen", "127.0.0.1:0", "--services", "proteins", "--follow", &url]);
    command.args(["--follow-interval", "100ms", "--data"]).arg(folder.path()).stdin(Stdio::null());
    Server::of_command(&mut command)
}

/// Waits until a replica reports a kind of problem, and checks that answers reveal no more, and the
/// log little more.
fn check_reported(replica: &Server, kind: &str) {
    wait_for("the problem", || {
        let (status, body) = replica.get("/readyz");
        let state: Value = serde_json::from_str(&body).expect("JSON");
        assert!(status == 503 && body.len() < 1000, "{status} {body}");
        (state["proteins"]["problem"] == kind).then_some(())
    });
    let (status, page) = replica.get("/portal/status");
    assert!(status == 200 && page.len() < 100_000 && page.contains(kind), "{status} {page}");
    let log = replica.log();
    assert!(log.contains("cannot be followed for now"), "{log}");
    assert!(log.lines().all(|line| line.len() < 4500), "{}", log.len());
    assert!(log.matches(INNER).count() < 4096 / INNER.len(), "once");
    for secret in ["hunter2", "hunter3", "user:", "user@"] {
        assert!(!page.contains(secret) && !log.contains(secret), "{secret}: {log}");
    }
    assert!(!page.contains(INNER));
    assert_eq!(replica.get("/healthz").0, 200);
}

/// Lets a replica query a store several times, and checks its output and its memory.
fn check(attack: Attack, kind: &str) {
    let store = HttpServer::start(move |_, stream| answer(stream, &attack));
    let folder = TestFolder::empty();
    let replica = replica(&folder, store.address());
    check_reported(&replica, kind);
    wait_for("further questions", || (store.num_requests() >= 4).then_some(()));
    let status = fs::read_to_string(format!("/proc/{}/status", replica.id())).expect("a process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let peak_bytes = peak.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") << 10;
    assert!(peak_bytes < MEMORY_MAX_BYTES, "{peak_bytes}");
}

#[test]
fn endless_error_bodies_are_discarded() {
    check(Attack::EndlessError, "store unreachable");
}

#[test]
fn documents_are_limited_whatever_their_headers_say() {
    check(Attack::EndlessDocument, "refused: pointer");
    check(Attack::LongPointer, "refused: pointer");
}

#[test]
fn redirects_are_not_followed() {
    let inner = HttpServer::start(|_, stream| answer(stream, &Attack::LongError));
    check(Attack::Redirect(inner.address()), "store unreachable");
    assert_eq!(inner.num_requests(), 0);
}

#[test]
fn texts_of_a_store_are_hidden_and_logged_in_short() {
    check(Attack::LongError, "store unreachable");
}

#[test]
fn passwords_of_unreachable_stores_are_not_revealed() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let folder = TestFolder::empty();
    check_reported(&replica(&folder, free), "store unreachable");
}

#[test]
fn store_passwords_are_not_sent_unencrypted() {
    let folder = TestFolder::empty();
    for (command, option) in [("serve", "--follow"), ("publish", "--to")] {
        let mut command = support::machine::mgdex(command, folder.path());
        let output = command.args([option, "http://user:hunter2@192.0.2.1/store"]).output().expect("the binary");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("https://") && !message.contains("hunter2"), "{message}");
    }
}
