//! Requests as they come over the wire, which no client library would send.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use api::{HttpServer, ServerConfig, ServiceConfig};
use tokio::sync::oneshot;

use super::soon;
use crate::services::profiles::harness::Role::Owner;
use crate::services::profiles::harness::{Setup, World};

/// A server of a world, on a port of its own, for as long as this lives.
struct Wire {
    address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

impl Wire {
    async fn new(world: &World) -> Self {
        let server = HttpServer::bind(([127, 0, 0, 1], 0).into(), ServerConfig::default()).await.expect("a free port");
        let address = server.local_addr().expect("bound");
        let (stop, stopped) = oneshot::channel();
        tokio::spawn(server.serve(world.api().clone(), async {
            let _ = stopped.await;
        }));
        Self { address, _stop: stop }
    }

    /// Says something, and goes on with more of the same until there is an answer. Returns the answer, and how many bytes were said.
    async fn say(&self, head: String, more: Vec<u8>, more_max: usize) -> (String, usize) {
        let address = self.address;
        let talk = move || {
            let mut stream = TcpStream::connect(address).expect("a server");
            stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a stream");
            stream.write_all(head.as_bytes()).expect("a server that listens");
            let mut num_bytes = head.len();
            let mut reader = stream.try_clone().expect("a stream");
            reader.set_nonblocking(true).expect("a stream");
            let mut answer = vec![0; 64 << 10];
            let mut length = 0;
            for _ in 0..more_max {
                if let Ok(read) = reader.read(&mut answer) {
                    length = read;
                    break;
                }
                if stream.write_all(&more).is_err() {
                    break;
                }
                num_bytes += more.len();
            }
            reader.set_nonblocking(false).expect("a stream");
            if length == 0 {
                length = reader.read(&mut answer).unwrap_or(0);
            }
            (String::from_utf8_lossy(&answer[..length]).into_owned(), num_bytes)
        };
        #[expect(clippy::disallowed_methods, reason = "a client of the server, not a part of it")]
        tokio::task::spawn_blocking(talk).await.expect("no panic")
    }
}

/// Returns the head of a request of the owner.
fn head(request_line: &str, headers: &str) -> String {
    let token = Owner.token();
    format!(
        "{request_line} HTTP/1.1\r\nHost: mgdex.test\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n{headers}\r\n"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_is_declared_too_large_is_not_waited_for() {
    let world = World::new();
    let reference = world.user_profile().await;
    let wire = Wire::new(&world).await;
    for length in ["262145", "1073741824", "4611686018427387904"] {
        let head = head(&format!("PUT /profiles/{reference}"), &format!("Content-Length: {length}\r\n"));
        let (answer, _) = soon("a declared body", wire.say(head, Vec::new(), 0)).await;
        assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("PAYLOAD_TOO_LARGE"), "{length}: {answer}");
    }
    assert_eq!(world.get("/my/profile", Owner).await.etag(), "\"1\"");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_without_end_is_read_as_far_as_the_limit() {
    let world = World::new();
    let reference = world.user_profile().await;
    let wire = Wire::new(&world).await;
    for request_line in
        [format!("PUT /profiles/{reference}"), format!("PATCH /profiles/{reference}"), "POST /profiles".to_owned()]
    {
        let head = head(&request_line, "Transfer-Encoding: chunked\r\n");
        let mut chunk = b"4000\r\n".to_vec();
        chunk.extend([b' '; 0x4000]);
        chunk.extend(b"\r\n");
        let (answer, num_bytes) = soon("an endless body", wire.say(head, chunk, 4000)).await;
        assert!(
            answer.starts_with("HTTP/1.1 413 ") && answer.contains("PAYLOAD_TOO_LARGE"),
            "{request_line}: {answer}"
        );
        // What is said before the answer comes fills the buffers of the system, and no more.
        assert!(num_bytes < 32 << 20, "{num_bytes}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_in_pieces_is_one_body() {
    let world = World::new();
    let reference = world.user_profile().await;
    let wire = Wire::new(&world).await;
    let head = head(&format!("PUT /profiles/{reference}"), "Transfer-Encoding: chunked\r\n");
    let (answer, _) = wire.say(head + "5\r\n{\"a\":\r\n4\r\n\"b\"}\r\n0\r\n\r\n", Vec::new(), 0).await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with(r#""attributes":{"a":"b"}}"#), "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_request_is_no_fault_of_the_server() {
    let world = World::new();
    let reference = world.user_profile().await;
    let wire = Wire::new(&world).await;
    for (head, statuses) in [
        (head("GET /my/profile\u{0}", ""), &[400][..]),
        (head("GET /my/pro file", ""), &[400]),
        (head("GET /my/profile", "Authorization: Bearer a\r\n"), &[400, 401]),
        (head("GET /my/profile", "Content-Length: 2\r\nContent-Length: 3\r\n"), &[400]),
        (head(&format!("PUT /profiles/{reference}"), "Content-Length: x\r\n"), &[400]),
        (
            head(
                &format!("PUT /profiles/{reference}"),
                "Transfer-Encoding: gzip, chunked\r\nContent-Encoding: gzip\r\n",
            ) + "2\r\n{}\r\n0\r\n\r\n",
            &[400, 415, 501],
        ),
        (head(&format!("PUT /profiles/{reference}"), "Transfer-Encoding: chunked\r\n") + "xyz\r\n", &[400]),
        (head("GET http://evil.test/my/profile", "Connection: close\r\n"), &[200, 400]),
        (head("GET /my/profile", &format!("X: {}\r\n", "a".repeat(1 << 20))), &[400, 431]),
        (head(&format!("GET /users/\u{e9}{}/profile", Owner.user()), "Connection: close\r\n"), &[400, 404]),
    ] {
        let shown: String = head.chars().take(60).collect();
        let (answer, _) = soon(&shown, wire.say(head, Vec::new(), 0)).await;
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        assert!(statuses.contains(&status), "{shown}: {answer}");
    }
    assert_eq!(world.get("/my/profile", Owner).await.is(200).etag(), "\"1\"");
}

/// A body that is announced and never sent holds nobody up but its sender.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_body_holds_nobody_up() {
    let world = World::new();
    let reference = world.user_profile().await;
    let wire = Wire::new(&world).await;
    let mut slow = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(wire.address).expect("a server");
        let head = head(&format!("PUT /profiles/{reference}"), "Content-Length: 9\r\n");
        stream.write_all(head.as_bytes()).expect("a server that listens");
        stream.write_all(b"{\"a\"").expect("a server that listens");
        slow.push(stream);
    }
    let patched = soon("a write", world.patch(&reference, Owner, &serde_json::json!({"b": "c"}))).await.is(200);
    assert_eq!(patched.etag(), "\"2\"");
    drop(slow);
}

/// Slow bodies, however many, take neither the places of other services nor those of the profiles, and not for long.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_bodies_take_places_of_their_own_only() {
    let service = ServiceConfig { requests_max: 8, body_timeout: Duration::from_secs(6), ..ServiceConfig::default() };
    let world = World::with(Setup { service, ..Setup::default() });
    let reference = world.user_profile().await;
    let wire = Wire::new(&world).await;
    let mut slow = Vec::new();
    for _ in 0..4 {
        for _ in 0..8 {
            let mut stream = TcpStream::connect(wire.address).expect("a server");
            stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a stream");
            let head = head(&format!("PUT /profiles/{reference}"), "Content-Length: 9\r\n");
            stream.write_all(format!("{head}{{\"a\"").as_bytes()).expect("a server that listens");
            slow.push(stream);
        }
        // At first nobody knows that they are slow.
        tokio::time::sleep(Duration::from_millis(50)).await;
        let deadline = Instant::now() + Duration::from_secs(2);
        while world.get("/my/profile", Owner).await.status != 200 {
            assert!(Instant::now() < deadline, "reads have no places");
        }
        let answer = support::get_protein(world.api(), "/protein/12").await;
        assert!(!String::from_utf8_lossy(&answer.body).contains("overloaded"), "other services have no places");
    }
    let read = move || {
        let answer = |mut stream: TcpStream| {
            let mut bytes = vec![0; 4096];
            let length = stream.read(&mut bytes).expect("an answer");
            String::from_utf8_lossy(&bytes[..length]).into_owned()
        };
        slow.into_iter().map(answer).collect::<Vec<_>>()
    };
    #[expect(clippy::disallowed_methods, reason = "a client of the server, not a part of it")]
    let answers = tokio::task::spawn_blocking(read).await.expect("no panic");
    let of = |status: &str, code: &str| {
        answers
            .iter()
            .filter(|answer| answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains(code))
            .count()
    };
    let (num_slow, num_refused) = (of("408", "REQUEST_TIMEOUT"), of("503", "SERVICE_UNAVAILABLE"));
    assert!(num_slow >= 2 && num_refused >= 6 && num_slow + num_refused == 32, "{answers:?}");
    world.patch(&reference, Owner, &serde_json::json!({"b": "c"})).await.is(200);
}
