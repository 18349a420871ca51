//! Indexing whole releases, measured beside its floor and its rival in the same run.
//!
//! **What is measured.** `mgdex index --release` as a process of its own, over synthetic releases
//! with the distributions of the real one: Parquet and flat files in order, Parquet with members of
//! clusters, and Parquet in no order with 256 MB, whose index is compared whole with that of the
//! rows in order. For each run: time, processor time, representatives a second, peak memory, bytes
//! a record, bytes of the index, and rows and bytes a second by table.
//! - *Floor*: decoding the columns that are needed of the same Parquet files, a thread for each
//!   table, and nothing else.
//! - *Size rival*: the same fields of each record, written plainly one record after another, in
//!   zstd blocks of 4 and 16 KiB.
//!
//! From the run with members follows, linearly, how long the real release would take. Beside each
//! release in order, 100,000 own proteins are added, replaced and removed (`mgdex own`), compared
//! with the run over the release.
//!
//! **Notes.** `cargo bench --bench ingest` takes some ten minutes the first time and 12 GB of disk:
//! releases stay in `target/tmp/ingest` for the next time. `MGDEX_BENCH_PROTEINS=100000` measures
//! other sizes, several separated by commas. `cargo bench --bench ingest -- own` measures own
//! proteins alone. Small runs are repeated, and the median is shown. Everything is in the page
//! cache, and the machine must be quiet.

#![expect(clippy::print_stdout, reason = "the results")]
#![expect(clippy::cast_precision_loss, reason = "numbers for people")]

mod blocks;
mod floor;
mod forecast;
mod needed;
mod own;
mod plain;
mod release;
mod run;
mod same;
mod show;

use release::{Kind, Release};
use run::{Run, RunPlan};

/// The default sizes.
const NUM_PROTEINS: [u64; 2] = [1_000_000, 10_000_000];

/// Up to this size, runs are repeated.
const SMALL_PROTEINS: u64 = 2_000_000;

/// The number of repetitions.
const NUM_REPEATS: usize = 3;

/// The memory for shuffled rows, which are then sorted on disk.
const LITTLE_MEMORY: &str = "256M";

/// The default memory of a run.
const USUAL_MEMORY: &str = "1G";

fn main() {
    let sizes = sizes();
    if std::env::args().any(|argument| argument == "own") {
        let beside = |&size: &u64| own::measure(&measure(&Release::provide(Kind::Parquet, size), USUAL_MEMORY));
        show::own(&sizes.iter().map(beside).collect::<Vec<_>>());
        return;
    }
    let (smallest, largest) = (sizes[0], sizes[sizes.len() - 1]);
    let mut runs = Vec::new();
    let mut floors = Vec::new();
    let mut own = Vec::new();
    for &size in &sizes {
        let parquet = Release::provide(Kind::Parquet, size);
        let floor = floor::measure(&parquet);
        let run = measure(&parquet, USUAL_MEMORY);
        if size == smallest {
            show::sizes(&blocks::measure(run.generation(), &run), &run);
        }
        own.push(own::measure(&run));
        runs.push(run);
        runs.push(measure(&parquet, LITTLE_MEMORY));
        floors.push((parquet, floor));
        runs.push(measure(&Release::provide(Kind::Flat, size), USUAL_MEMORY));
    }
    let shuffled = measure(&Release::provide(Kind::ParquetShuffled, smallest), LITTLE_MEMORY);
    same::assert_same(&runs[0].generation(), &shuffled.generation());
    runs.push(shuffled);
    let with_members = Release::provide(Kind::ParquetWithMembers, largest);
    let floor = floor::measure(&with_members);
    let run = measure(&with_members, USUAL_MEMORY);

    let of_representatives = runs.iter().rfind(|run| run.kind == Kind::Parquet).expect("measured");
    let forecast = forecast::of(&run, of_representatives, &with_members, &floor);
    floors.push((with_members, floor));
    runs.push(run);
    show::runs(&runs);
    show::own(&own);
    show::floors(&floors);
    show::tables(&runs);
    show::threads(&runs);
    println!("{forecast}");
}

/// Indexes a release, a small one several times, and returns the run of median time.
fn measure(release: &Release, memory: &'static str) -> Run {
    let num_repeats = if release.num_proteins <= SMALL_PROTEINS { NUM_REPEATS } else { 1 };
    let plan = RunPlan { release, memory };
    let mut runs: Vec<Run> = (0..num_repeats).map(|_| plan.run()).collect();
    runs.sort_by_key(|run| run.process.elapsed);
    runs.swap_remove(runs.len() / 2)
}

/// Returns the sizes to measure, ascending.
fn sizes() -> Vec<u64> {
    let mut sizes = match std::env::var("MGDEX_BENCH_PROTEINS") {
        Ok(text) => text.split(',').map(|size| size.trim().parse().expect("a number of proteins")).collect(),
        Err(_) => NUM_PROTEINS.to_vec(),
    };
    sizes.sort_unstable();
    sizes
}
