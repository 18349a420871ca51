//! Runs that fail midway, with ranges before and after: they end instead of waiting for one another
//! forever.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use indexer::Published;
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};

use crate::loading::release::plan::plan;
use crate::loading::release::synthetic::{Synthetic, synth_plan};
use crate::loading::release::writer::{cut_into_row_groups, write_gzip};
use support::TestFolder;
use support::machine::rounds;
use support::release::tables::lines;

/// So many that there are more ranges than can be under way at once.
const NUM_REPRESENTATIVES: u64 = 24_000;

/// The number of representatives in several row groups.
const NUM_IN_ROW_GROUPS: u64 = 10_000;

/// Far more time than a run needs.
const TIME_MAX: Duration = Duration::from_mins(2);

/// Changes the lines of a file from the middle on.
type Damage = fn(&mut Vec<String>);

/// Runs a plan, and returns its result, unless it takes far too long.
fn run(plan: &ReleasePlan, context: &str) -> Result<Published, String> {
    let (sender, receiver) = mpsc::channel();
    let plan = plan.clone();
    // Not scoped: a scope would wait for a thread that never ends.
    thread::Builder::new()
        .spawn(move || {
            // The receiver is gone if this took too long.
            let _ = sender.send(plan.run().map_err(|error| error.to_string()));
        })
        .expect("room for a thread");
    receiver.recv_timeout(TIME_MAX).unwrap_or_else(|_| panic!("{context}: the run does not end"))
}

/// Damages a file from its middle on.
fn damage(path: &Path, damage: Damage) {
    let mut lines: Vec<String> = lines(path).collect();
    damage(&mut lines);
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    write_gzip(path, &text);
}

#[test]
fn runs_that_fail_midway_end() {
    let bad_line: Damage = |lines| {
        let middle = lines.len() / 2;
        lines.insert(middle, "rubbish".to_owned());
    };
    let swapped: Damage = |lines| {
        let middle = lines.len() / 2;
        lines.swap(middle, middle + 500);
    };
    let cases = [
        ("mgy_cluster_seqs.tsv.gz", bad_line, true),
        ("mgy_proteins_pfam.tsv.gz", swapped, false),
        ("mgy_proteins_pfam.tsv.gz", bad_line, true),
        ("mgy_biomes.tsv.gz", bad_line, true),
    ];
    for (name, how, fails) in cases.into_iter().take(rounds(2, 4)) {
        let few = SynthPlan { only_representatives: true, ..synth_plan(SynthLayout::Flat, NUM_REPRESENTATIVES) };
        let release = Synthetic::write(&few);
        let path = release.path().join(name);
        damage(&path, how);
        let folder = TestFolder::empty();
        let plan = ReleasePlan { max_rejects: 0, ..plan(&folder, &release.path()) };
        match run(&plan, name) {
            Err(message) => assert!(fails && message.contains(name), "{name}: {message}"),
            Ok(published) => {
                assert!(!fails, "{name}");
                let release = published.report.release.expect("of a release");
                assert_eq!(release.num_proteins, NUM_REPRESENTATIVES, "{name}");
                let rejects = folder.generations().path(published.generation).join("rejects.tsv");
                let listed = std::fs::read_to_string(rejects).expect("always there").lines().count() - 1;
                assert_eq!((listed, published.report.num_rejected), (0, 0), "{name}");
            }
        }
    }
}

#[test]
fn damaged_row_groups_end_runs_with_several_decoders() {
    let few = SynthPlan { only_representatives: true, ..synth_plan(SynthLayout::Parquet, NUM_IN_ROW_GROUPS) };
    let release = Synthetic::write(&few);
    for name in ["mgy_protein_sequences.parquet", "mgy_proteins_pfam.parquet", "mgy_proteins_metadata.parquet"] {
        let path = release.path().join(name);
        cut_into_row_groups(&path);
        let whole = std::fs::read(&path).expect("readable");
        let mut damaged = whole.clone();
        let middle = whole.len() / 2;
        // No page is as long, so that the head of one is hit.
        damaged[middle..][..whole.len() / 10].fill(0xff);
        std::fs::write(&path, damaged).expect("writable");
        let folder = TestFolder::empty();
        let plan = ReleasePlan { memory_bytes: 1 << 30, num_threads: 16, ..plan(&folder, &release.path()) };
        let message = run(&plan, name).expect_err("damaged");
        assert!(message.contains(&format!("{name}, row group ")), "{message}");
        std::fs::write(&path, whole).expect("writable");
    }
}
