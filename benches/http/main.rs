//! The services over HTTP, measured beside a bare handler in the same run.
//!
//! **What is measured.** Requests a second that one client thread gets answered on kept-alive connections, each of which asks again as soon
//! as it is answered; then the latency at half of that rate, with requests sent by the clock whether or not earlier ones were answered, so
//! that a slow answer delays nobody's measurement but counts in its own.
//!
//! **Rival.** The least that an HTTP server of this framework can do: an axum handler that returns the very same bytes from memory, with
//! nothing logged, limited or counted. Server and rival take turns; the figures are medians of the rounds.
//!
//! **Corpus.** The bundled 10,000 proteins and the bundled catalogue, all in memory.
//!
//! **Notes.** `cargo bench --bench http` takes about three minutes. Client and servers share the machine, which must be quiet.

#![expect(clippy::print_stdout, reason = "the results")]
#![expect(clippy::cast_precision_loss, reason = "numbers for people")]

mod client;
mod servers;

use std::time::Duration;

use client::{Load, Request};
use servers::Servers;

/// What is asked for.
const REQUESTS: [(&str, &str); 6] = [
    ("search, limit 50", "/metagenomics/proteins/api/v1/protein/search?biome_lineage=root&limit=50"),
    ("search, limit 1000", "/metagenomics/proteins/api/v1/protein/search?biome_lineage=root&limit=1000"),
    ("record", "/metagenomics/proteins/api/v1/protein/MGYP004580811409"),
    ("25 samples", "/metagenomics/api/v1/samples"),
    ("single study", "/metagenomics/api/v1/studies/MGYS00002008"),
    ("100 biomes", "/metagenomics/api/v1/biomes?page_size=100"),
];

/// How many connections are open.
const NUM_CONNECTIONS: [usize; 3] = [1, 32, 512];

/// How often server and rival take turns.
const NUM_ROUNDS: usize = 5;

/// How long each turn takes.
const TURN: Duration = Duration::from_millis(700);

fn main() {
    let servers = Servers::start();
    println!("{:<20} {:>5} {:>12} {:>12} {:>7}", "requests/s", "conn.", "mgdex", "bare", "ratio");
    for (name, path) in REQUESTS {
        let request = Request::get(path);
        servers.rival.imitate(&request.ask(servers.address));
        for num_connections in NUM_CONNECTIONS {
            let load = Load { num_connections, duration: TURN };
            let rounds = (0..NUM_ROUNDS)
                .map(|_| (request.saturate(servers.address, load), request.saturate(servers.rival.address, load)));
            let (mgdex, bare): (Vec<_>, Vec<_>) = rounds.unzip();
            let (mgdex, bare) = (median(mgdex), median(bare));
            println!("{name:<20} {num_connections:>5} {mgdex:>12.0} {bare:>12.0} {:>7.2}", mgdex / bare);
        }
    }
    println!("\n{:<20} {:>12} {:>9} {:>9} {:>9}", "latency, µs", "requests/s", "p50", "p99", "p99.9");
    for (name, path) in REQUESTS {
        let request = Request::get(path);
        let load = Load { num_connections: 32, duration: TURN };
        let rate = request.saturate(servers.address, load) / 2.0;
        let latencies = request.paced(servers.address, Load { duration: TURN * 4, ..load }, rate);
        // As many in a thousand are quicker.
        let at = |per_mille: usize| latencies[(latencies.len() - 1) * per_mille / 1000].as_secs_f64() * 1e6;
        println!("{name:<20} {rate:>12.0} {:>9.0} {:>9.0} {:>9.0}", at(500), at(990), at(999));
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
