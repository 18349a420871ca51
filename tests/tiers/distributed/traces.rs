//! Requests are parts of traces that clients start or that the server starts itself; both are sent
//! to a collector.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use support::machine::Server;
use support::{PROTEINS, TestFolder, program};

const TRACE_ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT_ID: &str = "00f067aa0ba902b7";

/// A collector that accepts everything over HTTP, and passes on the paths and the bodies.
#[expect(clippy::disallowed_methods, reason = "it ends with the test")]
fn collector() -> (String, Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("bound"));
    let (received, spans) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, received) = (stream.expect("a client"), received.clone());
            thread::spawn(move || collect(stream, &received));
        }
    });
    (address, spans)
}

fn collect(stream: TcpStream, received: &Sender<(String, Vec<u8>)>) {
    let mut answers = stream.try_clone().expect("a socket");
    let mut requests = BufReader::new(stream);
    loop {
        let (mut path, mut length) = (None, 0);
        for line in requests.by_ref().lines() {
            let line = line.unwrap_or_else(|_| String::new());
            if line.is_empty() {
                break;
            }
            match line.split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse().expect("a number");
                }
                Some(_) => {}
                None => path = line.split(' ').nth(1).map(str::to_owned),
            }
        }
        let Some(path) = path else { return };
        let mut body = vec![0; length];
        requests.read_exact(&mut body).expect("the body");
        answers.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").expect("the client reads");
        // The test may have seen enough.
        let _ = received.send((path, body));
    }
}

/// Asks, and returns the head of the answer.
fn head(server: &Server, path: &str, headers: &str) -> String {
    let mut stream = server.connect();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: mgdex.test\r\nconnection: close\r\n{headers}\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer.split("\r\n\r\n").next().unwrap_or_default().to_lowercase()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")).collect()
}

fn contains(body: &[u8], part: &[u8]) -> bool {
    body.windows(part.len()).any(|window| window == part)
}

#[test]
fn traces_continue_in_answers_log_lines_and_the_collector() {
    let folder = TestFolder::of_rows("12,MKVL,true,7,{}\n");
    let (collector, spans) = collector();
    let mut command = program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--otlp", &collector, "--data"]).arg(folder.path());
    command.env("OTEL_BSP_SCHEDULE_DELAY", "100");
    let mut server = Server::of_command(&mut command);
    let path = format!("{PROTEINS}/protein/12");
    let shown = head(&server, &path, &format!("traceparent: 00-{TRACE_ID}-{PARENT_ID}-01\r\n"));
    let (_, rest) = shown.split_once(&format!("\r\ntraceparent: 00-{TRACE_ID}-")).expect(&shown);
    let span_id = &rest[..16];
    assert!(rest[16..].starts_with("-01\r\n") && span_id != PARENT_ID, "{shown}");
    let own = head(&server, &format!("{PROTEINS}/protein/13"), "");
    assert!(!own.contains("traceparent"), "{own}");
    let (_, id) = own.split_once("x-request-id: ").expect(&own);
    let own_id = id[..36].replace('-', "");

    let mut sent = Vec::new();
    while !(contains(&sent, &bytes(span_id)) && contains(&sent, &bytes(&own_id))) {
        let (to, body) = spans.recv_timeout(Duration::from_secs(30)).expect("both spans");
        assert_eq!(to, "/v1/traces");
        sent.extend(body);
    }
    for part in [bytes(TRACE_ID), bytes(PARENT_ID)] {
        assert!(contains(&sent, &part), "the parent is named");
    }
    for text in ["mgdex", "service.version", "http.route", &path, "http.response.status_code"] {
        assert!(contains(&sent, text.as_bytes()), "{text}");
    }
    server.terminate();
    assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    let log = server.log();
    let traced: Vec<&str> = log.lines().filter(|line| line.contains("trace_id=")).collect();
    assert!(traced.len() == 1 && traced[0].contains(&format!("trace_id=\"{TRACE_ID}\"")), "{log}");
    assert!(traced[0].contains(&format!("uri={path} ")), "{log}");
}

#[test]
fn unreachable_collectors_delay_nothing() {
    let folder = TestFolder::of_rows("12,MKVL,true,7,{}\n");
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", silent.local_addr().expect("bound"));
    let mut command = program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--otlp", &address, "--data"]).arg(folder.path());
    let mut server = Server::of_command(&mut command);
    // More than wait for the collector.
    for _ in 0..3000 {
        assert_eq!(server.get(&format!("{PROTEINS}/protein/12")).0, 200);
    }
    server.terminate();
    assert_eq!(server.wait().code(), Some(0), "{}", server.log());

    let done = program().args(["serve", "--otlp", "no url", "--data"]).arg(folder.path()).output().expect("it starts");
    assert_eq!(done.status.code(), Some(2), "{done:?}");
}
