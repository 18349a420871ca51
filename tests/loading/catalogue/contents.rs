//! The bundled collections, as they are stored.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use store_catalogue::{Condition, Order, Selection};

use crate::loading::catalogue::{
    COLLECTIONS, Folder, PREFIX, acknowledged, bundled_lines, resource, resources, selected,
};

/// Returns the text at a place of each resource.
fn texts<'a>(resources: &'a [Value], pointer: &str) -> Vec<&'a str> {
    resources.iter().map(|resource| resource.pointer(pointer).and_then(Value::as_str).unwrap_or_default()).collect()
}

/// Returns how many resources of each type are named and did not come.
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

/// Returns what a relationship names.
fn entries(data: &Value) -> &[Value] {
    match data {
        Value::Array(entries) => entries,
        Value::Object(_) => std::slice::from_ref(data),
        _ => &[],
    }
}

#[test]
fn the_bundled_collections_are_stored_as_they_came() {
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

#[test]
fn collections_are_in_their_default_order() {
    let folder = Folder::new();
    acknowledged(&mut folder.load([folder.write_bundled()]));
    let generation = folder.open();
    let cogs = resources(&generation, "cog-cats");
    assert!(texts(&cogs, "/attributes/name").is_sorted_by(|one, other| one > other));
    let assemblies = resources(&generation, "assemblies");
    assert!(texts(&assemblies, "/id").is_sorted_by(|one, other| one > other));
    let tools = resources(&generation, "pipeline-tools");
    assert!(texts(&tools, "/attributes/tool-name").is_sorted());
    for resource_type in ["studies", "samples"] {
        let stored = resources(&generation, resource_type);
        let keys: Vec<_> = texts(&stored, "/attributes/last-update").into_iter().zip(texts(&stored, "/id")).collect();
        let is_in_order =
            |one: &(&str, &str), other: &(&str, &str)| one.0 > other.0 || (one.0 == other.0 && one.1 < other.1);
        assert!(keys.is_sorted_by(is_in_order), "{resource_type}");
    }
    // The service's own list comes as a walk through the tree.
    let biomes = resources(&generation, "biomes");
    let lines = bundled_lines("biomes");
    let came: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(texts(&biomes[1..], "/id"), texts(&came, "/id"));
}

#[test]
fn other_orders_have_their_ties_broken() {
    let folder = Folder::new();
    acknowledged(&mut folder.load([folder.write_bundled()]));
    let generation = folder.open();
    let ordered = |field: &str, is_descending| {
        let orders = vec![Order { field: field.to_owned(), is_descending }];
        selected(&generation, &Selection { resource_type: "studies".to_owned(), conditions: Vec::new(), orders })
    };
    for is_descending in [false, true] {
        let studies = ordered("samples_count", is_descending);
        let keys: Vec<(i64, &str)> = studies
            .iter()
            .map(|study| {
                (study["attributes"]["samples-count"].as_i64().unwrap_or(-1), study["id"].as_str().expect("text"))
            })
            .collect();
        let is_in_order = |one: &(i64, &str), other: &(i64, &str)| {
            (if is_descending { one.0 > other.0 } else { one.0 < other.0 }) || (one.0 == other.0 && one.1 < other.1)
        };
        assert!(keys.is_sorted_by(is_in_order), "{keys:?}");
        assert!(keys.iter().any(|(count, _)| *count == -1), "some studies have no number of samples");
    }
}

#[test]
fn resources_are_found_by_all_their_identifiers() {
    let folder = Folder::new();
    acknowledged(&mut folder.load([folder.write_bundled()]));
    let generation = folder.open();
    for (resource_type, identifier, id) in [
        ("studies", "MGYS00000257", "MGYS00000257"),
        ("studies", "257", "MGYS00000257"),
        ("studies", "ERP000118", "MGYS00000257"),
        ("studies", "PRJEB2064", "MGYS00000257"),
        ("samples", "SAMN00007242", "SRS009546"),
        ("assemblies", "OCVV01", "ERZ477906"),
        ("assemblies", "GCA_900230545", "ERZ477906"),
        ("pipeline-tools", "Biopython/1.54", "Biopython"),
        ("pipeline-tools", "biopython/1.54", "Biopython"),
        ("cog-cats", "25", "25"),
    ] {
        let found = resource(&generation, resource_type, identifier);
        assert_eq!(found.map(|found| found["id"].clone()), Some(json!(id)), "{identifier}");
    }
    let named = Condition::Names("studies".to_owned(), "MGYS00000257".to_owned());
    let selection = Selection { resource_type: "samples".to_owned(), conditions: vec![named], orders: Vec::new() };
    assert_eq!(selected(&generation, &selection).len(), 10);
}

#[test]
fn any_other_type_is_stored_with_all_that_it_has() {
    let folder = Folder::new();
    let run = r#"{"id": "ERR1", "meta": {"z": 1, "a": [null]}, "type": "runs", "attributes": {"zeta": 1.50, "accession": "ERR1", "secondary-accession": "SRR1", "nested": {"b": 2, "a": 1}}}"#;
    let report = folder.load_lines(&[run, r#"{"type": "things", "id": 7}"#]);
    assert_eq!(report["stored"], json!({"biomes": 1, "runs": 1, "things": 1}));
    let generation = folder.open();
    let stored = resource(&generation, "runs", "SRR1").expect("by its other accession");
    let expected = r#"{"type":"runs","id":"ERR1","attributes":{"zeta":1.5,"accession":"ERR1","secondary-accession":"SRR1","nested":{"b":2,"a":1}},"meta":{"z":1,"a":[null]}}"#;
    assert_eq!(stored.to_string(), expected, "in the order of the input");
    assert_eq!(resource(&generation, "things", "7").expect("stored"), json!({"type": "things", "id": "7"}));
}
