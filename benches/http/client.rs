//! One client thread with many connections.

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::task::{JoinSet, LocalSet};

/// A request in bytes.
#[derive(Clone)]
pub(crate) struct Request {
    bytes: Vec<u8>,
    keeps_alive: bool,
}

/// An answer: media type and body.
pub(crate) struct Answer {
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

/// The number of requests at the same time, and the time that they are sent for.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) num_connections: usize,
    pub(crate) duration: Duration,
}

impl Request {
    /// Makes a request. Lines of the header end with a line break.
    pub(crate) fn new(method: &str, path: &str, header: &str, body: &str) -> Self {
        let length = body.len();
        let request =
            format!("{method} {path} HTTP/1.1\r\nhost: bench\r\n{header}content-length: {length}\r\n\r\n{body}");
        Self { bytes: request.into_bytes(), keeps_alive: true }
    }

    pub(crate) fn get(path: &str) -> Self {
        Self { bytes: format!("GET {path} HTTP/1.1\r\nhost: bench\r\n\r\n").into_bytes(), keeps_alive: true }
    }

    /// Opens a connection for each request.
    pub(crate) fn without_keep_alive(self) -> Self {
        Self { keeps_alive: false, ..self }
    }

    /// Asks once.
    pub(crate) fn ask(&self, address: SocketAddr) -> Answer {
        run(async {
            let mut connection = Connection::open(address).await;
            let num_body = connection.ask(&self.bytes).await;
            let header = String::from_utf8_lossy(&connection.buffer[..connection.num_header]).into_owned();
            let content_type = header.lines().find_map(|line| line.strip_prefix("content-type: ")).expect("a type");
            let body = connection.buffer[connection.num_header..][..num_body].to_vec();
            Answer { content_type: content_type.to_owned(), body }
        })
    }

    /// Returns the answers per second on connections that send the next request as soon as they
    /// have an answer.
    pub(crate) fn saturate(&self, address: SocketAddr, load: Load) -> f64 {
        run(async {
            let mut clients = JoinSet::new();
            let mut connections = Vec::new();
            for _ in 0..load.num_connections {
                connections.push(Connection::open(address).await);
            }
            let started = Instant::now();
            for mut connection in connections {
                let request = self.clone();
                clients.spawn_local(async move {
                    let mut num_answers = 0_u64;
                    while started.elapsed() < load.duration {
                        if num_answers > 0 && !request.keeps_alive {
                            connection.reopen(address).await;
                        }
                        connection.ask(&request.bytes).await;
                        num_answers += 1;
                    }
                    num_answers
                });
            }
            let num_answers: u64 = clients.join_all().await.into_iter().sum();
            num_answers as f64 / started.elapsed().as_secs_f64()
        })
    }

    /// Returns the latencies, ascending, of requests that are due at a fixed rate: each counts from
    /// when it was due.
    pub(crate) fn paced(&self, address: SocketAddr, load: Load, per_second: f64) -> Vec<Duration> {
        run(async {
            let mut clients = JoinSet::new();
            let interval = Duration::from_secs_f64(load.num_connections as f64 / per_second);
            let started = Instant::now() + Duration::from_millis(10);
            for number in 0..load.num_connections {
                let (request, mut connection) = (self.clone(), Connection::open(address).await);
                let first = started + interval.mul_f64(number as f64 / load.num_connections as f64);
                clients.spawn_local(async move {
                    let (mut due, mut latencies) = (first, Vec::new());
                    while due < started + load.duration {
                        // A timer would wake some milliseconds late.
                        while Instant::now() < due {
                            tokio::task::yield_now().await;
                        }
                        connection.ask(&request.bytes).await;
                        latencies.push(due.elapsed());
                        due += interval;
                    }
                    latencies
                });
            }
            let mut latencies = clients.join_all().await.concat();
            latencies.sort_unstable();
            latencies
        })
    }
}

/// Reads an answer that ends with its connection, and returns the bytes of its body and how many
/// came a second.
pub(crate) fn stream(address: SocketAddr, path: &str) -> (Vec<u8>, f64) {
    let started = Instant::now();
    let mut stream = std::net::TcpStream::connect(address).expect("the server accepts");
    write!(stream, "GET {path} HTTP/1.0\r\nhost: bench\r\n\r\n").expect("the server reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let rate = answer.len() as f64 / started.elapsed().as_secs_f64();
    let header = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a header") + 4;
    (answer.split_off(header), rate)
}

/// Runs work on one thread.
pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    LocalSet::new().block_on(&runtime, work)
}

/// A connection that is kept alive.
pub(crate) struct Connection {
    stream: TcpStream,
    /// The last answer.
    buffer: Vec<u8>,
    /// The number of bytes of its header.
    num_header: usize,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        Self { stream: connect(address).await, buffer: vec![0; 1 << 20], num_header: 0 }
    }

    async fn reopen(&mut self, address: SocketAddr) {
        self.stream = connect(address).await;
    }

    /// Sends a request, reads the answer, which must be a success, and returns how many bytes its
    /// body has.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> usize {
        self.stream.write_all(request).await.expect("the server reads");
        let (mut num_read, mut num_wanted) = (0, usize::MAX);
        while num_read < num_wanted {
            let num_new = self.stream.read(&mut self.buffer[num_read..]).await.expect("an answer");
            assert!(num_new > 0, "the connection has ended, or the answer is longer than the buffer");
            num_read += num_new;
            if num_wanted == usize::MAX
                && let Some(end) = self.buffer[..num_read].windows(4).position(|bytes| bytes == b"\r\n\r\n")
            {
                assert!(self.buffer.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&self.buffer[..end]));
                self.num_header = end + 4;
                num_wanted = self.num_header + content_length(&self.buffer[..end]);
            }
        }
        num_wanted - self.num_header
    }
}

async fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).await.expect("the server accepts");
    stream.set_nodelay(true).expect("a socket");
    stream
}

/// Returns how long a header says that its body is.
fn content_length(header: &[u8]) -> usize {
    const NAME: &[u8] = b"content-length: ";
    let start = header.windows(NAME.len()).position(|bytes| bytes == NAME).expect("a length") + NAME.len();
    let digits = header[start..].iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| number * 10 + usize::from(digit - b'0'))
}
