//! A server that searches: what a search costs beside the engine, and what other requests notice of
//! it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use support::PROTEINS_V2;
use support::machine::{Server, read_answer};
use support::program;

/// Another request: a page of fifty proteins.
const OTHER: &str = "/proteins?q=length:%5B100+TO+300%5D&limit=50";

/// The time that other requests are timed for.
const TIME: Duration = Duration::from_secs(4);

/// The pause between two of them.
const PAUSE: Duration = Duration::from_millis(2);

const NUM_REPEATED: usize = 1000;
const NUM_SMALL: usize = 9;

/// A selection of a thousand proteins.
const FEW: &str = "accession:[MGYP000000000001 TO MGYP000000001000]";

/// Measures a server over an index, whose proteins are in a file of targets, with the residues of a
/// query.
pub(super) fn measure(index: &Path, folder: &Path, targets: &Path, query: &str) {
    let mut command = program();
    command.args(["serve", "--scrub-rate", "0", "--listen", "127.0.0.1:0", "--search-jobs", "1", "--data"]);
    let server = Server::of_command(command.arg(index));
    println!("a server");

    fs::write(folder.join("few"), few(targets)).expect("written");
    let mut beyond: Vec<_> = (0..NUM_SMALL)
        .map(|number| {
            let query = &query[number..];
            let began = Instant::now();
            let id = begin(&server, query, FEW);
            while !has_ended(&server, &id, 20) {}
            began.elapsed().saturating_sub(by_hand(folder, query))
        })
        .collect();
    println!("  from POST to the end among 1,000 proteins: {} more than phmmer by hand", shown(median(&mut beyond)));

    let idle = time_other_requests(&server, |elapsed| elapsed < TIME);
    let before = own_kib(&server);
    let is_over = AtomicBool::new(false);
    let (mut most, mut beside) = (0, Vec::new());
    thread::scope(|scope| {
        let timed = scope.spawn(|| time_other_requests(&server, |_| !is_over.load(Ordering::Relaxed)));
        let until = Instant::now() + TIME;
        for number in 0.. {
            let id = begin(&server, &query[number % 20..], &format!("length:[{} TO *]", 1 + number / 20));
            while !has_ended(&server, &id, 0) {
                most = most.max(own_kib(&server));
                thread::sleep(Duration::from_millis(20));
            }
            if Instant::now() > until {
                break;
            }
        }
        is_over.store(true, Ordering::Relaxed);
        beside = timed.join().expect("no panic");
    });
    println!("  the server has grown by {} KiB while it searched among all", most.saturating_sub(before));
    for (what, times) in [("without a search", &idle), ("beside a search", &beside)] {
        let (half, most) = (times.len() / 2, times.len() * 99 / 100);
        println!("  another request {what}: p50 {}, p99 {}", shown(times[half]), shown(times[most]));
    }

    let mut repeated: Vec<_> = (0..NUM_REPEATED)
        .map(|_| {
            let began = Instant::now();
            begin(&server, query, FEW);
            began.elapsed()
        })
        .collect();
    println!("  a search that is known: {}", shown(median(&mut repeated)));
}

/// Asks on a connection of its own.
fn ask(server: &Server, method: &str, path: &str, body: &str) -> String {
    let mut stream = server.connect();
    let head =
        format!("{method} {PROTEINS_V2}{path} HTTP/1.0\r\nHost: mgdex.test\r\nContent-Type: application/json\r\n");
    let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).expect("the server reads");
    let (status, body) = read_answer(&mut stream);
    assert!(matches!(status, 200 | 202), "{path}: {status} {body}");
    body
}

fn begin(server: &Server, query: &str, conditions: &str) -> String {
    let order = serde_json::json!({ "sequence": query, "q": conditions });
    let state: serde_json::Value =
        serde_json::from_str(&ask(server, "POST", "/searches", &order.to_string())).expect("JSON");
    state["id"].as_str().expect("a text").to_owned()
}

/// Returns whether a search has ended, after at most this number of seconds.
fn has_ended(server: &Server, id: &str, patience_s: u32) -> bool {
    ask(server, "GET", &format!("/searches/{id}?wait={patience_s}"), "").contains("\"state\":\"done\"")
}

/// Sends other requests as long as `is_wanted` is true for the time since the first one. Returns
/// the times that they took, in ascending order.
fn time_other_requests(server: &Server, is_wanted: impl Fn(Duration) -> bool) -> Vec<Duration> {
    let started = Instant::now();
    let mut times = Vec::new();
    while is_wanted(started.elapsed()) {
        let began = Instant::now();
        ask(server, "GET", OTHER, "");
        times.push(began.elapsed());
        thread::sleep(PAUSE);
    }
    times.sort();
    times
}

/// Returns the targets that [`FEW`] selects.
fn few(targets: &Path) -> String {
    let text = fs::read_to_string(targets).expect("readable");
    let is_one =
        |record: &&str| record.get(..16).is_some_and(|name| ("MGYP000000000001"..="MGYP000000001000").contains(&name));
    text.split('>').filter(is_one).flat_map(|record| [">", record]).collect()
}

/// Returns how long the engine takes for them.
fn by_hand(folder: &Path, query: &str) -> Duration {
    fs::write(folder.join("one"), format!(">q\n{query}\n")).expect("written");
    let mut by_hand = Command::new("phmmer");
    by_hand.args(["--cpu", "0", "-o", "out", "--tblout", "hits", "--domtblout", "domains", "one", "few"]);
    let began = Instant::now();
    assert!(by_hand.current_dir(folder).status().expect("HMMER").success());
    began.elapsed()
}

/// Returns the memory of the process, without what it has mapped of files.
fn own_kib(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).expect("it runs");
    let own = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line");
    own.trim().trim_end_matches(" kB").parse().expect("a number")
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn shown(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
