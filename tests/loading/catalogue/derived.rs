//! Missing pipelines are derived from the resources that name them.

use std::fs;

use serde_json::{Value, json};

use crate::loading::catalogue::{Folder, PREFIX, acknowledged, bundled_lines, resource, resources};

fn ids(resources: &[Value]) -> Vec<&str> {
    resources.iter().map(|resource| resource["id"].as_str().expect("a text")).collect()
}

#[test]
fn missing_pipelines_are_derived() {
    let folder = Folder::new();
    let collections = folder.write_bundled();
    fs::remove_file(collections.join("pipelines.jsonl")).expect("written");
    let report = folder.report_of(&acknowledged(&mut folder.load([collections])));
    assert_eq!((&report["num_derived"], &report["stored"]["pipelines"]), (&json!(6), &json!(5)));
    let generation = folder.open();
    let derived = resources(&generation, "pipelines");
    assert_eq!(ids(&derived), ["1.0", "2.0", "3.0", "4.0", "4.1"]);
    let real = bundled_lines("pipelines").replace("{base_url}/metagenomics/api/v1", PREFIX);
    for line in real.lines() {
        let mut expected: Value = serde_json::from_str(line).expect("JSON");
        for (name, value) in expected["attributes"].as_object_mut().expect("attributes") {
            if name != "release-version" {
                *value = Value::Null;
            }
        }
        let id = expected["id"].as_str().expect("a text");
        assert_eq!(resource(&generation, "pipelines", id).expect(id).to_string(), expected.to_string());
    }
}

#[test]
fn pipelines_are_derived_from_public_winners_only() {
    let run = |id: &str, version: &str, is_private: bool| {
        format!(
            r#"{{"type": "runs", "id": "{id}", "attributes": {{"is-private": {is_private}}}, "relationships": {{"pipelines": {{"data": [{{"type": "pipelines", "id": "{version}"}}]}}}}}}"#
        )
    };
    let (replaced, winner, private) = (run("ERR1", "1.0", false), run("ERR1", "2.0", false), run("ERR2", "3.0", true));
    let analysis = r#"{"type": "analysis-jobs", "id": "MGYA1", "attributes": {"pipeline-version": "5.0"}}"#;
    let tool = r#"{"type": "pipeline-tools", "id": "a", "attributes": {"version": "1"}, "relationships": {"pipelines": {"data": [{"type": "pipelines", "id": "2.0"}]}}}"#;
    let folder = Folder::new();
    let lines = [&*replaced, &winner, &private, analysis, tool];
    let report = folder.load_lines(&lines);
    assert_eq!(report["num_derived"], 3, "two, and the root of the biomes");
    let pipelines = resources(&folder.open(), "pipelines");
    assert_eq!(ids(&pipelines), ["2.0", "5.0"]);
    let tools = json!([{"type": "pipeline-tools", "id": "a"}]);
    assert_eq!(pipelines[0]["relationships"]["tools"]["data"], tools);
    assert_eq!(pipelines[1]["relationships"]["tools"]["data"], json!([]));

    let hidden = r#"{"type": "pipelines", "id": "2.0", "attributes": {"is-private": true}}"#;
    let report = folder.load_lines(&[&lines[..], &[hidden]].concat());
    assert_eq!((&report["num_derived"], &report["num_private"]), (&json!(1), &json!(2)));
    assert_eq!(resources(&folder.open(), "pipelines"), [Value::Null; 0]);
}
