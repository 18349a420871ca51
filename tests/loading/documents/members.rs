//! Lines of studies that name their samples and publications answer like documents that name their
//! studies.

use std::collections::BTreeMap;

use rand::seq::SliceRandom;
use serde_json::{Value, json};
use support::machine::{rounds, seeded};

use super::{Harvest, analysis, bundled_documents, named, row, sample, study, with};
use crate::loading::catalogue::answers::{all_answers, assert_same};

fn publication(pubmed_id: u32) -> Value {
    json!({"pubmed_id": pubmed_id, "title": "T", "published_year": 2020, "metadata": {}})
}

/// Writes the bundled documents, without the studies of samples and publications, and these as
/// members of the studies.
fn write_with_members(harvest: &Harvest, lines: &mut Vec<Value>) {
    let mut members: BTreeMap<String, [Vec<Value>; 2]> = BTreeMap::new();
    for (kind, text) in bundled_documents() {
        let Some(list) = ["samples", "publications"].iter().position(|known| *known == kind) else {
            harvest.write(&format!("v2/{kind}.jsonl"), text);
            continue;
        };
        let mut documents: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for (position, document) in documents.iter_mut().enumerate() {
            let studies = document.as_object_mut().expect("an object").shift_remove("studies").expect("all have some");
            let accessions = document["ena_accessions"].as_array().map_or(&[][..], Vec::as_slice);
            // Whichever accession names a sample.
            let id = accessions.get(position % 3).unwrap_or(&document[["accession", "pubmed_id"][list]]);
            for study in studies.as_array().expect("a list") {
                let study = study["accession"].as_str().expect("an accession").to_owned();
                members.entry(study).or_default()[list].push(id.clone());
            }
        }
        harvest.write_documents(&kind, &documents);
    }
    for (study, [samples, publications]) in members {
        lines.extend(samples.chunks(50).map(|samples| json!({"study": study, "samples": samples})));
        lines.push(json!({"study": study, "publications": publications, "samples": []}));
    }
}

#[test]
fn members_of_studies_replace_study_references_in_documents() {
    let (mut random, seed) = seeded();
    let (first, second) = (Harvest::of_bundled(), Harvest::new());
    let mut lines = Vec::new();
    write_with_members(&second, &mut lines);
    lines.shuffle(&mut random);
    second.write_documents("study-members", &lines);
    let report = second.load_with(&[]);
    assert_eq!(report["warnings"], Value::Null);
    let contents = |harvest: &Harvest| {
        let mut contents = json!(harvest.open().contents());
        contents["resources_file_bytes"] = Value::Null;
        contents
    };
    assert_eq!(contents(&second), contents(&first), "seed {seed}");
    let step = rounds(10, 20);
    assert_same(&all_answers(&second.data(), step), &all_answers(&first.data(), step), &format!("seed {seed}"));
}

#[test]
fn members_are_added_to_those_of_documents() {
    let harvest = Harvest::new();
    harvest.write_documents("studies", &[study("MGYS1"), study("MGYS2"), study("MGYS3")]);
    let of_study = json!({"ena_accessions": ["SAMEA1", "ERS1"], "studies": [{"accession": "MGYS3"}]});
    let mut silent = sample("SAMEA2");
    silent.as_object_mut().expect("an object").remove("studies");
    harvest.write_documents("samples", &[with(sample("SAMEA1"), of_study), silent.clone()]);
    // The study of an analysis is not that of a sample whose studies are named.
    let of_sample = json!({"sample": silent, "study_accession": "MGYS3"});
    harvest.write_documents("analyses", &[with(analysis("MGYA1"), of_sample)]);
    harvest.write_documents("publications", &[publication(7)]);
    harvest.write_documents(
        "study-members",
        &[
            json!({"study": "MGYS2", "samples": ["ERS1", "SAMEA2", "SAMEA2"]}),
            json!({"study": "MGYS1", "samples": ["SAMEA1"], "publications": [7]}),
            json!({"study": "MGYS2", "samples": null, "publications": ["7"]}),
            json!({"study": "MGYS2"}),
        ],
    );
    let report = harvest.load_with(&[]);
    assert_eq!((&report["num_documents_combined"], &report["num_documents_without_row"]), (&json!(4), &json!(0)));
    let studies = |id: &str| harvest.row("samples", id).expect("loaded");
    assert_eq!(named(&studies("ERS1"), "studies"), ["MGYS3", "MGYS1", "MGYS2"]);
    assert_eq!(named(&studies("SAMEA2"), "studies"), ["MGYS2"]);
    let count = |kind: &str, id: &str, name: &str| harvest.row(kind, id).expect("loaded")["attributes"][name].clone();
    assert_eq!(
        (count("studies", "MGYS2", "samples-count"), count("studies", "MGYS3", "samples-count")),
        (json!(2), json!(1))
    );
    assert_eq!(
        (count("publications", "7", "studies-count"), count("publications", "7", "samples-count")),
        (json!(2), json!(2))
    );
}

#[test]
fn missing_members_are_not_invented() {
    let harvest = Harvest::new();
    harvest.write_documents("studies", &[study("MGYS1")]);
    harvest.write_documents("samples", &[sample("SAMEA1")]);
    harvest.write_documents(
        "study-members",
        &[
            json!({"study": "MGYS1", "samples": ["SAMEA1", "SAMEA9"], "publications": [9]}),
            json!({"study": "MGYS7", "samples": ["SAMEA1"]}),
            json!({"study": "MGYS8", "samples": ["SAMEA9"]}),
            json!({"samples": ["SAMEA1"]}),
        ],
    );
    let report = harvest.load_with(&[]);
    let numbers =
        ["num_documents_combined", "num_documents_without_row", "num_rejected"].map(|name| report[name].clone());
    assert_eq!(numbers, [json!(2), json!(1), json!(1)]);
    assert_eq!(
        report["warnings"],
        json!([
            "left out: 1 document of resources that were not loaded, such as studies MGYS8",
            "left out: 2 references from studies to resources that were not loaded, such as samples SAMEA9, publications 9",
        ])
    );
    assert_eq!((&report["stored"]["samples"], &report["stored"]["publications"]), (&json!(1), &Value::Null));
    // As with documents, a missing study is only a reference.
    assert_eq!(named(&harvest.row("samples", "SAMEA1").expect("loaded"), "studies"), ["MGYS1", "MGYS7"]);
    assert_eq!(report["missing"], json!({"studies": 1}));
}

#[test]
fn rows_without_documents_can_be_members() {
    let harvest = Harvest::new();
    let members = json!({"study": "MGYS1", "samples": ["SAMEA1", "ERS2", "SAMEA9"], "publications": [7, 8]});
    harvest.write_documents("study-members", &[members]);
    let studies = json!({"studies": {"data": [{"type": "studies", "id": "MGYS2"}], "links": {"related": "x"}}});
    let rows = [
        row("studies", "MGYS1", &json!({}), &json!({})),
        row("samples", "ERS1", &json!({"biosample": "SAMEA1"}), &studies),
        row("samples", "ERS2", &json!({}), &json!({})),
        row("publications", "7", &json!({}), &json!({})),
    ];
    let report = harvest.load_with(&rows);
    assert_eq!((&report["num_documents_combined"], &report["num_documents_without_row"]), (&json!(1), &json!(0)));
    assert_eq!(
        report["warnings"],
        json!([
            "left out: 2 references from studies to resources that were not loaded, such as samples SAMEA9, publications 8"
        ])
    );
    let studies = |id: &str| harvest.row("samples", id).expect("loaded");
    assert_eq!(named(&studies("ERS1"), "studies"), ["MGYS2", "MGYS1"]);
    assert_eq!(named(&studies("ERS2"), "studies"), ["MGYS1"]);
    let answers = all_answers(&harvest.data(), 1);
    assert!(answers["studies/MGYS1/publications"].1.contains(r#""id":"7""#));
    assert!(answers["publications/7/studies"].1.contains("MGYS1"));
}
