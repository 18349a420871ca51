//! A server answers over a socket, switches to new data, and stops on request without dropping a
//! request.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use indexer::Input;
use serde_json::Value;

use crate::cli::rows;
use support::machine::{Server, read_answer, wait_for};
use support::program;
use support::{PROTEINS, TestFolder};

/// Starts a server over a folder.
fn serve(folder: &TestFolder) -> Server {
    serve_with(folder, &[])
}

/// Starts a server with more arguments.
fn serve_with(folder: &TestFolder, more: &[&str]) -> Server {
    Server::of_command(program().args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path()).args(more))
}

#[test]
fn servers_do_not_warn_about_unused_features() {
    let folder = TestFolder::of_rows(&rows());
    let server = serve(&folder);
    let log = server.log();
    assert!(log.contains("--jwt-key") && !log.contains(" WARN "), "{log}");
}

/// Connections to the metrics that say nothing, more than are open at a time.
const IDLE: usize = 40;

#[test]
fn metrics_are_served_despite_idle_connections() {
    let folder = TestFolder::empty();
    let mut command = program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--data"]).arg(folder.path());
    let server = Server::of_command(&mut command);
    let log = server.log();
    let (_, address) = log.split_once("metrics on http://").expect("its address");
    let (address, _) = address.split_once("/metrics").expect("its path");
    let connect = || TcpStream::connect(address).expect("the server accepts");
    let idle: Vec<_> = (0..IDLE).map(|_| connect()).collect();
    assert_eq!(server.get("/healthz").0, 200);
    let ask = |path: &str| {
        let mut stream = connect();
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").expect("open");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let measurements = ask("/metrics");
    for name in measurements.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()) {
        assert!(measurements.contains(&format!("\n# HELP {name} ")), "{name}: {measurements}");
    }
    let harvest = "\nmgdex_harvest_began_timestamp_seconds";
    for (path, status, part) in [
        ("/metrics", 200, r#"mgdex_http_requests_total{route="/healthz""#),
        ("/metrics", 200, &format!("{harvest} NaN\n")),
        ("/", 404, r#"{"detail":"#),
    ] {
        let answer = ask(path);
        assert!(answer.starts_with(&format!("HTTP/1.0 {status} ")) && answer.contains(part), "{answer}");
        assert!(answer.contains("x-content-type-options: nosniff\r\n"), "{answer}");
    }
    let inputs = folder.path().join("inputs");
    fs::create_dir(&inputs).expect("writable");
    fs::write(inputs.join("studies.jsonl"), r#"{"type": "studies", "id": "MGYS1"}"#).expect("writable");
    let report = r#"{"from": "x", "began": "2026-11-25T19:23:09Z", "finished": "2026-11-25T20:00:00Z"}"#;
    fs::write(inputs.join("harvest.json"), report).expect("writable");
    folder.publish_catalogue(vec![Input::Path(inputs)]);
    let metric = format!("{harvest} 1795634589\n");
    wait_for("the harvest", || ask("/metrics").contains(&metric).then_some(()));
    drop(idle);
}

#[test]
fn the_limit_of_descriptors_is_raised_to_its_maximum() {
    let folder = TestFolder::empty();
    let (mut command, serve) = (Command::new("sh"), program());
    command.args(["-c", "ulimit -S -n 100 && exec \"$0\" \"$@\""]).arg(serve.get_program());
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path());
    let server = Server::of_command(&mut command);
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.id())).expect("a process");
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("a limit");
    let (soft, hard) = limit.trim().split_once(' ').expect("two numbers");
    assert!(hard.trim().starts_with(soft) && soft != "100", "{limit}");
}

#[test]
fn few_descriptors_are_reserved_for_few_files() {
    let folder = TestFolder::empty();
    for (connections, is_limited) in [(600, false), (800, true)] {
        let (mut command, serve) = (Command::new("sh"), program());
        command.args(["-c", "ulimit -n 1000 && exec \"$0\" \"$@\""]).arg(serve.get_program());
        command.args(["serve", "--listen", "127.0.0.1:0", "--max-connections", &connections.to_string(), "--data"]);
        let server = Server::of_command(command.arg(folder.path()));
        assert_eq!(server.log().contains("ulimit -n"), is_limited, "{}", server.log());
    }
}

#[test]
fn missing_data_folders_are_logged_at_start() {
    let folder = TestFolder::empty();
    let data = folder.path().join("nowhere");
    let server = Server::of_command(program().args(["serve", "--listen", "localhost:0", "--data"]).arg(&data));
    assert!(
        server.log().contains(&format!("the data folder {} does not exist yet", data.display())),
        "{}",
        server.log()
    );
    assert!(server.address().starts_with("127.0.0.1:"), "{}", server.address());
    assert_eq!(server.get("/readyz").0, 200);
}

#[test]
fn requests_in_flight_finish_after_a_stop_signal() {
    let folder = TestFolder::of_rows(&rows());
    let mut server = serve(&folder);
    let mut in_flight = server.connect();
    write!(in_flight, "GET {PROTEINS}/protein/12 HTTP/1.1\r\nHost: a").expect("open");
    let mut abandoned = server.connect();
    abandoned.write_all(b"GET / HTT").expect("open");
    // Connections are accepted in order: once later ones were answered, the halves above are with
    // the server.
    for _ in 0..20 {
        assert_eq!(server.get("/healthz").0, 200);
    }
    server.terminate();
    wait_for("the end of listening", || {
        TcpStream::connect(server.address())
            .is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
            .then_some(())
    });
    assert!(server.is_running(), "it waits for the requests in flight");

    in_flight.write_all(b".org\r\n\r\n").expect("open");
    let (status, body) = read_answer(&mut in_flight);
    let record: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!((status, &record["mgyp"]), (200, &"MGYP000000000012".into()));
    drop(abandoned);
    let closed = Instant::now();
    assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    assert_eq!(server.stdout(), "", "results only, and a server has none");
    assert!(closed.elapsed() < Duration::from_secs(10), "nothing was left to wait for");
}

#[test]
fn draining_servers_answer_until_the_timeout_or_a_second_signal() {
    let folder = TestFolder::of_rows(&rows());
    for is_signalled_twice in [false, true] {
        let mut server = serve_with(&folder, &["--drain", if is_signalled_twice { "1h" } else { "1s" }]);
        assert_eq!(server.get("/readyz").0, 200);
        server.terminate();
        let (_, body) =
            wait_for("the announcement", || Some(server.get("/readyz")).filter(|(status, _)| *status == 503));
        assert!(body.contains("\"stopping\":true"), "{body}");
        assert_eq!((server.get("/healthz").0, server.get_protein("/protein/12").0), (200, 200));
        if is_signalled_twice {
            server.terminate();
        }
        assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    }
}

#[test]
fn idle_connections_do_not_delay_shutdown() {
    let folder = TestFolder::of_rows(&rows());
    let mut server = serve(&folder);
    let silent = server.connect();
    let mut kept_alive = server.connect();
    write!(kept_alive, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").expect("open");
    let mut start = [0; 15];
    kept_alive.read_exact(&mut start).expect("an answer");
    assert_eq!(&start, b"HTTP/1.1 200 OK");
    server.terminate();
    let signalled = Instant::now();
    assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    assert!(signalled.elapsed() < Duration::from_secs(10), "{}", server.log());
    drop((silent, kept_alive));
}
