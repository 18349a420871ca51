//! Warm requests beside a stream of cold ones, on a slow disk that holds more than memory does.
//!
//! The server runs in control groups (version 1, as root) with too little memory for its index and
//! a disk of few reads a second. Its program is on a file system in memory, so that only the index
//! is read from the disk.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use support::machine::Server;
use support::{data, program};
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::client::{self, Connection};
use crate::percentiles;

/// Synthetic proteins, whose index is 136 MB.
const NUM_PROTEINS: &str = "3000000";

/// The memory of the server, with the parts of files that the kernel caches for it.
const MEMORY: &str = "100M";

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
    let accessions = index(folder.path());
    let bounds = Bounds::new(folder.path());
    let memory = TempDir::with_prefix_in("mgdex-bench-", "/dev/shm").expect("a file system in memory");
    let server = bounds.serve(&folder.path().join("data"), memory.path());
    let address = server.address().parse().expect("an address");
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

/// Indexes a synthetic release, and returns the accessions of its proteins.
fn index(folder: &Path) -> Vec<String> {
    let [release, data_folder] = ["release", "data"].map(|name| folder.join(name));
    run(program().args(["synth", "--quiet", "--proteins", NUM_PROTEINS, "--out"]).arg(&release));
    let mut command = program();
    command.args(["index", "--quiet", "--release"]).arg(&release).arg("--data").arg(&data_folder);
    command.arg("--biomes").arg(data("proteins/biomes_id_lineage.tsv"));
    run(command.arg("--pfam").arg(data("proteins/Pfam-A.clans.tsv.gz")));
    fs::remove_dir_all(&release).expect("it was written");
    let mut command = program();
    command.args(["search", "--query", "length:[1 TO 1000000]", "--limit", "all", "--fields", "accession"]);
    let found = run(command.args(["--format", "tsv", "--data"]).arg(&data_folder));
    found.lines().skip(1).map(str::to_owned).collect()
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it is there");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Control groups, which are removed when they are dropped.
struct Bounds {
    groups: [PathBuf; 2],
}

impl Bounds {
    /// Bounds memory, and reads of the disk that a folder is on.
    fn new(folder: &Path) -> Self {
        let groups = ["memory", "blkio"].map(|name| Path::new("/sys/fs/cgroup").join(name).join("mgdex-bench"));
        for group in &groups {
            fs::create_dir_all(group).expect("control groups of version 1, and root");
        }
        let bounds = Self { groups };
        let device = rustix::fs::stat(folder).expect("it is there").st_dev;
        let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
        bounds.set(0, "memory.limit_in_bytes", MEMORY);
        bounds.set(1, "blkio.throttle.read_iops_device", &format!("{major}:{minor} {READS_PER_SECOND}"));
        bounds
    }

    fn set(&self, group: usize, name: &str, value: &str) {
        fs::write(self.groups[group].join(name), value).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Starts a server within the bounds, after everything was dropped from the kernel's cache.
    fn serve(&self, data_folder: &Path, memory: &Path) -> Server {
        let copy = memory.join("mgdex");
        fs::copy(program().get_program(), &copy).expect("room in memory");
        run(Command::new("strip").arg(&copy));
        run(Command::new("sync").arg("-f").arg(data_folder));
        fs::write("/proc/sys/vm/drop_caches", "1").expect("root");
        let enter = "for group in \"$1\" \"$2\"; do echo $$ > \"$group/cgroup.procs\"; done; shift 2; exec \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", enter, "sh"]).args(&self.groups).arg(copy);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data_folder);
        Server::of_command(&mut command)
    }
}

impl Drop for Bounds {
    fn drop(&mut self) {
        for group in &self.groups {
            let _ = fs::remove_dir(group);
        }
    }
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
