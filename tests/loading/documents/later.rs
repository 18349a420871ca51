//! Catalogues that were loaded from documents are exported, added to and removed from like others.

use std::process::Command;

use serde_json::{Value, json};
use store_catalogue::model::RESOURCE_TYPES;
use support::machine::{Server, rounds};

use super::{Harvest, analysis, named, row, sample, study, with};
use crate::loading::catalogue::answers::{all_answers, assert_same};
use crate::loading::load::{acknowledged, refused};

fn remove(harvest: &Harvest, accession: &str) -> Command {
    let mut program = support::program();
    program.args(["catalogue", "remove", "--memory", "64M", "--accession", accession, "--data"]).arg(harvest.data());
    program
}

/// Exports all types, and returns the files.
fn exported(harvest: &Harvest) -> Vec<std::path::PathBuf> {
    let server = Server::start(&harvest.data());
    let export = |path: &str| {
        let (status, body) = server.get(&format!("/metagenomics/api/v1/{path}?format=ndjson"));
        assert_eq!(status, 200, "{body}");
        harvest.write(&format!("export/{path}.ndjson"), body)
    };
    RESOURCE_TYPES.iter().map(|known| export(known.path)).collect()
}

#[test]
fn exports_contain_documents_that_change_nothing_when_reloaded() {
    let (first, second) = (Harvest::of_bundled(), Harvest::new());
    let exports = exported(&first);
    let step = rounds(20, 40);
    let expected = all_answers(&first.data(), step);
    assert!(expected["samples?format=ndjson"].1.contains("@document"));
    acknowledged(&mut second.load(&exports));
    assert_same(&all_answers(&second.data(), step), &expected, "exports alone");
    let report = second.report_of(&acknowledged(second.load(&exports).arg("--v2").arg(first.documents())));
    // All but the root of the biomes, which no list has.
    let numbers = (&report["num_documents_combined"], &report["num_documents_merged"]);
    assert_eq!(numbers, (&json!(rounds(50, 133)), &json!(rounds(865, 5_375))));
    assert_same(&all_answers(&second.data(), step), &expected, "documents over exports");
}

#[test]
fn newer_exports_win_over_documents() {
    let harvest = Harvest::new();
    let of = |title: &str, year: u32| {
        with(study("MGYS1"), json!({"title": title, "updated_at": format!("{year}-01-01T00:00:00Z")}))
    };
    let mut exported = row("studies", "MGYS1", &json!({"study-name": "new"}), &json!({}));
    exported["@document"] = with(of("new", 2022), json!({"metadata": {}}));
    harvest.write_documents("studies", &[of("old", 2021)]);
    harvest.load_with(std::slice::from_ref(&exported));
    let document = harvest.document("studies", "MGYS1").expect("it came");
    assert_eq!((&document["title"], &document["metadata"]["center_name"]), (&json!("new"), &json!("EBI")));
    assert_eq!(harvest.row("studies", "MGYS1").expect("loaded")["attributes"]["study-name"], "new");
    harvest.write_documents("studies", &[of("newest", 2023)]);
    harvest.load_with(&[exported]);
    assert_eq!(harvest.row("studies", "MGYS1").expect("loaded")["attributes"]["study-name"], "newest");
}

#[test]
fn added_rows_answer_like_rows_loaded_with_the_documents() {
    let rows = |name: &str| -> Vec<Value> {
        let sample = json!({"data": {"type": "samples", "id": "ERS2"}});
        vec![
            row(
                "studies",
                "MGYS1",
                &json!({"study-name": name, "centre-name": name, "data-origination": name}),
                &json!({}),
            ),
            row("samples", "ERS2", &json!({"biosample": "SAMEA1", "species": name}), &json!({})),
            row("runs", "ERR1", &json!({"instrument-model": name}), &json!({"sample": sample})),
            row("runs", "ERR2", &json!({}), &json!({"sample": sample})),
            row("publications", "7", &json!({"pub-abstract": name}), &json!({})),
        ]
    };
    let write = |harvest: &Harvest| {
        harvest.write_documents("studies", &[with(study("MGYS1"), json!({"metadata": {}}))]);
        let accessions = json!({"ena_accessions": ["SAMEA1", "ERS1", "ERS2"], "studies": [{"accession": "MGYS1"}]});
        harvest.write_documents("samples", &[with(sample("SAMEA1"), accessions)]);
        harvest.write_documents("analyses", &[with(analysis("MGYA1"), json!({"run": super::run("ERR1")}))]);
        let metadata = json!({"authors": "A", "doi": null});
        harvest.write_documents(
            "publications",
            &[json!({"pubmed_id": 7, "title": "T", "published_year": null, "metadata": metadata,
            "studies": [{"accession": "MGYS1"}]})],
        );
    };
    let (whole, parts) = (Harvest::new(), Harvest::new());
    write(&whole);
    whole.load_with(&rows("row"));
    let expected = exported_resources(&whole);
    write(&parts);
    parts.load_with(&[]);
    let lines: Vec<String> = rows("row").iter().map(Value::to_string).collect();
    let report =
        parts.report_of(&acknowledged(&mut parts.change("add", [parts.write("added.jsonl", lines.join("\n"))])));
    assert_eq!(report["num_accepted"], 5);
    assert_eq!(exported_resources(&parts), expected);
    assert_eq!(named(&parts.row("runs", "ERR2").expect("added"), "sample"), ["ERS1"]);
    assert!(parts.document("publications", "7").is_some() && parts.document("runs", "ERR1").is_some());
}

/// Returns all that exports have of some resources.
fn exported_resources(harvest: &Harvest) -> Vec<Option<Value>> {
    let generation = harvest.open();
    let all = [
        ("studies", "MGYS1"),
        ("samples", "ERS1"),
        ("samples", "ERS2"),
        ("runs", "ERR1"),
        ("runs", "ERR2"),
        ("analysis-jobs", "MGYA1"),
        ("publications", "7"),
    ];
    all.map(|(resource_type, id)| super::whole(&generation, resource_type, id)).to_vec()
}

#[test]
fn removals_include_all_parts_of_a_resource() {
    let harvest = Harvest::new();
    harvest.write_documents("studies", &[study("MGYS1")]);
    harvest.write_documents("analyses", &[analysis("MGYA1"), analysis("MGYA2")]);
    let annotations = ["MGYA1", "MGYA2"].map(|accession| json!({"accession": accession, "annotations": {}}));
    harvest.write_documents("analysis-annotations", &annotations);
    harvest.load_with(&[]);
    let report = harvest.report_of(&acknowledged(&mut remove(&harvest, "MGYA1")));
    assert_eq!((&report["num_removed"], &report["stored"]["@analysis-annotations"]), (&json!(2), &json!(1)));
    assert!(harvest.row("analysis-jobs", "MGYA1").is_none() && harvest.row("@analysis-annotations", "MGYA1").is_none());
    assert!(harvest.document("analysis-jobs", "MGYA2").is_some(), "others keep their documents");
    let message = refused(&mut remove(&harvest, "MGYA1"));
    assert!(message.contains("the catalogue has none of MGYA1"), "{message}");
}
