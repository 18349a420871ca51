//! The store of profiles, at the store and over HTTP, measured beside the disk itself in the same
//! run.
//!
//! **What is measured.** Reads and durable writes a second by 1, 8 and 64 clients, each of which
//! sends the next request as soon as it has an answer:
//! - at the store, by threads; a read is of a whole profile, a write merges one attribute into one;
//! - over HTTP, through a real server on loopback, with tokens that are checked with every request;
//! - in PostgreSQL, at the store: reads, and durable writes beside bare inserts into it by as many
//!   clients.
//!
//! Beside the rate is the number of acknowledged writes that shared a sync.
//!
//! **Floor.** Bare appends to a file, each followed by `fdatasync`: the most that a disk allows if
//! every write is made durable on its own.
//!
//! **Corpus.** Synthetic users with a name, an address and two attributes more. Clients choose
//! among them by chance.
//!
//! **Notes.** `cargo bench --bench profiles` takes about four minutes and 4 GB of disk, and needs
//! PostgreSQL. `MGDEX_BENCH_PROFILES=100000` measures another number of profiles. Clients and
//! server share the machine, which must be quiet.

#![expect(clippy::print_stdout, reason = "the results")]
#![expect(clippy::cast_precision_loss, reason = "numbers for people")]

mod clients;
mod corpus;
mod database;
mod embedded;
mod floor;
mod over_http;

use clients::Rate;
use corpus::Corpus;
use database::Database;

/// The default number of profiles.
const NUM_PROFILES: u64 = 1_000_000;

/// Numbers of concurrent clients.
const NUM_CLIENTS: [usize; 3] = [1, 8, 64];

fn main() {
    let num_profiles = std::env::var("MGDEX_BENCH_PROFILES")
        .map_or(NUM_PROFILES, |text| text.trim().parse().expect("a number of profiles"));
    let corpus = Corpus::make(num_profiles);
    let floor = floor::appends_per_second(corpus.path());
    println!("\nbare appends, each synced: {floor:.0}/s\n");
    println!(
        "{:<28} {:>8} {:>12} {:>10} {:>12} {:>16}",
        "", "clients", "per second", "× floor", "× 1 client", "writes per sync"
    );
    let profiles = corpus.open();
    table("store: reads", floor, |num_clients| embedded::reads(&profiles, &corpus, num_clients));
    table("store: durable writes", floor, |num_clients| embedded::writes(&profiles, &corpus, num_clients));
    let database = Database::start(&profiles, NUM_CLIENTS[2]);
    let server = over_http::Server::start(profiles);
    table("HTTP: reads", floor, |num_clients| server.reads(&corpus, num_clients));
    table("HTTP: durable writes", floor, |num_clients| server.writes(&corpus, num_clients));
    println!(
        "\n{:<16} {:>8} {:>10} {:>14} {:>10} {:>8} {:>18}",
        "PostgreSQL", "clients", "reads", "bare inserts", "writes", "ratio", "writes per commit"
    );
    for num_clients in NUM_CLIENTS {
        let reads = database.reads(&corpus, num_clients);
        let (inserts, writes) = database.writes(&corpus, num_clients);
        let (ratio, shared) = (writes.per_second / inserts, writes.writes_per_sync.unwrap_or_default());
        let writes = writes.per_second;
        println!(
            "{:<16} {num_clients:>8} {reads:>10.0} {inserts:>14.0} {writes:>10.0} {ratio:>8.2} {shared:>18.1}",
            ""
        );
    }
}

/// Measures an operation with each number of clients, and prints a line for each.
fn table(what: &str, floor: f64, measure: impl Fn(usize) -> Rate) {
    let mut alone = None;
    for num_clients in NUM_CLIENTS {
        let Rate { per_second, writes_per_sync } = measure(num_clients);
        let alone = *alone.get_or_insert(per_second);
        let shared = writes_per_sync.map_or(String::new(), |shared| format!("{shared:.1}"));
        let (by_floor, by_alone) = (per_second / floor, per_second / alone);
        println!("{what:<28} {num_clients:>8} {per_second:>12.0} {by_floor:>10.1} {by_alone:>12.1} {shared:>16}");
    }
}
