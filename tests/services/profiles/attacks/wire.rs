//! Requests that no client library would send, as bytes on a connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use api::{HttpServer, ServerConfig};
use tokio::sync::oneshot;

use super::soon;
use crate::services::profiles::harness::Role::Owner;
use crate::services::profiles::harness::World;

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

    /// Sends a text, and then more of the same until an answer arrives. Returns the answer, and the
    /// number of bytes sent.
    async fn exchange(&self, head: String, more: Vec<u8>, more_max: usize) -> (String, usize) {
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
async fn endless_bodies_are_read_up_to_the_limit() {
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
        let (answer, num_bytes) = soon("an endless body", wire.exchange(head, chunk, 4000)).await;
        assert!(
            answer.starts_with("HTTP/1.1 413 ") && answer.contains("PAYLOAD_TOO_LARGE"),
            "{request_line}: {answer}"
        );
        // The bytes sent before the answer arrives fill the buffers of the system, and no more.
        assert!(num_bytes < 32 << 20, "{num_bytes}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chunked_bodies_are_accepted() {
    let world = World::new();
    let reference = world.user_profile().await;
    let wire = Wire::new(&world).await;
    let head = head(&format!("PUT /profiles/{reference}"), "Transfer-Encoding: chunked\r\n");
    let (answer, _) = wire.exchange(head + "5\r\n{\"a\":\r\n4\r\n\"b\"}\r\n0\r\n\r\n", Vec::new(), 0).await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with(r#""attributes":{"a":"b"}}"#), "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_requests_get_no_internal_error() {
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
        let (answer, _) = soon(&shown, wire.exchange(head, Vec::new(), 0)).await;
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        assert!(statuses.contains(&status), "{shown}: {answer}");
    }
    assert_eq!(world.get("/my/profile", Owner).await.is(200).etag(), "\"1\"");
}
