//! Bad rows: each is listed once and by its reason, and too many of them end the run.

use std::collections::BTreeMap;
use std::fs;

use indexer::{PassedOver, Report};
use indexer_release::ReleasePlan;
use indexer_synth::{Fault, FaultReason, SynthLayout, SynthPlan};

use crate::loading::release::plan::{failure, index, plan};
use crate::loading::release::rejects::{self, assert_adds_up, file_name};
use crate::loading::release::synthetic::{LAYOUTS, Synthetic, synth_plan};
use crate::loading::release::writer::write_gzip;
use support::TestFolder;
use support::generation::current_folder;
use support::machine::rounds;
use support::release::tables::lines;

/// The number of proteins that a release has, with all members of clusters.
const NUM_PROTEINS: u64 = 800;

/// The number of representatives in more ranges than one of the smallest.
const NUM_REPRESENTATIVES: u64 = 4400;

/// Memory that makes the ranges as small as they can be.
const TINY_MEMORY_BYTES: usize = 4 << 20;

/// The list of the bad rows of a run that failed because of them.
const REJECTS_OF_FAILED_RUN: &str = "rejects-of-last-failed-run.tsv";

/// Returns the faults in files that a run has read.
fn faults_read<'a>(release: &'a Synthetic, report: &Report) -> Vec<&'a Fault> {
    let is_read = |name: &str| report.files.iter().any(|file| file.num_read > 0 && file_name(&file.name) == name);
    release.report.faults.iter().filter(|fault| is_read(fault.file)).collect()
}

/// Checks that a run over a faulty release has listed exactly its faults.
fn assert_lists_faults(folder: &TestFolder, release: &Synthetic, report: &Report, context: &str) {
    let rejects = rejects::read(&current_folder(folder).join("rejects.tsv"));
    assert_adds_up(report, &rejects, context);
    let faults = faults_read(release, report);
    let num_clans = faults.iter().filter(|fault| fault.reason == FaultReason::Clan).count() as u64;
    let clans = report.files.iter().filter_map(|file| file.passed_over.get(&PassedOver::Clan)).sum::<u64>();
    assert_eq!(clans, num_clans, "{context}: clans are passed over");

    let faults: Vec<_> = faults.into_iter().filter(|fault| fault.reason != FaultReason::Clan).collect();
    let mut expected = BTreeMap::new();
    for fault in &faults {
        *expected.entry((fault.file.to_owned(), fault.reason.name().to_owned())).or_default() += 1;
    }
    assert!(expected.len() > 8, "{context}: {expected:?}");
    assert_eq!(rejects::count(&rejects), expected, "{context}");
    for fault in faults {
        let digits = fault.accession.trim_start_matches(|letter: char| !letter.is_ascii_digit() || letter == '0');
        let is_listed = rejects.iter().any(|reject| {
            reject.file == fault.file
                && reject.reason == fault.reason.name()
                && fault.row.is_none_or(|row| reject.row == row)
                && reject.text.contains(digits)
        });
        assert!(is_listed, "{context}: {fault:?} is not in {rejects:#?}");
    }
}

#[test]
fn every_fault_is_listed_by_file_row_and_reason() {
    for layout in LAYOUTS {
        for (shuffle, all_proteins) in [(false, false), (true, false), (false, true), (true, true)] {
            let context = format!("{layout:?}, shuffled: {shuffle}, all proteins: {all_proteins}");
            let synth = SynthPlan { shuffle, faults: true, ..synth_plan(layout, NUM_PROTEINS) };
            let release = Synthetic::write(&synth);
            assert_eq!(release.report.faults.iter().all(|fault| fault.row.is_none()), shuffle, "{context}");
            let folder = TestFolder::empty();
            let plan = ReleasePlan { all_proteins, ..plan(&folder, &release.path()) };
            let report = plan.run().expect("a release").report;
            assert_lists_faults(&folder, &release, &report, &context);
        }
    }
}

#[test]
fn the_fault_list_of_a_synthetic_release_matches_its_report() {
    let release = Synthetic::write(&SynthPlan { faults: true, ..synth_plan(SynthLayout::Flat, NUM_PROTEINS) });
    let text = fs::read_to_string(release.path().join("faults.tsv")).expect("listed");
    let of_fault = |fault: &Fault| {
        let row = fault.row.expect("in order");
        format!("{}\t{row}\t{}\t{}", fault.file, fault.reason.name(), fault.accession)
    };
    let expected: Vec<String> = release.report.faults.iter().map(of_fault).collect();
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), expected);
}

#[test]
fn all_rows_of_a_parquet_release_are_counted() {
    for shuffle in [false, true] {
        let release =
            Synthetic::write(&SynthPlan { shuffle, faults: true, ..synth_plan(SynthLayout::Parquet, NUM_PROTEINS) });
        let folder = TestFolder::empty();
        let report = index(&folder, &release.path()).report;
        for file in release.report.files.iter().filter(|file| file.path.extension().is_some_and(|end| end == "parquet"))
        {
            let name = file.path.display().to_string();
            let counted = report.files.iter().find(|counted| counted.name == name);
            let num_read = counted.map_or(0, |counted| counted.num_read);
            // Those rows are irrelevant for a representative.
            let is_unread =
                ["mgy_cluster_seqs", "mgy_biome_counts", "mgy_counts"].iter().any(|table| name.contains(table));
            assert_eq!(num_read, if is_unread { 0 } else { file.num_rows }, "{name}");
        }
    }
}

#[test]
fn too_many_faults_end_the_run_and_one_is_named() {
    for layout in LAYOUTS {
        for shuffle in [false, true] {
            let context = format!("{layout:?}, shuffled: {shuffle}");
            let release = Synthetic::write(&SynthPlan { shuffle, faults: true, ..synth_plan(layout, NUM_PROTEINS) });
            let good = Synthetic::write(&synth_plan(layout, NUM_PROTEINS));
            let folder = TestFolder::empty();
            index(&folder, &good.path());
            let plan = ReleasePlan { max_rejects: 0, ..plan(&folder, &release.path()) };
            let message = failure(&folder, &plan);
            let listed = folder.generations().root().join(REJECTS_OF_FAILED_RUN);
            assert!(message.contains("--max-rejects allows 0"), "{context}: {message}");
            assert!(message.contains(&listed.display().to_string()), "{context}: {message}");
            let rejects = rejects::read(&listed);
            let named = |reject: &rejects::Reject| {
                message.contains(&format!("{}, line {}: {} (", reject.file, reject.row, reject.reason))
            };
            assert!(rejects.iter().any(named), "{context}: {message}; {rejects:?}");
            assert_eq!(folder.generations().names().expect("readable").len(), 1, "{context}");

            // With a higher limit, the same run continues, and lists all of them.
            let report = ReleasePlan { max_rejects: u64::MAX, ..plan }.run().expect("now they are allowed").report;
            let uncounted = ["orphan", "replacement_cycle"];
            let of_file = |file: &indexer::FileReport| {
                uncounted.iter().filter_map(|reason| file.rejected.get(reason)).sum::<u64>()
            };
            let counted = report.num_rejected - report.files.iter().map(of_file).sum::<u64>();
            assert!(message.starts_with(&format!("{counted} bad rows")), "all were counted, {counted}: {message}");
            assert_lists_faults(&folder, &release, &report, &context);
        }
    }
}

#[test]
fn bad_rows_before_one_out_of_order_are_listed_once() {
    let few = SynthPlan { only_representatives: true, ..synth_plan(SynthLayout::Flat, NUM_REPRESENTATIVES) };
    let release = Synthetic::write(&few);
    let biomes = release.path().join("mgy_biomes.tsv.gz");
    let mut rows: Vec<String> = lines(&biomes).collect();
    rows.insert(9, "MGYPx12\t1\troot".to_owned());
    let protein = |row: &str| row.split('\t').next().unwrap_or_default().to_owned();
    // All ranges but the last are indexed before the row that is out of order.
    let at = (0..rows.len() - 1).rev().find(|&at| protein(&rows[at]) < protein(&rows[at + 1])).expect("two proteins");
    for is_ordered in [true, false] {
        if !is_ordered {
            rows.swap(at, at + 1);
        }
        write_gzip(&biomes, &(rows.join("\n") + "\n"));
        for all_proteins in [false, true].into_iter().take(rounds(1, 2)) {
            let context = format!("in order: {is_ordered}, all proteins: {all_proteins}");
            let folder = TestFolder::empty();
            let plan = ReleasePlan {
                all_proteins,
                max_rejects: 1,
                memory_bytes: TINY_MEMORY_BYTES,
                ..plan(&folder, &release.path())
            };
            let report = plan.run().expect("one bad row").report;
            let rejects = rejects::read(&current_folder(&folder).join("rejects.tsv"));
            let out_of_order = &report.release.as_ref().expect("a run over a release").out_of_order;
            assert_eq!(out_of_order.is_empty(), is_ordered, "{context}");
            assert_eq!(rejects.len(), 1, "{context}: {rejects:?}");
            assert_adds_up(&report, &rejects, &context);
        }
    }
}
