//! Partial resources, which hold values that no row has, and the rows that they are merged into.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};
use store_catalogue::{Condition, Selection};
use support::data;

use crate::loading::catalogue::rejects::listed;
use crate::loading::catalogue::{Folder, acknowledged, refused, resource, resources, selected};

/// Returns a load of rows with partial resources.
fn load(folder: &Folder, rows: &[&str], links: &[&str]) -> Command {
    let mut load = folder.load([folder.write("rows.jsonl", rows.join("\n"))]);
    load.arg("--links").arg(folder.write("links.jsonl", links.join("\n")));
    load
}

/// Returns the ids of the resources of a type that name another one, as the index finds them.
fn ids_naming(folder: &Folder, resource_type: &str, named: (&str, &str)) -> Vec<String> {
    let conditions = vec![Condition::Names(named.0.to_owned(), named.1.to_owned())];
    let selection = Selection { resource_type: resource_type.to_owned(), conditions, orders: Vec::new() };
    selected(&folder.open(), &selection).iter().map(|found| found["id"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn publications_of_the_bundled_studies_are_read_from_links() {
    let folder = Folder::new();
    let links = data("catalogue/links/study-publications.jsonl.gz");
    let report = folder.report_of(&acknowledged(folder.load([folder.write_bundled()]).arg("--links").arg(&links)));
    assert_eq!((&report["num_partials_merged"], &report["num_partials_without_row"]), (&json!(23), &json!(0)));
    let files = report["files"].as_array().expect("a list");
    let kinds: Vec<(&Value, &Value)> = files.iter().map(|file| (&file["kind"], &file["num_read"])).collect();
    assert_eq!(kinds.len(), 12);
    assert_eq!(kinds.iter().filter(|(kind, _)| *kind == "resources").count(), 11);
    assert_eq!(kinds[11], (&json!("links"), &json!(23)));
    assert_eq!(files[11]["name"], links.display().to_string());

    let generation = folder.open();
    let publications_of = |study: &Value| {
        assert!(study["relationships"]["publications"].get("data").is_none(), "its row gives a link alone");
        let id = study["id"].as_str().expect("a text").to_owned();
        let conditions = vec![Condition::FoundIn("studies".to_owned(), id.clone(), "publications".to_owned())];
        let selection = Selection { resource_type: "publications".to_owned(), conditions, orders: Vec::new() };
        (id, selected(&generation, &selection).len())
    };
    let studies: BTreeMap<String, usize> = resources(&generation, "studies").iter().map(publications_of).collect();
    let with_some = studies.values().filter(|number| **number > 0).count();
    assert_eq!((studies.len(), with_some, studies.values().sum::<usize>()), (125, 23, 27));
    assert_eq!(studies["MGYS00000562"], 3);
    drop(generation);
    assert_eq!(ids_naming(&folder, "studies", ("publications", "26509835")), ["MGYS00000532", "MGYS00000544"]);
}

#[test]
fn partial_resources_are_merged_into_the_winning_row() {
    let folder = Folder::new();
    let rows = [
        r#"{"type": "studies", "id": "MGYS1", "attributes": {"name": "old", "last-update": "2019"}}"#,
        r#"{"type": "studies", "id": "MGYS1", "attributes": {"name": "new", "last-update": "2019"}, "relationships": {"publications": {"data": [{"type": "publications", "id": "1"}]}}}"#,
        r#"{"type": "studies", "id": "MGYS2", "attributes": {"last-update": "2018"}}"#,
        r#"{"type": "pipeline-tools", "id": "a", "attributes": {"version": "1"}}"#,
        r#"{"type": "pipeline-tools", "id": "a", "attributes": {"version": "2"}}"#,
    ];
    let links = [
        r#"{"data": [{"type": "studies", "id": "MGYS1", "relationships": {"publications": {"data": [{"type": "publications", "id": "2"}, {"type": "publications", "id": "1"}]}}}, {"type": "studies", "id": "MGYS3", "attributes": {"a": 1}}]}"#,
        r#"{"type": "studies", "id": "MGYS2", "attributes": {"last-update": "2017", "secondary-accession": "ERP7"}}"#,
        r#"{"type": "studies", "id": "MGYS2", "attributes": {"last-update": "2020"}}"#,
        r#"{"type": "pipeline-tools", "id": "a", "attributes": {"version": "2", "notes": "newer"}}"#,
        r#"{"type": "pipeline-tools", "id": "a", "attributes": {"notes": "of no version"}}"#,
    ];
    let report = folder.report_of(&acknowledged(&mut load(&folder, &rows, &links)));
    assert_eq!((&report["num_partials_merged"], &report["num_partials_without_row"]), (&json!(4), &json!(2)));
    assert_eq!(report["stored"], json!({"biomes": 1, "pipeline-tools": 2, "studies": 2}));
    let generation = folder.open();
    let studies = resources(&generation, "studies");
    assert_eq!([&studies[0]["id"], &studies[1]["id"]], ["MGYS2", "MGYS1"], "by their merged dates");
    assert_eq!(resource(&generation, "studies", "ERP7").expect("by its merged accession")["id"], "MGYS2");
    assert_eq!(studies[1]["attributes"]["name"], "new");
    let publications = ["1", "2"].map(|id| json!({"type": "publications", "id": id}));
    assert_eq!(studies[1]["relationships"]["publications"]["data"], json!(publications));
    let notes = |version: &str| {
        let tool = resource(&generation, "pipeline-tools", &format!("a/{version}")).expect("stored");
        tool["attributes"]["notes"].clone()
    };
    assert_eq!([notes("1"), notes("2")], [Value::Null, json!("newer")]);
    drop(generation);
    assert_eq!(ids_naming(&folder, "studies", ("publications", "2")), ["MGYS1"]);
}

#[test]
fn partial_resources_can_hide_a_row_but_not_reveal_private_ones() {
    let folder = Folder::new();
    let rows = [
        r#"{"type": "studies", "id": "MGYS1", "attributes": {"secondary-accession": "ERP1"}}"#,
        r#"{"type": "publications", "id": "7"}"#,
    ];
    let links = [
        r#"{"type": "studies", "id": "MGYS1", "attributes": {"is-private": true}}"#,
        r#"{"type": "publications", "id": "7", "relationships": {"studies": {"data": [{"type": "studies", "id": "ERP1"}, {"type": "studies", "id": "MGYS2"}]}}}"#,
    ];
    let report = folder.report_of(&acknowledged(&mut load(&folder, &rows, &links)));
    assert_eq!((&report["num_private"], &report["num_partials_merged"]), (&json!(1), &json!(2)));
    let publication = resource(&folder.open(), "publications", "7").expect("stored");
    let expected = json!([{"type": "studies", "id": "MGYS2"}]);
    assert_eq!(publication["relationships"]["studies"]["data"], expected);
}

#[test]
fn bad_partial_resources_are_named_and_good_ones_alone_are_refused() {
    let folder = Folder::new();
    let sample = r#"{"type": "samples", "id": "ERS1"}"#;
    let links =
        [r#"{"type": "samples", "id": "ERS1", "links": {}}"#, "7", r#"{"type": "samples", "attributes": {"a": 1}}"#];
    let report = folder.report_of(&acknowledged(&mut load(&folder, &[sample, "{]"], &links)));
    let rejected = json!({"bad_id": 1, "not_a_resource": 1, "nothing_to_merge": 1});
    assert_eq!((&report["files"][1]["rejected"], &report["num_rejected"]), (&rejected, &json!(4)));
    let current = folder.generations().current().expect("readable").expect("published");
    let found = listed(&folder.generations().path(current).join("rejects.tsv"));
    let of =
        |name: &str, line, reason: &str| (folder.inputs().join(name).display().to_string(), line, reason.to_owned());
    let expected = [
        of("links.jsonl", 1, "nothing_to_merge"),
        of("links.jsonl", 2, "not_a_resource"),
        of("links.jsonl", 3, "bad_id"),
        of("rows.jsonl", 2, "unreadable_json"),
    ];
    assert_eq!(found, expected);
    assert!(refused(load(&folder, &[sample, "{]"], &["7"]).args(["--max-rejects", "1"])).contains("2 bad rows"));
    let partial = r#"{"type": "samples", "id": "ERS1", "attributes": {"a": 1}}"#;
    assert!(refused(&mut load(&folder, &[], &[partial])).contains("nothing to load"));
}
