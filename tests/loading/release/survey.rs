//! A dry run over a release fails where the run would fail at once, and knows about how large the index becomes.

use std::fs;

use indexer::Acceptance;
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};

use crate::loading::release::plan::{failure, plan};
use crate::loading::release::synthetic::{Synthetic, file_names, synth_plan};
use crate::loading::rows::survey::assert_estimated;
use support::TestFolder;
use support::generation::current_folder;

const NUM_PROTEINS: u64 = 2000;

#[test]
fn the_size_of_the_index_is_known_before_it_is_built() {
    use SynthLayout::{Flat, Parquet};
    for (layout, only_representatives, shuffle, all_proteins) in [
        (Parquet, true, false, false),
        (Parquet, false, false, false),
        (Parquet, false, true, true),
        (Flat, false, false, false),
        (Flat, true, true, false),
    ] {
        let context = format!("{layout:?}, {only_representatives}, {shuffle}, {all_proteins}");
        let synth = SynthPlan { only_representatives, shuffle, ..synth_plan(layout, NUM_PROTEINS) };
        let release = Synthetic::write(&synth);
        let folder = TestFolder::empty();
        let plan = ReleasePlan { all_proteins, ..plan(&folder, &release.path()) };
        let survey = plan.survey();
        assert!(survey.is_good() && survey.warnings.is_empty(), "{context}: {survey:?}");
        assert!(!folder.generations().root().try_exists().expect("readable"), "nothing is written");
        plan.run().expect("a release");
        assert_estimated(&survey, &current_folder(&folder), &context);
    }
}

#[test]
fn what_a_release_lacks_is_a_warning_and_fails_a_strict_dry_run() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Flat, NUM_PROTEINS));
    fs::remove_file(release.path().join("mgy_seq_metadata_1.tsv.gz")).expect("there");
    let folder = TestFolder::empty();
    let mut plan = plan(&folder, &release.path());
    let survey = plan.survey();
    assert!(survey.is_good() && !survey.notes.is_empty(), "{survey:?}");
    assert_eq!(survey.warnings, ["part 1 of mgy_seq_metadata is missing: its rows will not be in the index"]);
    plan.acceptance.strict = true;
    assert!(!plan.survey().is_good());
}

#[test]
fn an_index_that_would_be_refused_is_told_by_a_dry_run() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, 1000));
    let rows: Vec<String> = (1..1500).map(|number| format!("{number},MK,,1,{{}}\n")).collect();
    let folder = TestFolder::of_rows(&rows.concat());
    let mut plan = plan(&folder, &release.path());
    let names = file_names(folder.generations().root());
    let problems: Vec<String> = plan.survey().checks.into_iter().filter_map(|check| check.found.err()).collect();
    assert!(matches!(&*problems, [problem] if problem.contains("less than half")), "{problems:?}");
    assert_eq!(file_names(folder.generations().root()), names);
    let told = failure(&folder, &plan);
    assert!(problems[0].split_once(": less").is_some_and(|(start, _)| told.starts_with(start)), "{told}");
    plan.acceptance = Acceptance { allow_shrink: true, strict: false };
    assert!(plan.survey().is_good());
}

#[test]
fn bad_rows_at_the_start_of_a_table_are_told_by_a_dry_run() {
    let release = Synthetic::write(&SynthPlan { faults: true, ..synth_plan(SynthLayout::Parquet, 1000) });
    let folder = TestFolder::empty();
    let plan = ReleasePlan { max_rejects: 0, ..plan(&folder, &release.path()) };
    let problems: Vec<String> = plan.survey().checks.into_iter().filter_map(|check| check.found.err()).collect();
    assert!(matches!(&*problems, [problem] if problem.contains("and --max-rejects allows 0")), "{problems:?}");
    failure(&folder, &plan);
}
