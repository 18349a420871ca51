//! A run that refuses to publish its result keeps it for a later run that allows it, and does not
//! block other runs.

use indexer_synth::SynthLayout;

use crate::loading::release::plan::{failure, plan};
use crate::loading::release::synthetic::{Synthetic, file_names, synth_plan};
use support::TestFolder;
use support::generation::current_name;

const NUM_FEW: u64 = 300;

fn is_unfinished(folder: &TestFolder) -> bool {
    file_names(folder.generations().root()).iter().any(|name| name.starts_with("unfinished-"))
}

#[test]
fn refused_releases_do_not_block_others() {
    let [small, large] = [NUM_FEW, 5 * NUM_FEW].map(|num| Synthetic::write(&synth_plan(SynthLayout::Parquet, num)));
    let rows: Vec<String> = (1..900).map(|number| format!("{number},MK,,1,{{}}\n")).collect();
    let folder = TestFolder::of_rows(&rows.concat());
    let before = current_name(&folder);
    let refused = plan(&folder, &small.path());
    let message = failure(&folder, &refused);
    assert!(message.contains("less than half") && is_unfinished(&folder), "{message}");
    plan(&folder, &large.path()).run().expect("the refused run is removed");
    assert!(current_name(&folder) != before && !is_unfinished(&folder));
}
