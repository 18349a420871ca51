//! The bundled collections, as they are stored.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::loading::catalogue::{COLLECTIONS, Folder, PREFIX, acknowledged, bundled_lines, resource, resources};

/// Returns the number of resources of each type that are named but missing.
fn missing() -> Value {
    let lines = COLLECTIONS.map(|(collection, _)| bundled_lines(collection));
    let all: Vec<Value> =
        lines.iter().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let key = |entry: &Value| (entry["type"].to_string(), entry["id"].to_string());
    let come: BTreeSet<_> = all.iter().map(key).collect();
    let relations = all.iter().filter_map(|resource| resource["relationships"].as_object());
    let named: BTreeSet<_> =
        relations.flat_map(|all| all.values()).flat_map(|relation| entries(&relation["data"])).map(key).collect();
    let mut missing = BTreeMap::<_, u64>::new();
    for (resource_type, _) in named.difference(&come) {
        *missing.entry(resource_type.trim_matches('"')).or_default() += 1;
    }
    json!(missing)
}

/// Returns the resources that a relationship names.
fn entries(data: &Value) -> &[Value] {
    match data {
        Value::Array(entries) => entries,
        Value::Object(_) => std::slice::from_ref(data),
        _ => &[],
    }
}

#[test]
fn the_bundled_collections_are_stored_unchanged() {
    let folder = Folder::new();
    let report = folder.report_of(&acknowledged(&mut folder.load([folder.write_bundled()])));
    let generation = folder.open();
    assert_eq!(report["num_derived"], 1, "the root of the biomes");
    assert_eq!(report["missing"], missing(), "hidden ones, and those that are not used");
    for (collection, resource_type) in COLLECTIONS {
        let stored = resources(&generation, resource_type);
        let num_derived = usize::from(resource_type == "biomes");
        assert_eq!(report["stored"][resource_type], stored.len());
        let parse = |line: &str| serde_json::from_str::<Value>(line).expect("JSON").to_string();
        let mut came: Vec<String> =
            bundled_lines(collection).replace("{base_url}/metagenomics/api/v1", PREFIX).lines().map(parse).collect();
        came.extend((num_derived == 1).then(|| stored[0].to_string()));
        let mut stored: Vec<String> = stored.iter().map(Value::to_string).collect();
        came.sort_unstable();
        stored.sort_unstable();
        assert_eq!(came.len(), stored.len(), "{resource_type}");
        for (stored, came) in stored.iter().zip(&came) {
            assert_eq!(stored, came);
        }
    }
    let root = resource(&generation, "biomes", "root").expect("derived");
    assert_eq!(root, resources(&generation, "biomes")[0]);
    assert_eq!(root["attributes"], json!({"samples-count": 0, "biome-name": "root", "lineage": "root"}));
    assert_eq!(root["relationships"]["genomes"]["links"]["related"], format!("{PREFIX}/biomes/root/genomes"));
    assert_eq!(root["links"]["self"], format!("{PREFIX}/biomes/root"));
}
