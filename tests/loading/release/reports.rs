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
        for file in report["files"].as_array().expect("a list") {
            let number = |key: &str| file[key].as_u64().unwrap_or_else(|| panic!("{key}: {file}"));
            let sum = |key: &str| -> u64 {
                file[key].as_object().into_iter().flatten().map(|(_, num)| num.as_u64().expect("a number")).sum()
            };
            assert_eq!(number("num_read"), number("num_accepted") + sum("passed_over") + sum("rejected"), "{file}");
        }
        assert!(report["num_rejected"].as_u64() > Some(0), "{report:#}");
        assert!(
            report["files"].as_array().is_some_and(|files| files.iter().any(|file| file["rejected"]["orphan"] == 1)
                || files.iter().any(|file| file["rejected"]["orphan"].as_u64() > Some(1)))
        );
        let stages: Vec<&str> =
            report["stages"].as_array().expect("a list").iter().filter_map(|stage| stage["name"].as_str()).collect();
        assert!(stages.contains(&"indexing") && stages.contains(&"merging"), "{stages:?}");
        assert!(
            report["stages"].as_array().is_some_and(|stages| stages.iter().all(|stage| stage["duration_ms"].is_u64()))
        );

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

#[test]
fn inputs_are_in_the_manifest_with_their_sizes() {
    let release = Synthetic::write(&synth_plan(SynthLayout::Parquet, NUM_PROTEINS));
    let folder = TestFolder::empty();
    index(&folder, &release.path());
    let manifest = json(&folder, "manifest.json");
    let inputs = manifest["origin"]["inputs"].as_array().expect("a list");
    for file in release.report.files.iter().filter(|file| !file.path.display().to_string().contains("counts")) {
        let size = file.path.metadata().expect("there").len();
        let is_listed = |input: &Value| input["name"] == file.path.display().to_string() && input["size_bytes"] == size;
        assert!(inputs.iter().any(is_listed), "{}: {inputs:?}", file.path.display());
    }
}
