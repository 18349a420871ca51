//! The later of two resources with the same type and id is kept; those in `included` are partial;
//! private ones are skipped.

use serde_json::{Value, json};
use store_catalogue::{Condition, Selection};

use crate::loading::catalogue::{Folder, resource, resources, selected};

fn names(resources: &[Value]) -> Vec<&str> {
    resources.iter().map(|resource| resource["attributes"]["name"].as_str().expect("a name")).collect()
}

#[test]
fn later_resources_win_and_versions_of_a_tool_are_distinct() {
    let folder = Folder::new();
    let report = folder.load_lines(&[
        r#"{"type": "samples", "id": "ERS1", "attributes": {"name": "first", "last-update": "2020"}}"#,
        r#"{"type": "samples", "id": "ERS2", "attributes": {"name": "only", "last-update": "2019"}}"#,
        r#"{"type": "pipeline-tools", "id": "a", "attributes": {"name": "old", "tool-name": "a", "version": "1"}}"#,
        r#"{"type": "pipeline-tools", "id": "a", "attributes": {"name": "two", "tool-name": "a", "version": "2"}}"#,
        r#"{"type": "pipeline-tools", "id": "a", "attributes": {"name": "one", "tool-name": "a", "version": "1"}}"#,
        r#"{"type": "samples", "id": "ERS1", "attributes": {"name": "last", "last-update": "2018"}}"#,
    ]);
    assert_eq!((&report["num_replaced"], &report["num_stored"]), (&json!(2), &json!(5)));
    let generation = folder.open();
    assert_eq!(names(&resources(&generation, "samples")), ["only", "last"]);
    assert_eq!(names(&resources(&generation, "pipeline-tools")), ["one", "two"]);
}

#[test]
fn private_parents_are_hidden_under_all_their_names() {
    let folder = Folder::new();
    let page = |parent: &str| {
        format!(
            r#"{{"links": {{"first": "https://a/metagenomics/api/v1/studies/{parent}/publications?page=1"}}, "data": [{{"type": "publications", "id": "7", "relationships": {{"studies": {{"data": [{{"type": "studies", "id": "{parent}"}}]}}}}}}]}}"#
        )
    };
    let pages = ["MGYS1", "1", "ERP1", "PRJ1", "MGYS2", "ERP2"].map(page);
    let studies = [
        r#"{"type": "studies", "id": "MGYS1", "attributes": {"is-private": true, "secondary-accession": "ERP1", "bioproject": "PRJ1"}}"#,
        r#"{"type": "studies", "id": "MGYS2", "attributes": {"is-private": false, "secondary-accession": "ERP2"}}"#,
    ];
    let named = r#"{"type": "samples", "id": "ERS1", "relationships": {"studies": {"data": [{"type": "studies", "id": "ERP1"}, {"type": "studies", "id": "ERP2"}]}}}"#;
    let lines: Vec<&str> = pages.iter().map(String::as_str).chain(studies).chain([named]).collect();
    folder.load_lines(&lines);
    let generation = folder.open();
    let found = |parent: &str| {
        let conditions = vec![Condition::FoundIn("studies".into(), parent.into(), "publications".into())];
        selected(&generation, &Selection { resource_type: "publications".into(), conditions, orders: Vec::new() }).len()
    };
    assert_eq!(["MGYS1", "1", "ERP1", "PRJ1", "MGYS2", "ERP2"].map(found), [0, 0, 0, 0, 1, 1]);
    let sample = resource(&generation, "samples", "ERS1").expect("stored");
    assert_eq!(sample["relationships"]["studies"]["data"], json!([{"type": "studies", "id": "ERP2"}]));
}

#[test]
fn private_resources_are_neither_stored_nor_named() {
    let folder = Folder::new();
    let report = folder.load_lines(&[
        r#"{"type": "studies", "id": "MGYS1", "attributes": {"is-private": false}}"#,
        r#"{"type": "studies", "id": "MGYS2", "attributes": {"is-private": true}}"#,
        r#"{"type": "samples", "id": "ERS1", "relationships": {"studies": {"data": [{"type": "studies", "id": "MGYS1"}, {"type": "studies", "id": "MGYS2"}]}, "study": {"data": {"type": "studies", "id": "MGYS1"}}}}"#,
        r#"{"type": "studies", "id": "MGYS1", "attributes": {"is-private": true}}"#,
        r#"{"type": "studies", "id": "MGYS2", "attributes": {"is-private": false}}"#,
    ]);
    assert_eq!((&report["num_private"], &report["num_replaced"]), (&json!(1), &json!(2)));
    let generation = folder.open();
    assert_eq!(resource(&generation, "studies", "MGYS1"), None);
    assert_eq!(resources(&generation, "studies").len(), 1);
    let sample = resource(&generation, "samples", "ERS1").expect("stored");
    assert_eq!(
        sample["relationships"],
        json!({"studies": {"data": [{"type": "studies", "id": "MGYS2"}]}, "study": {"data": null}})
    );
    let naming = |id: &str| {
        let conditions = vec![Condition::Names("studies".to_owned(), id.to_owned())];
        selected(&generation, &Selection { resource_type: "samples".to_owned(), conditions, orders: Vec::new() }).len()
    };
    assert_eq!((naming("MGYS1"), naming("MGYS2")), (0, 1));
}
