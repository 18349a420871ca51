//! Servers that schemas may point at: one that must not be called, and one that answers.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The time in which a late connection would come.
const GRACE: Duration = Duration::from_millis(150);

/// A server that must not be called.
pub(crate) struct Trap {
    listener: TcpListener,
}

impl Trap {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a listener");
        Self { listener }
    }

    /// Returns the address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("bound")
    }

    /// Checks that no call has come, and none comes a moment later.
    pub(crate) async fn expect_nobody(&self) {
        tokio::time::sleep(GRACE).await;
        match self.listener.accept() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            result => panic!("somebody called: {result:?}"),
        }
    }
}

/// A server that gives one and the same answer until it is dropped.
pub(crate) struct SchemaServer {
    address: SocketAddr,
    num_requests: Arc<AtomicUsize>,
    is_over: Arc<AtomicUsize>,
}

impl SchemaServer {
    /// Starts one that answers with what it is given, after a pause.
    pub(crate) fn new(answer: impl Into<String>, pause: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (num_requests, is_over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let server = Self { address: listener.local_addr().expect("bound"), num_requests, is_over };
        let (num_requests, is_over) = (Arc::clone(&server.num_requests), Arc::clone(&server.is_over));
        let answer = answer.into();
        let serve = move || {
            for stream in listener.incoming() {
                if is_over.load(Ordering::SeqCst) > 0 {
                    return;
                }
                num_requests.fetch_add(1, Ordering::SeqCst);
                let Ok(mut stream) = stream else { continue };
                let mut request = [0; 4096];
                // A client that goes away early is none of the server's business.
                let _ = stream.read(&mut request);
                thread::sleep(pause);
                let _ = stream.write_all(answer.as_bytes());
            }
        };
        #[expect(clippy::disallowed_methods, reason = "a server of the test, ended when it is dropped")]
        thread::spawn(serve);
        server
    }

    /// Starts one that answers with a schema.
    pub(crate) fn of(schema: &str) -> Self {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n", schema.len());
        Self::new(format!("{head}Connection: close\r\n\r\n{schema}"), Duration::ZERO)
    }

    /// Returns the address of its root, without a slash at the end.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns how often it was asked.
    pub(crate) fn num_requests(&self) -> usize {
        self.num_requests.load(Ordering::SeqCst)
    }
}

impl Drop for SchemaServer {
    fn drop(&mut self) {
        self.is_over.store(1, Ordering::SeqCst);
        // It waits for a connection; this is the last one.
        drop(std::net::TcpStream::connect(self.address));
    }
}
