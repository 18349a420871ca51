//! A catalogue remembers the harvest that its inputs are of.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use store_catalogue::Harvest;

use super::{Folder, Harvest as Documents, row, study};
use crate::loading::load::{acknowledged, refused};

const REPORT: &str = r#"{"from": "https://me:secret@www.ebi.ac.uk/metagenomics/api/v2", "began": "2026-11-25T19:23:09Z", "finished": "2026-11-25T21:00:00.5Z", "kinds": {}}"#;

/// Loads something, and returns the harvest that the catalogue remembers, and the warnings of the
/// report.
fn harvest_of(folder: &Folder, command: &mut Command) -> (Option<Harvest>, Value) {
    let report = folder.report_of(&acknowledged(command));
    (folder.open().contents().harvest.clone(), report["warnings"].clone())
}

fn expected() -> Harvest {
    let from = "https://www.ebi.ac.uk/metagenomics/api/v2".to_owned();
    Harvest { from, began_unix_s: 1_795_634_589, finished_unix_s: 1_795_640_400 }
}

#[test]
fn the_harvest_is_remembered_until_another_load() {
    let documents = Documents::new();
    documents.write_documents("studies", &[study("MGYS1")]);
    documents.write("v2/harvest.json", REPORT);
    assert_eq!(harvest_of(&documents, &mut documents.command(&[])), (Some(expected()), Value::Null));
    let added = documents.write("added.jsonl", row("samples", "ERS1", &json!({}), &json!({})).to_string());
    let mut add = documents.change("add", [added]);
    assert_eq!(harvest_of(&documents, &mut add).0, Some(expected()));
    let mut remove = documents.change("remove", Vec::<&Path>::new());
    assert_eq!(harvest_of(&documents, remove.args(["--accession", "ERS1"])).0, Some(expected()));
    // Most of the catalogue has changed, so it is rebuilt.
    let many: Vec<String> =
        (0..1_100).map(|number| row("samples", &format!("ERS{number}"), &json!({}), &json!({})).to_string()).collect();
    let mut add = documents.change("add", [documents.write("many.jsonl", many.join("\n"))]);
    assert_eq!(harvest_of(&documents, &mut add).0, Some(expected()));
    std::fs::remove_file(documents.documents().join("harvest.json")).expect("it is there");
    assert_eq!(harvest_of(&documents, &mut documents.command(&[])), (None, Value::Null));
}

#[test]
fn broken_harvest_reports_are_warnings() {
    let documents = Documents::new();
    documents.write_documents("studies", &[study("MGYS1")]);
    documents.write("v2/harvest.json", r#"{"from": "x", "began": "2026-11-25T19:23:09Z", "finished": null}"#);
    let (harvest, warnings) = harvest_of(&documents, &mut documents.command(&[]));
    let warning = warnings[0].as_str().expect("a warning");
    assert!(warning.starts_with("the time of the harvest is unknown: "), "{warning}");
    assert!(warning.contains("v2/harvest.json: invalid type: null"), "{warning}");
    assert_eq!((harvest, warnings.as_array().map(Vec::len)), (None, Some(1)));
    assert!(refused(documents.command(&[]).arg("--strict")).contains("harvest.json"));
}

#[test]
fn the_harvest_of_the_only_folder_of_rows_is_remembered() {
    let folder = Folder::new();
    for name in ["one", "two"] {
        folder.write(&format!("{name}/studies.jsonl"), row("studies", name, &json!({}), &json!({})).to_string());
        folder.write(&format!("{name}/harvest.json"), REPORT);
    }
    let inputs = |names: &[&str]| names.iter().map(|name| folder.inputs().join(name)).collect::<Vec<_>>();
    assert_eq!(harvest_of(&folder, &mut folder.load(inputs(&["one", "two/studies.jsonl"]))).0, Some(expected()));
    assert_eq!(harvest_of(&folder, &mut folder.load(inputs(&["one", "two"]))).0, None);
}
