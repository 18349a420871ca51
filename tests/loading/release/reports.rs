//! The report in a generation of the run that made it.

use std::fs;

use indexer_synth::{SynthLayout, SynthPlan};
use serde_json::Value;

use crate::loading::release::plan::index;
use crate::loading::release::synthetic::{LAYOUTS, Synthetic, synth_plan};
use support::TestFolder;
use support::generation::current_folder;

/// The number of proteins that a release has, with all members of clusters.
const NUM_PROTEINS: u64 = 1000;

/// Reads a JSON file of the current generation.
fn json(folder: &TestFolder, name: &str) -> Value {
    let text = fs::read_to_string(current_folder(folder).join(name)).expect(name);
    serde_json::from_str(&text).expect(name)
}

#[test]
fn the_report_is_in_the_generation_and_in_its_manifest() {
    for layout in LAYOUTS {
        let release = Synthetic::write(&SynthPlan { faults: true, ..synth_plan(layout, NUM_PROTEINS) });
        let folder = TestFolder::empty();
        let published = index(&folder, &release.path());
        let report = json(&folder, "report.json");
        assert_eq!(report, json(&folder, "manifest.json")["origin"]["report"], "{layout:?}");
        assert_eq!(report, serde_json::to_value(&published.report).expect("JSON"), "{layout:?}");
        let of_release = &report["release"];
        assert_eq!(of_release["layout"], if layout == SynthLayout::Parquet { "parquet" } else { "flat" });
        assert!(of_release["peak_memory_bytes"].as_u64() > Some(1 << 20), "{of_release:#}");
        let per_record = of_release["bytes_per_record"].as_f64().expect("a number");
        assert!((50.0..1000.0).contains(&per_record), "{per_record}");
        let files = json(&folder, "manifest.json")["files"].clone();
        let stores = files.as_array().expect("a list").iter().filter(|file| {
            file["path"].as_str().and_then(|path| path.rsplit_once('.')).is_some_and(|(_, ending)| ending == "store")
        });
        let record_bytes: u64 = stores.map(|file| file["size_bytes"].as_u64().expect("a size")).sum();
        assert_eq!(of_release["record_bytes"], record_bytes);
        assert!(of_release["index_bytes"].as_u64() > Some(record_bytes));
    }
}
