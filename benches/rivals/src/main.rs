//! mgdex beside databases over HTTP, with the same questions and the same answers.
//!
//! **What is measured.** The time to load a release, bytes a protein on disk, and, question by
//! question, the times of answers on one connection that is kept alive, and the answers a second on
//! 8 and 32, each of which sends the next request as soon as it has an answer. mgdex and its rivals
//! take turns of 0.7 s; the figures are medians of three rounds, with the least and the greatest.
//! All answers are compared before anything is timed: a difference ends the run.
//!
//! **Questions.** Searches for a common, a middle (1,000 proteins) and a rare (50) family, for a
//! broad and a deep biome with all biomes below it, and for the common family in the broad biome;
//! the exact number of the last; the 50 most frequent families in the deep biome, and among the
//! proteins of the common family in the broad biome; records of 1,000 random proteins in turn; 300
//! pages of 25 samples in turn.
//!
//! **mgdex.** The program of `MGDEX_BINARY`, by default `target/release/mgdex`, with the release
//! (`mgdex index --release --all-proteins`), the bundled catalogue, its log in a file, and settings
//! with which it refuses no requests. It is asked in version 2 for proteins, in version 1 for
//! samples.
//!
//! **Rivals.**
//! - *PostgreSQL* 15 behind a bare axum handler in this process: prepared statements, a pool of
//!   four connections a core, over a Unix socket. A table for families and one for biomes, with a
//!   row for each protein and each biome that it is in or below, have covering indexes, so that
//!   searches read no tables; the record of a protein is a JSON text by its accession. `postgres`
//!   has the settings.
//! - *SQLite* in this process, behind the same handler: the same tables without row ids, four
//!   threads a core that each have a connection for reading only. `sqlite` has the settings.
//! - *DuckDB* in a small threaded HTTP server of Python, with a cursor for each connection. It
//!   reads the Parquet files of the release, so it needs no loading.
//!
//! PostgreSQL and SQLite are loaded with rows that DuckDB reads from the release, in the order of
//! their keys, which counts as their loading.
//!
//! **Unfair.** mgdex also returns the number of matches, the address of the next page, and, in
//! records, cluster sizes, digests, contigs, names of families and clans. It has contigs and
//! studies on disk, and so do the files that DuckDB reads; the others do not. Answers of rivals
//! have no compression, log, limits or validation. DuckDB leaves out cluster sizes, which would
//! take it four times as long, since the release does not have them by protein; from tables in its
//! own database it would answer searches in a third of the time (bench `search`). mgdex has counted
//! the families of each biome while loading; no rival has.
//!
//! **Contigs.** `contigs` as the argument measures an index with members of clusters and contigs
//! instead, at 1 GB of memory: what it takes, and the genes around proteins and proteins near
//! others beside DuckDB; see `contigs`.
//!
//! **Corpus.** A synthetic release of 10 M proteins, `MGDEX_BENCH_PROTEINS=200000` of another
//! number, and the bundled samples. The release stays in `benches/rivals/target` for the next run;
//! everything else is in a temporary folder (`TMPDIR`), which is removed.
//!
//! **Notes.** `cargo run --release --manifest-path benches/rivals/Cargo.toml` needs PostgreSQL, and
//! DuckDB, which `tests/python/setup` installs. This package is not in the workspace, so that
//! nothing else has its libraries. An argument limits it to the questions whose names contain it.
//! Rows also go to standard error as soon as they are measured. Client, servers and handlers share
//! the machine, which must be quiet. p99 of fewer than 100 answers is the longest time.

#![expect(clippy::cast_precision_loss, reason = "numbers for people")]

#[path = "../../http/client.rs"]
#[expect(dead_code, reason = "the bench of HTTP also paces requests and reads streams")]
mod client;
mod contigs;
mod duckdb;
mod handler;
mod measure;
mod mgdex;
mod postgres;
mod questions;
mod release;
mod sqlite;
mod system;
mod table;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use tempfile::TempDir;

use release::Release;
use system::System;
use table::Measured;

/// The default number of proteins.
const NUM_PROTEINS: u64 = 10_000_000;

const NUM_ROUNDS: usize = 3;

/// The number of samples that are read at a time.
const PAGE_SAMPLES: usize = 250;

/// A page of samples.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    data: Vec<&'a RawValue>,
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let default = if wanted == "contigs" { contigs::NUM_PROTEINS } else { NUM_PROTEINS };
    let num_proteins =
        std::env::var("MGDEX_BENCH_PROTEINS").map_or(default, |text| text.trim().parse().expect("a number"));
    let release = Release::provide(num_proteins);
    let folder = TempDir::with_prefix("mgdex-rivals-").expect("writable");
    // PostgreSQL runs as another user if this is root.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("it is ours");
    if wanted == "contigs" {
        return contigs::measure(&release, folder.path());
    }
    let systems = start(&release, folder.path());
    let mgdex = systems[0].address;
    let mut questions = questions::all(mgdex);
    questions.retain(|question| question.name.contains(&wanted));
    for question in &questions {
        for rival in &systems[1..] {
            question.compare(mgdex, rival.name, rival.address);
        }
    }
    println!("{} proteins, equal answers to {} questions\n", table::grouped(num_proteins), questions.len());
    table::print_loads(&systems, num_proteins);
    let mut measured: Vec<_> = Vec::new();
    for question in &questions {
        let mut turns: Vec<Vec<_>> = systems.iter().map(|_| Vec::new()).collect();
        for _ in 0..NUM_ROUNDS {
            for (number, system) in systems.iter().enumerate() {
                let paths = if number == 0 { &question.ours } else { &question.theirs };
                turns[number].push(measure::turn(system.address, paths));
            }
        }
        measured.push(Measured { name: question.name.clone(), turns });
        // A run that is stopped has shown something.
        for figure in &table::FIGURES {
            eprintln!("{}: {}", figure.title, table::row(figure, &measured[measured.len() - 1]));
        }
    }
    for figure in &table::FIGURES {
        table::print(figure, &systems, &measured);
    }
}

/// Starts mgdex, and then its rivals.
fn start(release: &Release, folder: &Path) -> Vec<System> {
    let (mgdex, _) = mgdex::start(release, folder, &["--all-proteins"]);
    let samples = write_samples(&mgdex, folder);
    let postgres = postgres::start(release, &samples, folder);
    let sqlite = sqlite::start(release, &samples, folder);
    let duckdb = duckdb::start(release, &samples, folder, false);
    vec![mgdex, postgres, sqlite, duckdb]
}

/// Writes all samples as mgdex returns them, with their ordinals.
fn write_samples(mgdex: &System, folder: &Path) -> PathBuf {
    let path = folder.join("samples.csv");
    let mut out = csv::Writer::from_path(&path).expect("writable");
    let mut ordinals = 0_u64..;
    for page in 1.. {
        let url = format!("/metagenomics/api/v1/samples?page_size={PAGE_SAMPLES}&page={page}");
        let (body, _) = client::stream(mgdex.address, &url);
        let page: Page = serde_json::from_slice(&body).expect("JSON");
        for (sample, ordinal) in page.data.iter().zip(&mut ordinals) {
            out.write_record([&ordinal.to_string(), sample.get()]).expect("room");
        }
        if page.data.len() < PAGE_SAMPLES {
            break;
        }
    }
    out.flush().expect("room");
    path
}
