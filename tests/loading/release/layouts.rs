//! Whatever the layout, the order and the faults of a release, all answers follow from its good
//! rows.

use std::fs;

use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};

use crate::loading::release::answers::assert_answers;
use crate::loading::release::plan::{MEMORY_BYTES, index, plan};
use crate::loading::release::synthetic::{Synthetic, file_names, synth_plan};
use crate::loading::release::truth::Truth;
use crate::loading::release::writer::cut_into_row_groups;
use support::TestFolder;
use support::generation::current_folder;
use support::machine::rounds;
use support::release::contents::Contents;

/// The number of proteins that a release has, with all members of clusters.
const NUM_PROTEINS: u64 = 1600;

/// The number of representatives in more ranges than one of the smallest.
const NUM_REPRESENTATIVES: u64 = 4400;

/// The number of proteins in several row groups of all tables.
const NUM_IN_ROW_GROUPS: u64 = 9000;

/// Memory that makes the ranges as small as they can be.
const TINY_MEMORY_BYTES: usize = 4 << 20;

/// Indexes a release, and compares all answers with its good rows.
async fn check_answers(layout: SynthLayout, shuffle: bool, faults: bool) {
    let context = format!("{layout:?}, shuffled: {shuffle}, faults: {faults}");
    let good = Synthetic::write(&SynthPlan { shuffle, ..synth_plan(layout, NUM_PROTEINS) });
    let truth = Truth::of(&good.path());
    assert!(truth.records.len() > 400 && truth.others.len() > 800, "{context}");
    let folder = TestFolder::empty();
    let release = if faults {
        Synthetic::write(&SynthPlan { shuffle, faults, ..synth_plan(layout, NUM_PROTEINS) })
    } else {
        good
    };
    let published = index(&folder, &release.path());
    assert_eq!(published.report.num_rejected > 0, faults, "{context}");
    let release = published.report.release.expect("a run over a release");
    assert_eq!(release.num_proteins, truth.records.len() as u64, "{context}");
    assert_eq!(release.out_of_order.is_empty(), !shuffle, "{context}");
    assert_answers(&folder, &truth, &context).await;
}

/// Returns whether a release is shuffled, and whether it has faults: one of the two, and before a
/// release also neither and both.
fn orders_and_faults() -> impl Iterator<Item = (bool, bool)> {
    [(true, false), (false, true), (false, false), (true, true)].into_iter().take(rounds(2, 4))
}

#[tokio::test]
async fn parquet_releases_are_served_from_their_good_rows() {
    for (shuffle, faults) in orders_and_faults() {
        check_answers(SynthLayout::Parquet, shuffle, faults).await;
    }
}

#[tokio::test]
async fn flat_releases_are_served_from_their_good_rows() {
    for (shuffle, faults) in orders_and_faults() {
        check_answers(SynthLayout::Flat, shuffle, faults).await;
    }
}

/// Indexes all proteins, and compares all answers.
async fn every_protein_is_served(layout: SynthLayout) {
    let release = Synthetic::write(&synth_plan(layout, NUM_PROTEINS / 2));
    let truth = Truth::of_all(&release.path());
    assert_eq!(truth.records.len() as u64, NUM_PROTEINS / 2);
    for (shuffle, memory_bytes) in [(false, MEMORY_BYTES), (true, TINY_MEMORY_BYTES)] {
        let release = Synthetic::write(&SynthPlan { shuffle, ..synth_plan(layout, NUM_PROTEINS / 2) });
        let folder = TestFolder::empty();
        let plan = ReleasePlan { all_proteins: true, memory_bytes, ..plan(&folder, &release.path()) };
        let report = plan.run().expect("a release").report;
        assert_eq!(report.num_rejected, 0, "{layout:?}");
        assert!(report.release.expect("a run over a release").all_proteins);
        assert_answers(&folder, &truth, &format!("all proteins, {layout:?}, shuffled: {shuffle}")).await;
    }
}

#[tokio::test]
async fn every_protein_of_a_parquet_release_is_served_with_the_size_of_its_cluster() {
    every_protein_is_served(SynthLayout::Parquet).await;
}

#[tokio::test]
async fn every_protein_of_a_flat_release_is_served_with_the_size_of_its_cluster() {
    every_protein_is_served(SynthLayout::Flat).await;
}

/// Returns everything that an index of a release says, and its list of bad rows.
fn outcome(release: &Synthetic, memory_bytes: usize, num_threads: usize) -> (Contents, String) {
    let folder = TestFolder::empty();
    let plan = ReleasePlan { memory_bytes, num_threads, ..plan(&folder, &release.path()) };
    plan.run().expect("a release");
    let rejects = fs::read_to_string(current_folder(&folder).join("rejects.tsv")).expect("listed");
    (Contents::of(folder.generations().root()), rejects)
}

#[test]
fn threads_and_memory_change_no_answers() {
    use SynthLayout::{Flat, Parquet};
    let few =
        |layout, shuffle| SynthPlan { shuffle, only_representatives: true, ..synth_plan(layout, NUM_REPRESENTATIVES) };
    for (synth, plans) in [
        (few(Parquet, true), vec![(TINY_MEMORY_BYTES, 1), (MEMORY_BYTES, 3)]),
        (few(Flat, false), vec![(TINY_MEMORY_BYTES, 3)]),
        // Row groups of a table are decoded by several threads.
        (synth_plan(Parquet, NUM_IN_ROW_GROUPS), vec![(MEMORY_BYTES * 16, 16)]),
    ] {
        let release = Synthetic::write(&SynthPlan { faults: true, ..synth.clone() });
        for name in file_names(&release.path()).iter().filter(|name| name.ends_with(".parquet")) {
            cut_into_row_groups(&release.path().join(name));
        }
        let (expected, expected_rejects) = outcome(&release, MEMORY_BYTES, 1);
        for (memory_bytes, num_threads) in plans.into_iter().take(rounds(1, 2)) {
            let context = format!("{synth:?}, {memory_bytes} bytes, {num_threads} threads");
            let (contents, rejects) = outcome(&release, memory_bytes, num_threads);
            expected.assert_same(&contents, &context);
            assert!(expected_rejects == rejects, "{context}: the list of bad rows is another");
        }
    }
}
