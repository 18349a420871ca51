//! Replicas behind `haproxy`: what a second one adds, and how long a publication takes to be served
//! by all.
//!
//! **What is measured.** Requests a second through the shipped `deploy/haproxy.cfg` with one and
//! with two replicas, each of which may take a quarter of a core (a control group), so that load
//! balancer and clients have room on a small machine. Then the time from the start of `mgdex
//! publish` until both replicas serve the new generation, for a folder as the store.
//!
//! **Machines.** Store, replicas and load balancer are in network namespaces of their own on one
//! machine, and share its processors and its disk.
//!
//! **Corpus.** The bundled sample; for the time of publications, a generation with one more file of
//! random bytes. An argument gives its size in GB (default 1). Its bytes are compared with
//! checksums, uploaded, fetched, compared again and synced like all others; no answer reads them.
//!
//! **Notes.** `cargo bench --bench cluster` needs root, iproute2 and `haproxy`, and takes a minute
//! and five times its GB of disk.

#![expect(clippy::print_stdout, reason = "the results")]
#![expect(clippy::cast_precision_loss, reason = "numbers for people")]

mod quota;
mod site;

use std::time::{Duration, Instant};

use site::Site;

/// The share of a core that a replica may use.
const CORE_SHARE: f64 = 0.25;

/// The length of each turn.
const TURN: Duration = Duration::from_secs(3);

/// The number of turns of one replica and of two.
const NUM_ROUNDS: usize = 5;

const REQUESTS: [(&str, &str); 2] = [
    ("search, limit 50", "/metagenomics/proteins/api/v1/protein/search?biome_lineage=root&limit=50"),
    ("record", "/metagenomics/proteins/api/v1/protein/MGYP004580811409"),
];

fn main() {
    let size_gb = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1);
    println!("load of the machine before: {}", std::fs::read_to_string("/proc/loadavg").expect("Linux").trim());
    let mut site = Site::new();
    println!("{:<20} {:>12} {:>12} {:>7}", "requests/s", "1 replica", "2 replicas", "ratio");
    for (name, path) in REQUESTS {
        let mut rates = [Vec::new(), Vec::new()];
        for _ in 0..NUM_ROUNDS {
            for (num_replicas, rates) in (1..).zip(&mut rates) {
                rates.push(site.throughput(path, num_replicas, TURN));
            }
        }
        let [one, two] = rates.map(median);
        println!("{name:<20} {one:>12.0} {two:>12.0} {:>7.2}", two / one);
    }
    site.lift_quotas();
    let name = site.enlarge(size_gb);
    let started = Instant::now();
    let publishing = site.publish();
    while !site.all_serve(name) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let all = started.elapsed();
    println!(
        "{size_gb} GB: published after {:.1} s, served by both after {:.1} s",
        publishing.as_secs_f64(),
        all.as_secs_f64()
    );
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
