//! Unexpected documents, and rows with fewer or more values than their documents.

use serde_json::json;

use super::{Harvest, analysis, named, row, run, sample, study, with};

#[test]
fn rows_are_found_by_biosample_and_keep_their_id() {
    let harvest = Harvest::new();
    harvest.write_documents("samples", &[sample("SAMEA1")]);
    harvest.write_documents("runs", &[with(run("ERR1"), json!({"sample": sample("SAMEA1")}))]);
    let attributes = json!({"accession": "ERS1", "biosample": "SAMEA1", "sample-alias": "a"});
    let sample_of_run = json!({"sample": {"data": {"type": "samples", "id": "ERS1"}}});
    let rows = [row("samples", "ERS1", &attributes, &json!({})), row("runs", "ERR1", &json!({}), &sample_of_run)];
    let report = harvest.load_with(&rows);
    assert_eq!((&report["stored"]["samples"], &report["num_documents_merged"]), (&json!(1), &json!(2)));
    let sample = harvest.row("samples", "ERS1").expect("loaded");
    assert_eq!((&sample["id"], &sample["attributes"]["accession"]), (&json!("ERS1"), &json!("ERS1")));
    assert_eq!(harvest.row("samples", "SAMEA1").expect("an alias")["id"], "ERS1");
    assert_eq!(harvest.document("samples", "ERS1").expect("it came")["accession"], "SAMEA1");
    assert_eq!(named(&harvest.row("runs", "ERR1").expect("loaded"), "sample"), ["ERS1"]);
}

#[test]
fn biomes_of_rows_are_not_replaced_by_those_of_studies() {
    let harvest = Harvest::new();
    harvest.write_documents("studies", &[study("MGYS1")]);
    let of_study = json!({"studies": [{"accession": "MGYS1"}]});
    harvest.write_documents("samples", &[with(sample("SAMEA1"), of_study.clone()), with(sample("SAMEA2"), of_study)]);
    let biome = json!({"biome": {"data": {"type": "biomes", "id": "root:Skin"}, "links": {"related": "x"}}});
    harvest.load_with(&[row("samples", "SAMEA1", &json!({}), &biome)]);
    let biome_of = |id| harvest.row("samples", id).expect("loaded")["relationships"]["biome"]["data"]["id"].clone();
    assert_eq!((biome_of("SAMEA1"), biome_of("SAMEA2")), (json!("root:Skin"), json!("root:Soil")));
}

#[test]
fn links_to_one_resource_follow_the_document() {
    let harvest = Harvest::new();
    harvest.write_documents("analyses", &[with(analysis("MGYA1"), json!({"run": run("ERR2")}))]);
    let old = json!({"run": {"data": {"type": "runs", "id": "ERR1"}, "links": {"related": "{base_url}/metagenomics/api/v1/runs/ERR1"}}});
    harvest.load_with(&[row("analysis-jobs", "MGYA1", &json!({}), &old)]);
    let analysis = harvest.row("analysis-jobs", "MGYA1").expect("loaded");
    assert_eq!(named(&analysis, "run"), ["ERR2"]);
    assert_eq!(analysis["relationships"]["run"]["links"]["related"], "/runs/ERR2");
}

#[test]
fn accessions_resolve_to_the_sample_that_owns_them() {
    for is_reversed in [false, true] {
        let harvest = Harvest::new();
        let mut samples = vec![
            with(sample("SAMEA1"), json!({"ena_accessions": ["SAMEA1", "SAMEA2"]})),
            sample("SAMEA2"),
            sample("SAMEA3"),
        ];
        if is_reversed {
            samples.reverse();
        }
        harvest.write_documents("samples", &samples);
        harvest.load_with(&[]);
        for id in ["SAMEA1", "SAMEA2", "SAMEA3"] {
            assert_eq!(harvest.document("samples", id).expect("loaded")["accession"], id);
        }
    }
}

#[test]
fn experiment_types_without_a_name_are_ignored() {
    let harvest = Harvest::new();
    let runs = ["", "Am\tplicon", "Amplicon"].iter().enumerate();
    let runs: Vec<_> =
        runs.map(|(number, label)| with(run(&format!("ERR{number}")), json!({"experiment_type": label}))).collect();
    harvest.write_documents("runs", &runs);
    let report = harvest.load_with(&[]);
    assert_eq!((&report["stored"]["runs"], &report["stored"]["experiment-types"]), (&json!(3), &json!(1)));
}

#[test]
fn documents_may_have_members_named_like_those_of_json_api() {
    let harvest = Harvest::new();
    let names =
        [json!({"data": null}), json!({"data": []}), json!({"data": {"id": 1}}), json!({"errors": null}), json!({})];
    let studies = names.iter().enumerate().map(|(number, more)| with(study(&format!("MGYS{number}")), more.clone()));
    harvest.write_documents("studies", &studies.collect::<Vec<_>>());
    let report = harvest.load_with(&[]);
    assert_eq!((&report["stored"]["studies"], &report["num_rejected"]), (&json!(names.len()), &json!(0)));
}

#[test]
fn annotations_are_attached_to_rows() {
    let harvest = Harvest::new();
    harvest.write_documents("study-features", &[json!({"accession": "MGYS1", "has_analyses_from_pipeline": ["V5"]})]);
    harvest.write_documents("assembly-runs", &[json!({"assembly": "ERZ1", "runs": ["ERR1", "ERR2"]})]);
    let rows = [row("studies", "MGYS1", &json!({}), &json!({})), row("assemblies", "ERZ1", &json!({}), &json!({}))];
    let report = harvest.load_with(&rows);
    assert_eq!((&report["num_documents_combined"], &report["num_documents_without_row"]), (&json!(2), &json!(0)));
    assert_eq!(named(&harvest.row("assemblies", "ERZ1").expect("loaded"), "runs"), ["ERR1", "ERR2"]);
    assert_eq!(harvest.document("studies", "MGYS1").expect("made")["@pipelines"], json!(["V5"]));
}

#[test]
fn nulls_do_not_make_a_document_richer() {
    let harvest = Harvest::new();
    let nulls = json!({"accession": "MGYS1", "title": null, "biome": null, "updated_at": null, "metadata": null, "a": null,
        "b": null, "c": null, "d": null, "e": null, "f": null});
    harvest.write_documents("studies", &[study("MGYS1"), nulls]);
    harvest.load_with(&[]);
    assert_eq!(harvest.document("studies", "MGYS1").expect("loaded")["title"], "Soil");
}
