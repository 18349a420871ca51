//! A server that answers each connection once, in any way.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// A server on a port of its own, until it is dropped.
pub struct HttpServer {
    address: SocketAddr,
    num_requests: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl HttpServer {
    /// Starts a server. `answer` gets the lines of the head of a request, and a thread for each.
    #[expect(clippy::disallowed_methods, reason = "its threads end with the server or with the connection")]
    pub fn start(answer: impl Fn(&[String], &TcpStream) -> io::Result<()> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound");
        let server = Self { address, num_requests: Arc::default(), is_over: Arc::default() };
        let (num_requests, is_over) = (Arc::clone(&server.num_requests), Arc::clone(&server.is_over));
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if is_over.load(Ordering::SeqCst) {
                    return;
                }
                num_requests.fetch_add(1, Ordering::SeqCst);
                let answer = Arc::clone(&answer);
                thread::spawn(move || {
                    let lines = BufReader::new(&stream).lines().map_while(Result::ok);
                    let head: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
                    // The client may have closed the connection.
                    drop(answer(&head, &stream));
                });
            }
        });
        server
    }

    /// Starts a server that always answers with the same bytes.
    pub fn with_answer(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::start(move |_, mut stream| stream.write_all(&answer))
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn num_requests(&self) -> usize {
        self.num_requests.load(Ordering::SeqCst)
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // It waits for a connection, and this is the last one.
        drop(TcpStream::connect(self.address));
    }
}
