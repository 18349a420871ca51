//! The services over HTTP, measured beside a bare handler in the same run.
//!
//! **What is measured.** Requests a second that one client thread gets answered on kept-alive
//! connections, each of which asks again as soon as it is answered, and the same with a new
//! connection for each request; then the latency at half of that rate, with requests sent by the
//! clock whether or not earlier ones were answered, so that a slow answer delays nobody's
//! measurement but counts in its own; then the bytes a second of streams.
//!
//! **Server.** The program as a user starts it, with the bundled data and with its log in a file.
//!
//! **Rival.** The least that an HTTP server of this framework can do: an axum handler that returns
//! the very same bytes from memory, with nothing logged, limited or counted. Server and rival take
//! turns; the figures are medians of the rounds.
//!
//! **Notes.** `cargo bench --bench http` takes about five minutes. Client and servers share the
//! machine, which must be quiet. An argument limits it to the requests whose names contain it;
//! `cold`, as root, measures warm requests beside cold ones on a slow disk instead, and
//! `cold-index` what single requests take and read if a tenth of the index fits into memory.
//! `MGDEX_BENCH_PROTEINS=1000000` is another number of its proteins; `MGDEX_BENCH_SAMPLES=1000000`
//! asks a catalogue with as many samples, runs and analyses instead.

#![expect(clippy::print_stdout, reason = "the results")]
#![expect(clippy::cast_precision_loss, reason = "numbers for people")]

mod client;
mod cold;
mod servers;

use std::time::Duration;

use client::{Load, Request};
use servers::Servers;

/// The requests that need no token.
const PUBLIC: [(&str, &str); 6] = [
    ("search, limit 50", "/metagenomics/proteins/api/v1/protein/search?biome_lineage=root&limit=50"),
    ("search, limit 1000", "/metagenomics/proteins/api/v1/protein/search?biome_lineage=root&limit=1000"),
    ("record", "/metagenomics/proteins/api/v1/protein/MGYP004580811409"),
    ("25 samples", "/metagenomics/api/v1/samples"),
    ("single study", "/metagenomics/api/v1/studies/MGYS00002008"),
    ("100 biomes", "/metagenomics/api/v1/biomes?page_size=100"),
];

const STREAMS: [(&str, &str); 2] =
    [("samples.ndjson", "/metagenomics/api/v1/samples.ndjson"), ("samples.csv", "/metagenomics/api/v1/samples.csv")];

/// The number of open connections.
const NUM_CONNECTIONS: [usize; 3] = [1, 32, 512];

/// The number of open connections while latencies are measured.
const NUM_PACED: usize = 32;

/// The number of turns of server and rival.
const NUM_ROUNDS: usize = 5;

/// The length of each turn.
const TURN: Duration = Duration::from_millis(700);

fn main() {
    // Cargo's own arguments begin with a hyphen.
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    match wanted.as_str() {
        "cold" => return cold::measure(),
        "cold-index" => return cold::index::measure(),
        _ => {}
    }
    let servers = Servers::start();
    let requests: Vec<_> = requests(&servers).into_iter().filter(|(name, _)| name.contains(&wanted)).collect();
    println!("{:<20} {:>10} {:>12} {:>12} {:>7}", "requests/s", "conn.", "mgdex", "bare", "ratio");
    for (name, request) in &requests {
        servers.rival.imitate(&request.ask(servers.address));
        for num_connections in NUM_CONNECTIONS {
            saturate(&servers, name, &num_connections.to_string(), request, num_connections);
        }
        saturate(&servers, name, "32, new", &request.clone().without_keep_alive(), 32);
    }
    println!("\n{:<20} {:>12} {:>9} {:>9} {:>9}", "latency, µs", "requests/s", "p50", "p99", "p99.9");
    for (name, request) in &requests {
        let load = Load { num_connections: NUM_PACED, duration: TURN };
        let rate = request.saturate(servers.address, load) / 2.0;
        let latencies = request.paced(servers.address, Load { duration: TURN * 4, ..load }, rate);
        println!("{name:<20} {rate:>12.0} {}", percentiles(&latencies));
    }
    println!("\n{:<20} {:>12} {:>12} {:>7}", "streams, MB/s", "mgdex", "bare", "ratio");
    for (name, path) in STREAMS.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        let body = client::stream(servers.address, path).0;
        servers.rival.imitate(&client::Answer { content_type: "text/plain".to_owned(), body });
        let rounds = (0..NUM_ROUNDS)
            .map(|_| (client::stream(servers.address, path).1, client::stream(servers.rival.address, path).1));
        let (mgdex, bare) = medians(rounds);
        println!("{name:<20} {:>12.0} {:>12.0} {:>7.2}", mgdex / 1e6, bare / 1e6, mgdex / bare);
    }
}

/// Writes the median of ascending latencies, and what 99 % and 99.9 % of them do not exceed, in
/// microseconds.
fn percentiles(latencies: &[Duration]) -> String {
    let at = |per_mille: usize| latencies[(latencies.len() - 1) * per_mille / 1000].as_secs_f64() * 1e6;
    format!("{:>9.0} {:>9.0} {:>9.0}", at(500), at(990), at(999))
}

/// Returns the requests, with their names.
fn requests(servers: &Servers) -> Vec<(&'static str, Request)> {
    let authorization = &servers.authorization;
    let my_profile = Request::new("GET", "/my/profile", authorization, "");
    let header = format!("{authorization}content-type: application/json\r\n");
    let durable_patch = Request::new("PATCH", &servers.profile, &header, r#"{"note":"measured"}"#);
    let public = PUBLIC.map(|(name, path)| (name, Request::get(path)));
    public.into_iter().chain([("/my/profile", my_profile), ("durable PATCH", durable_patch)]).collect()
}

/// Measures server and rival in turns.
fn saturate(servers: &Servers, name: &str, connections: &str, request: &Request, num_connections: usize) {
    let load = Load { num_connections, duration: TURN };
    let rounds = (0..NUM_ROUNDS)
        .map(|_| (request.saturate(servers.address, load), request.saturate(servers.rival.address, load)));
    let (mgdex, bare) = medians(rounds);
    println!("{name:<20} {connections:>10} {mgdex:>12.0} {bare:>12.0} {:>7.2}", mgdex / bare);
}

fn medians(rounds: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (mut left, mut right): (Vec<_>, Vec<_>) = rounds.unzip();
    left.sort_by(f64::total_cmp);
    right.sort_by(f64::total_cmp);
    (left[left.len() / 2], right[right.len() / 2])
}
