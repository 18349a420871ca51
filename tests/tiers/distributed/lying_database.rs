//! A fake database, which asks for unencrypted passwords and sends endless answers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use support::machine::{Server, wait_for};
use support::profile_writers::Access;
use tempfile::TempDir;

const PASSWORD: &str = "geheim";

/// The answer of a server that does not encrypt.
const UNENCRYPTED: &[u8] = b"N";

/// Asks for the password in clear text.
const PASSWORD_REQUEST: &[u8] = b"R\0\0\0\x08\0\0\0\x03";

/// The beginning of the longest message that there can be.
const ENDLESS: &[u8] = b"E\x7f\xff\xff\xff";

/// The most bytes that may arrive: the longest answer, and the buffers of sockets.
const BYTES_MAX: usize = 32 << 20;

/// The memory that a server without data may use meanwhile.
const MEMORY_MAX_BYTES: u64 = 300 << 20;

/// Listens like PostgreSQL. It refuses encryption on each connection, and then calls `answer` on
/// the rest that is sent.
#[expect(clippy::disallowed_methods, reason = "they end with the tests: who connects last is not known")]
fn listen(answer: impl Fn(&mut TcpStream, &[u8]) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || {
                let mut request = [0; 8];
                if stream.read_exact(&mut request).is_ok() && stream.write_all(UNENCRYPTED).is_ok() {
                    let mut sent = vec![0; 4096];
                    let num_bytes = stream.read(&mut sent).unwrap_or(0);
                    answer(&mut stream, &sent[..num_bytes]);
                }
            });
        }
    });
    address
}

/// Serves profiles from a database at a host, and waits until that was asked.
fn serve(access: &Access, data: &TempDir, host: &str, port: u16) -> Server {
    let mut command = access.serve(data.path());
    command.args(["--profiles", &format!("postgres://mgdex:{PASSWORD}@{host}:{port}/mgdex")]);
    Server::of_command(&mut command)
}

#[test]
fn passwords_are_not_sent_unencrypted_to_another_machine() {
    let (data, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let passwords = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&passwords);
    let port = listen(move |stream, startup| {
        let mut sent = Vec::new();
        if !startup.is_empty() && stream.write_all(PASSWORD_REQUEST).is_ok() {
            sent.resize(4096, 0);
            let num_bytes = stream.read(&mut sent).unwrap_or(0);
            sent.truncate(num_bytes);
        }
        heard.lock().expect("no panic").push([startup, &sent].concat());
    })
    .port();
    let asked = || passwords.lock().expect("no panic").clone();
    // An address outside of loopback that still reaches this machine.
    let server = serve(&access, &data, "0.0.0.0", port);
    wait_for("an attempt", || (asked().len() > 1).then_some(()));
    assert!(asked().iter().all(Vec::is_empty), "something was sent without encryption: {:?}", asked());
    assert_eq!(server.get("/readyz").0, 503);
    drop(server);
    // Within this machine the password cannot be intercepted.
    let _server = serve(&access, &data, "127.0.0.1", port);
    let has_password = |sent: &Vec<u8>| sent.windows(PASSWORD.len()).any(|part| part == PASSWORD.as_bytes());
    wait_for("the password", || asked().iter().any(has_password).then_some(()));
}

#[test]
fn endless_answers_of_a_database_are_cut_off() {
    let (data, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let answered = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&answered);
    let port = listen(move |stream, _| {
        // This test does not cover reading on without storing anything.
        stream.set_write_timeout(Some(Duration::from_secs(30))).expect("a socket");
        let piece = vec![b'x'; 1 << 20];
        let mut num_bytes = 0;
        if stream.write_all(ENDLESS).is_ok() {
            while num_bytes < 1 << 30 && stream.write_all(&piece).is_ok() {
                num_bytes += piece.len();
            }
        }
        taken.lock().expect("no panic").push(num_bytes);
    })
    .port();
    let server = serve(&access, &data, "127.0.0.1", port);
    let answered = || answered.lock().expect("no panic").clone();
    wait_for("attempts", || (answered().len() >= 3).then_some(()));
    assert!(answered().iter().all(|taken| *taken < BYTES_MAX), "{:?}", answered());
    assert_eq!((server.get("/healthz").0, server.get("/readyz").0), (200, 503));
    let peak = server.peak_bytes();
    assert!(peak < MEMORY_MAX_BYTES, "{peak}");
}
