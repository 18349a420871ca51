//! Generations: their manifests, their folders, and which ones are kept.

use serde_json::json;

use crate::loading::rows::{TWO_ROWS, gzip, manifest, plan_of};
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
    let modified = inputs[2]["modified_unix_s"].as_u64().expect("seconds");
    let expected = json!({"name": input.name(), "size_bytes": content.len(), "modified_unix_s": modified});
    assert_eq!(inputs[2], expected);
    assert!(inputs.iter().all(|input| input["size_bytes"].as_u64() > Some(0)), "{inputs:?}");
    assert_eq!(manifest["kind"], "proteins");
    for file in manifest["files"].as_array().expect("a list") {
        let path = generation.join(file["path"].as_str().expect("a path"));
        assert_eq!(path.metadata().expect("there").len(), file["size_bytes"].as_u64().expect("a size"), "{file}");
    }
    let segment = &manifest["contents"]["segments"][0];
    assert_eq!((&segment["first"], &segment["last"]), (&json!("MGYP000000000011"), &json!("MGYP000000000012")));
}
