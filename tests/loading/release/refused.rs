//! A run that refuses to publish what it has done keeps it for whoever allows it, and is in nobody's way.

use indexer::Acceptance;
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};

use crate::loading::release::plan::{failure, plan};
use crate::loading::release::synthetic::{Synthetic, file_names, synth_plan};
use support::TestFolder;
use support::generation::current_name;

const NUM_FEW: u64 = 300;

fn is_unfinished(folder: &TestFolder) -> bool {
    file_names(folder.generations().root()).iter().any(|name| name.starts_with("unfinished-"))
}

#[test]
fn a_release_that_was_refused_does_not_block_another_one() {
    let [small, large] = [NUM_FEW, 5 * NUM_FEW].map(|num| Synthetic::write(&synth_plan(SynthLayout::Parquet, num)));
    let rows: Vec<String> = (1..900).map(|number| format!("{number},MK,,1,{{}}\n")).collect();
    let folder = TestFolder::of_rows(&rows.concat());
    let before = current_name(&folder);
    let refused = plan(&folder, &small.path());
    let told = failure(&folder, &refused);
    assert!(told.contains("less than half") && is_unfinished(&folder), "{told}");
    plan(&folder, &large.path()).run().expect("the refused run is removed");
    assert!(current_name(&folder) != before && !is_unfinished(&folder));
}

#[test]
fn what_was_refused_is_published_without_doing_it_again_once_it_is_allowed() {
    let release = Synthetic::write(&SynthPlan { faults: true, ..synth_plan(SynthLayout::Parquet, NUM_FEW) });
    let rows: Vec<String> = (1..900).map(|number| format!("{number},MK,,1,{{}}\n")).collect();
    let folder = TestFolder::of_rows(&rows.concat());
    let refused = plan(&folder, &release.path());
    failure(&folder, &refused);
    failure(&folder, &refused);
    let allowed = ReleasePlan { acceptance: Acceptance { allow_shrink: true, strict: false }, ..refused };
    let report = allowed.run().expect("it is allowed").report;
    assert!(report.release.is_some_and(|release| release.num_ranges_continued > 0));
    assert!(!is_unfinished(&folder));
}
