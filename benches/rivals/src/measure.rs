//! The times of answers, and the rates of many connections.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::client::{self, Connection};

/// The length of a turn. A question that was asked before its end is answered.
const TURN: Duration = Duration::from_millis(700);

/// The numbers of connections of rates.
pub(crate) const NUM_CONNECTIONS: [usize; 2] = [8, 32];

/// The figures of a turn.
pub(crate) struct Turn {
    /// The median of the times of answers on one connection, and the time that 99 % do not exceed,
    /// in milliseconds.
    pub(crate) percentiles_ms: [f64; 2],
    /// The answers a second, for each number of connections.
    pub(crate) rates: [f64; 2],
}

/// Measures paths that are asked in turn.
pub(crate) fn turn(address: SocketAddr, paths: &[String]) -> Turn {
    let request = |path: &String| format!("GET {path} HTTP/1.1\r\nhost: bench\r\n\r\n").into_bytes();
    let requests: Vec<_> = paths.iter().map(request).collect();
    let (mut times, _) = ask(address, &requests, 1);
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    let rates = NUM_CONNECTIONS.map(|num_connections| {
        let (times, elapsed) = ask(address, &requests, num_connections);
        times.len() as f64 / elapsed.as_secs_f64()
    });
    Turn { percentiles_ms: [at(50), at(99)], rates }
}

/// Asks on connections that send the next request as soon as they have an answer. Returns the times
/// of all answers, and that of the turn.
fn ask(address: SocketAddr, requests: &[Vec<u8>], num_connections: usize) -> (Vec<Duration>, Duration) {
    client::run(async {
        let mut clients = JoinSet::new();
        let mut connections = Vec::new();
        for _ in 0..num_connections {
            connections.push(Connection::open(address).await);
        }
        let started = Instant::now();
        for (number, mut connection) in connections.into_iter().enumerate() {
            let requests = requests.to_vec();
            let first = number * requests.len() / num_connections;
            clients.spawn_local(async move {
                let mut times = Vec::new();
                for request in requests.iter().cycle().skip(first) {
                    let asked = Instant::now();
                    connection.ask(request).await;
                    times.push(asked.elapsed());
                    if started.elapsed() > TURN {
                        break;
                    }
                }
                times
            });
        }
        let times = clients.join_all().await.concat();
        (times, started.elapsed())
    })
}
