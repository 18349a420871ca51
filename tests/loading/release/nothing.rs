//! A release without a protein, or with far fewer than the index that is served, replaces nothing.

use std::fs;

use indexer::Acceptance;
use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;

use crate::loading::release::plan::{failure, plan};
use crate::loading::release::synthetic::{LAYOUTS, Synthetic, file_names, synth_plan};
use crate::loading::release::writer::{column, write_parquet};
use arrow_array::Int64Array;
use support::TestFolder;

/// Returns the leftovers of unfinished runs.
fn unfinished(folder: &TestFolder) -> Vec<String> {
    let names = file_names(folder.generations().root()).into_iter();
    names.filter(|name| name.starts_with("unfinished-") || name.starts_with("work-")).collect()
}

#[test]
fn releases_without_proteins_publish_nothing_and_are_not_resumed() {
    let folder = TestFolder::of_rows("1,MKVL,true,1,{}\n");
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, 1000));
    let clusters = release.path().join("mgy_clusters.parquet");
    let none = || column(Int64Array::from(Vec::<i64>::new()));
    write_parquet(&clusters, [("cluster_rep", none()), ("cluster_size", none())]);
    let message = failure(&folder, &plan(&folder, &release.path()));
    assert!(message.contains("its clusters have no proteins"), "{message}");
    assert_eq!(unfinished(&folder), [""; 0], "{message}");

    let one = || column(Int64Array::from(vec![999_999_999]));
    write_parquet(&clusters, [("cluster_rep", one()), ("cluster_size", one())]);
    let message = failure(&folder, &plan(&folder, &release.path()));
    assert!(message.contains("1 bad row and no good row") && message.contains("missing_sequence"), "{message}");
    assert_eq!(unfinished(&folder), [""; 0], "{message}");
    let listed = fs::read_to_string(folder.generations().root().join("rejects-of-last-failed-run.tsv")).expect("kept");
    assert!(listed.contains("missing_sequence"), "{listed}");
}

#[test]
fn small_releases_are_published_without_rereading_once_allowed() {
    for layout in LAYOUTS {
        let folder = TestFolder::empty();
        let large = Synthetic::write(&synth_plan(layout, 3000));
        plan(&folder, &large.path()).run().expect("a release");
        let small = Synthetic::write(&synth_plan(layout, 300));
        let plan = plan(&folder, &small.path());
        let message = failure(&folder, &plan);
        assert!(message.contains("less than half") && message.contains("--allow-shrink"), "{message}");
        assert_eq!(unfinished(&folder).len(), 2, "what was done is kept");
        let allowed = Acceptance { allow_shrink: true, ..Acceptance::default() };
        let report = ReleasePlan { acceptance: allowed, ..plan }.run().expect("that is allowed").report;
        assert!(report.release.is_some_and(|release| release.num_ranges_continued > 0), "{layout:?}");
        assert_eq!(unfinished(&folder), [""; 0]);
    }
}
