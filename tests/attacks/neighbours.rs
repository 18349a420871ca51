//! A server with the data of the demo, one address that attacks it, and another that keeps sending
//! requests.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use support::machine::{Server, number_of, rounds};
use support::profile_writers::Connection;
use support::program;
use tokio::io::Interest;
use tokio::net::TcpSocket;
use tokio::runtime;

use crate::services::catalogue::real;

/// Attackers have the address 127.0.0.N, and neighbours another one of this machine.
const ATTACKER: u8 = 2;

/// The duration of an attack in milliseconds, and its number of connections. The variables make it
/// longer, to measure it.
const MILLISECONDS_VARIABLE: &str = "MGDEX_ATTACK_MS";
const CONNECTIONS_VARIABLE: &str = "MGDEX_ATTACK_CONNECTIONS";

/// The memory that a server may use while it is attacked.
const MEMORY_MAX_BYTES: u64 = 700 << 20;

/// Threads in addition to those of queued work: workers, short reads of the neighbours, and
/// followers of new data.
const OTHER_THREADS: usize = 64;

/// The requests of neighbours.
const ASKED: [&str; 4] = [
    "/healthz",
    "/my/profile",
    "/metagenomics/proteins/api/v1/protein/search?pfam_accession=1&limit=3",
    "/metagenomics/api/v1/studies?page_size=3",
];

/// One site at a time has the data, which are loaded once.
static DATA: Mutex<Option<PathBuf>> = Mutex::new(None);

pub(super) struct Site {
    server: Server,
    token: String,
    _data: MutexGuard<'static, Option<PathBuf>>,
}

/// The answers to a neighbour: statuses other than 200, and the time of each.
struct Seen {
    refused: Vec<(&'static str, u16)>,
    times: [Vec<Duration>; ASKED.len()],
}

impl Site {
    /// Starts the demo.
    pub(super) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the demo with some more arguments.
    pub(super) fn start_with(arguments: &[&str]) -> Self {
        let mut data = DATA.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = data.get_or_insert_with(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attacks");
            let _ = fs::remove_dir_all(&folder);
            // The demo loads missing data: here, all except the catalogue, which other tests have
            // loaded.
            let data = folder.join("mgdex-data");
            fs::create_dir_all(&data).expect("a folder");
            let copy = Command::new("cp").arg("-r").arg(real::FOLDER.join("catalogue")).arg(data).status();
            assert!(copy.is_ok_and(|status| status.success()), "the copy is missing");
            folder
        });
        let mut command = program();
        let server =
            Server::of_command(command.args(["--listen", "127.0.0.1:0"]).args(arguments).current_dir(&*folder));
        let token =
            fs::read_to_string(folder.join("mgdex-data/demo-keys/token")).expect("the token").trim_end().to_owned();
        Self { server, token, _data: data }
    }

    pub(super) fn server(&self) -> &Server {
        &self.server
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    fn address(&self) -> SocketAddr {
        self.server.address().parse().expect("an address")
    }

    /// Opens a connection of the attacker.
    pub(super) fn attacker(&self) -> io::Result<TcpStream> {
        self.server.connect_from(ATTACKER)
    }

    /// Sends a request over and over on many connections of the attacker, and reads some of each
    /// answer. Neighbours are answered meanwhile.
    pub(super) fn withstands(&self, name: &str, request: &[u8]) {
        let (address, request) = (self.address(), Arc::<[u8]>::from(request));
        let num_connections = number_of(CONNECTIONS_VARIABLE, rounds(4, 20));
        self.withstands_while(name, |is_over| {
            // One thread, so that the attacker uses no more than its share of the processors.
            on_one_thread(async {
                let ask = || async {
                    while !is_over.load(Ordering::Relaxed) {
                        // A connection that is refused is one more way of being stopped.
                        let _ = ask(address, &request).await;
                    }
                };
                let mut attacks: FuturesUnordered<_> = (0..num_connections).map(|_| ask()).collect();
                while attacks.next().await.is_some() {}
            });
        });
    }

    /// Runs an attack until it is stopped, while neighbours are answered.
    pub(super) fn withstands_while(&self, name: &str, attack: impl Fn(&AtomicBool) + Sync) {
        let is_over = AtomicBool::new(false);
        let seen = thread::scope(|scope| {
            scope.spawn(|| attack(&is_over));
            let seen = self.ask_as_neighbour();
            is_over.store(true, Ordering::Relaxed);
            seen
        });
        let (threads, peak) = (self.server.status("Threads:"), self.peak());
        #[expect(clippy::print_stderr, reason = "who measures reads it")]
        {
            eprintln!("{}", seen.table(name, threads, peak));
        }
        assert!(seen.refused.is_empty(), "{name}: {:?}", seen.refused);
        assert!(peak < MEMORY_MAX_BYTES, "{name}: {peak} bytes");
        let cores = thread::available_parallelism().map_or(1, usize::from);
        assert!(threads < (OTHER_THREADS + 16 * cores) as u64, "{name}: {threads} threads");
    }

    /// Asks for everything in turn, on one connection.
    fn ask_as_neighbour(&self) -> Seen {
        let mut seen = Seen { refused: Vec::new(), times: Default::default() };
        let mut connection = Connection::open(self.server.address()).expect("the server accepts");
        let end = Instant::now() + Duration::from_millis(number_of(MILLISECONDS_VARIABLE, rounds(100, 2000) as u64));
        while Instant::now() < end {
            for (path, times) in ASKED.into_iter().zip(&mut seen.times) {
                let started = Instant::now();
                let answer = connection.get(path, &self.token).expect("an answer");
                times.push(started.elapsed());
                if answer.status != 200 {
                    seen.refused.push((path, answer.status));
                }
            }
            thread::sleep(Duration::from_millis(2));
        }
        seen
    }

    /// Returns the most bytes of memory that the server has had.
    pub(super) fn peak(&self) -> u64 {
        self.server.peak_bytes()
    }

    /// Returns the bytes of memory that the server has.
    pub(super) fn resident(&self) -> u64 {
        self.server.status("VmRSS:") << 10
    }
}

impl Seen {
    fn table(&self, name: &str, threads: u64, peak: u64) -> String {
        let mut line = format!("{name:28} {threads:4} threads {:4} MB", peak >> 20);
        for times in &self.times {
            let mut times = times.clone();
            times.sort_unstable();
            let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
            let _ = write!(line, "  p50 {:6.2} p99 {:7.2} ms", at(50), at(99));
        }
        line
    }
}

fn on_one_thread<T>(work: impl Future<Output = T>) -> T {
    runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(work)
}

async fn connect(server: SocketAddr) -> io::Result<tokio::net::TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::new(127, 0, 0, ATTACKER), 0).into())?;
    socket.connect(server).await
}

/// Sends a request and reads its answer.
async fn ask(server: SocketAddr, request: &[u8]) -> io::Result<()> {
    let stream = connect(server).await?;
    let (mut left, mut buffer) = (request, vec![0; 64 << 10]);
    loop {
        stream.ready(Interest::READABLE | Interest::WRITABLE).await?;
        if left.is_empty() {
            stream.readable().await?;
        } else {
            match stream.try_write(left) {
                Ok(num_written) => left = &left[num_written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        match stream.try_read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}
