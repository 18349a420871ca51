//! Questions to an index of which a tenth fits into memory: how long each takes, what it reads, and
//! how long it takes when it is asked again.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use support::measure::folder_bytes;

use super::bounds::{Bounds, disk_number};
use super::catalogue::Corpus;
use super::corpus::{provide, provide_catalogue};
use super::questions::{Questions, of_catalogue, questions};
use crate::client::{self, Connection};

const NUM_PROTEINS: u64 = 10_000_000;

/// The number of samples that an assembly stands for.
const SAMPLES_PER_ASSEMBLY: u64 = 10;

/// The part of the index that fits into memory.
const MEMORY_PART: u64 = 10;

/// Memory for what the program itself needs.
const PROGRAM_BYTES: u64 = 64 << 20;

/// More reads a second than any disk has. Only reads of groups with a limit are counted.
const ALL_READS: u32 = 1_000_000;

/// The first questions of each kind, which are not counted: they read what all of them share.
const NUM_FIRST: usize = 20;

const KILOBYTE: f64 = 1e3;

const MEGABYTE: u64 = 1_000_000;

/// The field of the major faults in `/proc/PID/stat`, counted from the end of the name.
const FIELD_FAULTS: usize = 9;

/// Numbers that the system keeps of a process in control groups.
struct Counters {
    /// Major page faults.
    faults: u64,
    /// Reads that were sent to the disk.
    reads: u64,
    /// Bytes that were read from the disk, with those that were read ahead.
    bytes: u64,
}

impl Counters {
    fn read(process: u32, bounds: &Bounds) -> Self {
        let file = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}")).expect("a process");
        let (stat, io) = (file("stat"), file("io"));
        let fields = stat.rsplit_once(')').expect("a name").1;
        let faults = fields.split_ascii_whitespace().nth(FIELD_FAULTS).expect("many fields");
        let bytes = io.lines().find_map(|line| line.strip_prefix("read_bytes: ")).expect("a counter");
        let [faults, bytes] = [faults, bytes].map(|text| text.parse().expect("a number"));
        Self { faults, reads: bounds.num_reads(), bytes }
    }
}

/// The cost of a request.
struct Cost {
    time: Duration,
    read: Counters,
}

/// Asks all questions, each kind to a fresh server, and prints what each kind takes.
pub(crate) fn measure() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.trim().parse::<u64>().expect("a number"));
    if let Some(num_samples) = number("MGDEX_BENCH_SAMPLES") {
        let corpus = Corpus::provide(num_samples, num_samples / SAMPLES_PER_ASSEMBLY);
        let data_folder = provide_catalogue(&corpus);
        measure_index(&data_folder, "catalogue", of_catalogue(&corpus));
        return;
    }
    let data_folder = provide(number("MGDEX_BENCH_PROTEINS").unwrap_or(NUM_PROTEINS));
    measure_index(&data_folder, "proteins", questions(&data_folder));
}

fn measure_index(data_folder: &Path, index: &str, kinds: Vec<Questions>) {
    let index_bytes = folder_bytes(&data_folder.join(index));
    let memory_bytes = index_bytes / MEMORY_PART + PROGRAM_BYTES;
    let mut bounds = Bounds::new(data_folder, memory_bytes, ALL_READS);
    let megabytes = [index_bytes, memory_bytes].map(|bytes| bytes / MEGABYTE);
    println!("{}: {} MB, a server with {} MB of memory", data_folder.display(), megabytes[0], megabytes[1]);
    println!("the disk reads {} KiB ahead", read_ahead_kib(data_folder));
    let names = ["p50, ms", "p99, ms", "faults", "p99", "reads", "p99", "KB", "p99", "again", "p99", "opened"];
    println!("{:<24} {:>5}{}", "request", "", names.map(|name| format!(" {name:>8}")).concat());
    for Questions { name, paths } in kinds {
        let started = Instant::now();
        // Comparing the data with their checksums would count as reads of requests.
        let (process, address) = bounds.serve(data_folder, &["--scrub-rate", "0"]);
        let opened = started.elapsed();
        let [costs, again] = [(); 2].map(|()| ask(address, &paths, || Counters::read(process, &bounds)));
        let [(p50, p99), (again_p50, again_p99)] = [&costs, &again].map(|costs| times(costs));
        print!("{name:<24} {:>5} {p50:>8.2} {p99:>8.2}{}", costs.len(), reads(&costs));
        println!(" {again_p50:>8.2} {again_p99:>8.2} {:>8.2}", opened.as_secs_f64());
    }
}

/// Returns the costs of questions, except of the first ones.
fn ask(address: SocketAddr, paths: &[String], counters: impl Fn() -> Counters) -> Vec<Cost> {
    client::run(async {
        let mut connection = Connection::open(address).await;
        let mut costs = Vec::new();
        for path in paths {
            let request = format!("GET {path} HTTP/1.1\r\nhost: bench\r\n\r\n");
            let (before, asked) = (counters(), Instant::now());
            connection.ask(request.as_bytes()).await;
            let (time, after) = (asked.elapsed(), counters());
            let read = Counters {
                faults: after.faults - before.faults,
                reads: after.reads - before.reads,
                bytes: after.bytes - before.bytes,
            };
            costs.push(Cost { time, read });
        }
        costs.split_off(NUM_FIRST)
    })
}

/// Returns p50 and p99 of the time, in milliseconds.
fn times(costs: &[Cost]) -> (f64, f64) {
    let times = ascending(costs, |cost| cost.time.as_secs_f64() * 1e3);
    (at(&times, 50), at(&times, 99))
}

/// Writes means and p99 of what was read.
fn reads(costs: &[Cost]) -> String {
    let numbers: [fn(&Cost) -> f64; 3] =
        [|cost| cost.read.faults as f64, |cost| cost.read.reads as f64, |cost| cost.read.bytes as f64 / KILOBYTE];
    let counted = numbers.map(|number| {
        let numbers = ascending(costs, number);
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        format!(" {mean:>8.1} {:>8.0}", at(&numbers, 99))
    });
    counted.concat()
}

fn ascending(costs: &[Cost], number: fn(&Cost) -> f64) -> Vec<f64> {
    let mut numbers: Vec<_> = costs.iter().map(number).collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers
}

fn at(numbers: &[f64], percent: usize) -> f64 {
    numbers[(numbers.len() - 1) * percent / 100]
}

/// Returns how many KiB the disk of a folder reads ahead.
fn read_ahead_kib(folder: &Path) -> String {
    let queue =
        |place: &str| fs::read_to_string(format!("/sys/dev/block/{}/{place}queue/read_ahead_kb", disk_number(folder)));
    // A partition has the settings of its disk.
    let text = queue("").or_else(|_| queue("../")).expect("a disk");
    text.trim_end().to_owned()
}
