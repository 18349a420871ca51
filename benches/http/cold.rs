//! Warm requests beside a stream of cold ones, on a slow disk that holds more than memory does.
//!
//! The server runs in control groups with too little memory for its index and a disk of few reads a
//! second.

mod bounds;
#[path = "../catalogue/corpus.rs"]
#[expect(dead_code, reason = "that bench also prints the size")]
mod catalogue;
mod corpus;
pub(crate) mod index;
mod questions;

use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use tempfile::TempDir;
use tokio::task::JoinSet;

use bounds::Bounds;

use crate::client::{self, Connection};
use crate::percentiles;

/// Synthetic proteins, whose index is 136 MB.
const NUM_PROTEINS: u64 = 3_000_000;

/// The memory of the server, with the parts of files that the kernel caches for it.
const MEMORY_BYTES: u64 = 100 << 20;

/// Reads of the disk, each of which then takes 5 ms.
const READS_PER_SECOND: u32 = 200;

/// The number of proteins that are requested again and again.
const NUM_WARM: usize = 100;

/// Connections that ask for any protein, as soon as they are answered.
const NUM_COLD_CONNECTIONS: usize = 8;

/// Warm requests are sent by the clock.
const WARM_INTERVAL: Duration = Duration::from_millis(2);

const DURATION: Duration = Duration::from_secs(20);

/// Measures the latencies of warm requests alone, then beside cold ones.
pub(crate) fn measure() {
    let folder = TempDir::with_prefix_in("http-bench-", env!("CARGO_TARGET_TMPDIR")).expect("writable");
    let data_folder = corpus::index(folder.path(), NUM_PROTEINS, &[]);
    let search = ["search", "--query", "length:[1 TO 1000000]", "--limit", "all", "--fields", "accession"];
    let accessions = corpus::first_column(&data_folder, &search);
    let mut bounds = Bounds::new(folder.path(), MEMORY_BYTES, READS_PER_SECOND);
    let (_, address) = bounds.serve(&data_folder, &[]);
    println!("{:<28} {:>9} {:>9} {:>9} {:>9}", "latency, µs", "answers", "p50", "p99", "p99.9");
    for num_cold in [0, NUM_COLD_CONNECTIONS] {
        let [warm, cold] = latencies(address, &accessions, num_cold);
        let name = if num_cold == 0 { "warm alone" } else { "warm beside cold" };
        println!("{name:<28} {:>9} {}", warm.len(), percentiles(&warm));
        if num_cold > 0 {
            println!("{:<28} {:>9} {}", "cold", cold.len(), percentiles(&cold));
        }
    }
}

/// Runs a command, and returns what it prints.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("it is there");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the latencies of warm requests, which count from when they were due, and of cold ones,
/// ascending. The warm ones were answered before.
fn latencies(address: SocketAddr, accessions: &[String], num_cold: usize) -> [Vec<Duration>; 2] {
    let request = |accession: &String| {
        let path = format!("/metagenomics/proteins/api/v1/protein/{accession}");
        format!("GET {path} HTTP/1.1\r\nhost: bench\r\n\r\n").into_bytes()
    };
    let step = accessions.len() / NUM_WARM;
    let warm: Vec<_> = accessions.iter().step_by(step).map(request).collect();
    client::run(async {
        let mut connection = Connection::open(address).await;
        for _ in 0..3 {
            for request in &warm {
                connection.ask(request).await;
            }
        }
        let started = Instant::now();
        let mut cold_clients = JoinSet::new();
        for number in 0..num_cold {
            let (mut connection, mut random) =
                (Connection::open(address).await, SmallRng::seed_from_u64(number as u64));
            let requests: Vec<_> = accessions.sample(&mut random, 100_000 / num_cold).map(request).collect();
            cold_clients.spawn_local(async move {
                let mut latencies = Vec::new();
                for request in requests.iter().cycle() {
                    if started.elapsed() > DURATION {
                        break;
                    }
                    let asked = Instant::now();
                    connection.ask(request).await;
                    latencies.push(asked.elapsed());
                }
                latencies
            });
        }
        let (mut due, mut latencies) = (started, Vec::new());
        for request in warm.iter().cycle() {
            if due.duration_since(started) > DURATION {
                break;
            }
            // A timer would wake some milliseconds late.
            while Instant::now() < due {
                tokio::task::yield_now().await;
            }
            connection.ask(request).await;
            latencies.push(due.elapsed());
            due += WARM_INTERVAL;
        }
        [latencies, cold_clients.join_all().await.concat()].map(|mut latencies| {
            latencies.sort_unstable();
            latencies
        })
    })
}
