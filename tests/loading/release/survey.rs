//! A dry run over a release fails where the run would fail at once.

use std::fs;

use indexer::Acceptance;
use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;

use crate::loading::release::plan::{failure, plan};
use crate::loading::release::synthetic::{Synthetic, file_names, synth_plan};
use support::TestFolder;

const NUM_PROTEINS: u64 = 2000;

#[test]
fn dry_runs_list_the_files_and_estimate_the_size() {
    use SynthLayout::{Flat, Parquet};
    for (layout, all_proteins) in [(Parquet, false), (Parquet, true), (Flat, false)] {
        let release = Synthetic::write(&synth_plan(layout, NUM_PROTEINS));
        let folder = TestFolder::empty();
        let plan = ReleasePlan { all_proteins, ..plan(&folder, &release.path()) };
        let survey = plan.survey();
        assert!(survey.is_good() && survey.warnings.is_empty(), "{layout:?}, {all_proteins}: {survey:?}");
        assert!(survey.input_bytes > 100_000 && (1..=survey.input_bytes).contains(&survey.index_bytes), "{survey:?}");
        assert!(!folder.generations().root().try_exists().expect("readable"), "nothing is written");
    }
}

#[test]
fn the_room_of_a_run_includes_sorted_members() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Flat, NUM_PROTEINS));
    let folder = TestFolder::empty();
    let members = fs::File::options().append(true).open(release.path().join("mgy_cluster_seqs.tsv.gz")).expect("there");
    // Nothing of it is written.
    members.set_len(store::available_bytes(&release.path()).expect("a disk") / 3).expect("sparse");
    let without = plan(&folder, &release.path());
    assert!(without.survey().is_good());
    assert!(!ReleasePlan { members: true, ..without }.survey().is_good());
}

#[test]
fn missing_parts_are_warnings_and_fail_a_strict_dry_run() {
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
fn dry_runs_report_an_index_that_would_be_refused() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, 1000));
    let rows: Vec<String> = (1..1500).map(|number| format!("{number},MK,,1,{{}}\n")).collect();
    let folder = TestFolder::of_rows(&rows.concat());
    let mut plan = plan(&folder, &release.path());
    let names = file_names(folder.generations().root());
    let problems: Vec<String> = plan.survey().checks.into_iter().filter_map(|check| check.found.err()).collect();
    assert!(matches!(&*problems, [problem] if problem.contains("less than half")), "{problems:?}");
    assert_eq!(file_names(folder.generations().root()), names);
    let message = failure(&folder, &plan);
    assert!(problems[0].split_once(": less").is_some_and(|(start, _)| message.starts_with(start)), "{message}");
    plan.acceptance = Acceptance { allow_shrink: true, strict: false };
    assert!(plan.survey().is_good());
}
