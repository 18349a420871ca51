//! Generations: their manifests, their folders, and which ones are kept.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;

use crate::loading::rows::{TWO_ROWS, entries, gzip, manifest, plan_of};
use support::TestFolder;

#[test]
fn the_manifest_names_inputs_and_files() {
    let folder = TestFolder::empty();
    let content = gzip(TWO_ROWS.as_bytes());
    let input = folder.input("rows.csv.gz", &content);
    let published = plan_of(&folder, vec![input.clone()]).run().expect("well formed");
    let generation = folder.generations().path(published.generation);
    let manifest = manifest(&folder);
    let inputs = manifest["origin"]["inputs"].as_array().expect("a list");
    assert_eq!(inputs.len(), 3, "the tables are inputs too");
    assert_eq!(inputs[2], json!({"name": input.name(), "size_bytes": content.len()}));
    assert!(inputs.iter().all(|input| input["size_bytes"].as_u64() > Some(0)), "{inputs:?}");
    assert_eq!(manifest["kind"], "proteins");
    for file in manifest["files"].as_array().expect("a list") {
        let path = generation.join(file["path"].as_str().expect("a path"));
        assert_eq!(path.metadata().expect("there").len(), file["size_bytes"].as_u64().expect("a size"), "{file}");
    }
    let segment = &manifest["contents"]["segments"][0];
    assert_eq!((&segment["first"], &segment["last"]), (&json!("MGYP000000000011"), &json!("MGYP000000000012")));
}

#[test]
fn one_generation_before_the_current_one_is_kept() {
    let folder = TestFolder::empty();
    let names: Vec<String> = (0..3).map(|_| folder.publish_rows(TWO_ROWS).generation.to_string()).collect();
    assert_eq!(entries(&folder), BTreeSet::from(["CURRENT".to_owned(), names[1].clone(), names[2].clone()]));
    let current = fs::read_to_string(folder.generations().root().join("CURRENT")).expect("readable");
    assert_eq!(current.trim(), names[2]);
}

#[test]
fn a_missing_folder_is_made() {
    let folder = TestFolder::empty();
    let deep = folder.path().join("not/yet/there");
    let mut plan = plan_of(&folder, vec![folder.input("rows.csv", TWO_ROWS)]);
    plan.generations = deep.join("proteins");
    let published = plan.run().expect("the folder is made");
    assert!(deep.join("proteins").join(published.generation.to_string()).is_dir());
}
