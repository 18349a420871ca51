//! Limits of connections, with shorter times than the defaults of a server.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use api::{Answer, HttpServer, ServerConfig};
use axum::Router;
use axum::extract::Request;
use axum::routing::get;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use support::TestFolder;

/// A server that stops when its sender is used or dropped.
async fn serve(config: ServerConfig, router: impl Answer) -> (SocketAddr, oneshot::Sender<()>, JoinHandle<()>) {
    let server = HttpServer::bind(([127, 0, 0, 1], 0).into(), config).await.expect("a free port");
    let address = server.local_addr().expect("bound");
    let (stop, stopped) = oneshot::channel();
    let serving = tokio::spawn(server.serve(router, async {
        let _ = stopped.await;
    }));
    (address, stop, serving)
}

/// Sends a text to a server, and returns all answers until it closes the connection.
async fn exchange(address: SocketAddr, text: &'static str) -> String {
    let talk = move || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.write_all(text.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        std::io::Result::Ok(answer)
    };
    #[expect(clippy::disallowed_methods, reason = "a client of the server, not a part of it")]
    tokio::task::spawn_blocking(talk).await.expect("no panic").expect("closed in time")
}

#[tokio::test]
async fn connections_that_stop_inside_a_header_are_closed() {
    let config = ServerConfig { header_timeout: Duration::from_millis(200), ..ServerConfig::default() };
    let (address, _stop, _serving) = serve(config, Router::new()).await;
    for text in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n"] {
        let answer = exchange(address, text).await;
        assert!(!answer.starts_with("HTTP/1.1 2"), "{answer}");
    }
}

#[tokio::test]
async fn requests_longer_than_the_drain_are_cut_off() {
    let config = ServerConfig { drain_timeout: Duration::from_millis(200), ..ServerConfig::default() };
    let endless = Router::new().route("/", get(std::future::pending::<()>));
    let (address, stop, serving) = serve(config, endless).await;
    let asking = tokio::spawn(exchange(address, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    // Stops only once the request is being handled, which a second request on another connection
    // shows well enough.
    tokio::time::timeout(Duration::from_millis(100), exchange(address, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        .await
        .expect_err("endless");
    stop.send(()).expect("serving");
    serving.await.expect("no panic");
    drop(asking);
}

#[tokio::test]
async fn health_checks_are_answered_while_all_connections_are_busy() {
    let config = ServerConfig { connections_max: 1, ..ServerConfig::default() };
    let (is_requested, may_continue) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = {
        let (is_requested, may_continue) = (Arc::clone(&is_requested), Arc::clone(&may_continue));
        move || {
            is_requested.notify_one();
            let may_continue = Arc::clone(&may_continue);
            async move { may_continue.notified().await }
        }
    };
    let api = TestFolder::empty().router();
    let router =
        Router::new().route("/slow", get(slow)).fallback(async move |request: Request| api.answer(request).await);
    let (address, _stop, _serving) = serve(config, router).await;
    let mut first = TcpStream::connect(address).expect("accepted");
    first.write_all(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n").expect("open");
    is_requested.notified().await;
    for _ in 0..50 {
        // The first answer closes the connection although the client did not ask for it.
        let answer = exchange(address, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let answer = exchange(address, "GET /metagenomics/api/v1/studies HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("overloaded"), "{answer}");
    }
    may_continue.notify_one();
}

#[tokio::test]
async fn idle_connections_make_room_for_new_ones() {
    let config = ServerConfig { connections_max: 1, ..ServerConfig::default() };
    let (address, _stop, _serving) = serve(config, Router::new().route("/", get(|| async { "here" }))).await;
    // Connections are admitted in the order in which they were made.
    let mut idle = TcpStream::connect(address).expect("the server listens");
    idle.write_all(b"GET / HT").expect("the server reads");
    for _ in 0..3 {
        let answer = exchange(address, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
        assert!(answer.ends_with("here"), "{answer}");
    }
}

#[tokio::test]
async fn headers_take_little_memory() {
    let (address, _stop, _serving) = serve(ServerConfig::default(), TestFolder::empty().router()).await;
    let request = |bytes: usize| {
        let text = format!("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: {}\r\n\r\n", "a".repeat(bytes));
        &*text.leak()
    };
    assert!(exchange(address, request(60 << 10)).await.starts_with("HTTP/1.1 200 "));
    // Heads beyond the limit are refused, also while they are still arriving.
    for bytes in [65 << 10, 70_000, 200 << 10, 5 << 20] {
        let answer = exchange(address, request(bytes)).await;
        assert!(answer.starts_with("HTTP/1.1 431 "), "{bytes}: {answer}");
    }
}

#[tokio::test]
async fn bare_line_feeds_end_no_line_of_a_head() {
    let (address, _stop, _serving) = serve(ServerConfig::default(), TestFolder::empty().router()).await;
    let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n";
    let post = "POST /metagenomics/api/v2/auth/sliding HTTP/1.1\r\nHost: a\r\n";
    let end = format!("{get}Connection: close\r\n\r\n");
    let hidden = format!("{get}X: y\nContent-Length: 4\r\n\r\n");
    for (text, statuses) in [
        (hidden.clone(), &["400"][..]),
        (format!("GET /healthz HTTP/1.1\nHost: a\r\n\r\n{end}"), &["400"]),
        (format!("{get}\n{end}"), &["400"]),
        (format!("\n{end}"), &["400"]),
        (format!("\r\n{end}"), &["200"]),
        (format!("{get}\r\n{hidden}"), &["200", "400"]),
        (format!("{post}Content-Length: 4\r\n\r\n\n\r\n\n{hidden}"), &["501", "400"]),
        (format!("{post}Content-Length: 4\r\n\r\n\n\r\n\n{end}"), &["501", "200"]),
        // Bytes after a body without a length in the head are not read.
        (format!("{post}Transfer-Encoding: chunked\r\n\r\n2\r\n\n\n\r\n0\r\n\r\n{hidden}"), &["501"]),
        (format!("{post}Transfer-Encoding: chunked\r\n\r\n2\r\n\n\n\r\n0\r\n\r\n"), &["501"]),
    ] {
        let answers = exchange(address, text.clone().leak()).await;
        let found: Vec<_> = answers.match_indices("HTTP/1.1 ").map(|(at, _)| &answers[at + 9..at + 12]).collect();
        assert_eq!(found, statuses, "{text:?}: {answers}");
    }
}

#[tokio::test]
async fn refusals_reach_clients_that_still_send() {
    let (address, _stop, _serving) = serve(ServerConfig::default(), TestFolder::empty().router()).await;
    for path in ["/metagenomics/api/v1/samples/search", "/metagenomics/api/v2/auth/sliding", "/nowhere"] {
        let length = 12 << 20;
        let head = format!("POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n");
        let answer = exchange(address, (head + &" ".repeat(length)).leak()).await;
        assert!(answer.starts_with("HTTP/1.1 ") && answer.contains("connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn requests_must_have_one_host() {
    let (address, _stop, _serving) = serve(ServerConfig::default(), TestFolder::empty().router()).await;
    for (text, status) in [
        ("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", "400 "),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n", "400 "),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "200 "),
        ("GET /healthz HTTP/1.0\r\n\r\n", "200 "),
    ] {
        let answer = exchange(address, text).await;
        let (_, rest) = answer.split_once(' ').expect("a status");
        assert!(rest.starts_with(status) && answer.contains("application/json"), "{answer}");
        assert!(answer.contains("x-request-id"), "it is in the log: {answer}");
    }
}

#[tokio::test]
async fn unread_bodies_close_the_connection_with_an_announcement() {
    let (address, _stop, _serving) = serve(ServerConfig::default(), TestFolder::empty().router()).await;
    let talk = move |head: &str, rest: &str| {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.write_all(
            format!("POST /metagenomics/api/v2/auth/sliding HTTP/1.1\r\nHost: a\r\n{head}\r\n\r\n").as_bytes(),
        )?;
        // The server can answer before the body arrives.
        std::thread::sleep(Duration::from_millis(50));
        stream.write_all(rest.as_bytes())?;
        let mut answers = String::new();
        stream.read_to_string(&mut answers)?;
        std::io::Result::Ok(answers)
    };
    let second = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    #[expect(clippy::disallowed_methods, reason = "a client of the server, not a part of it")]
    let talks = tokio::task::spawn_blocking(move || {
        let short = talk("Content-Length: 2", &format!("{{}}{second}"));
        let chunked = talk("Transfer-Encoding: chunked", &format!("2\r\n{{}}\r\n0\r\n\r\n{second}"));
        let awaited = talk("Content-Length: 2\r\nExpect: 100-continue", "");
        let long = talk("Content-Length: 3000000", "");
        ([short], [awaited, long, chunked])
    });
    let (read, unread) = talks.await.expect("no panic");
    for answers in read {
        let answers = answers.expect("answered");
        assert!(answers.matches("HTTP/1.1 ").count() == 2 && answers.contains("HTTP/1.1 200 "), "{answers}");
        assert!(!answers.split("HTTP/1.1 ").nth(1).expect("two").contains("connection: close"), "{answers}");
    }
    for answers in unread {
        let answers = answers.expect("answered");
        assert!(answers.matches("HTTP/1.1 ").count() == 1 && answers.contains("connection: close"), "{answers}");
    }
}
