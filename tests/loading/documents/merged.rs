//! Documents and rows of one resource become one: the document wins field by field, and null never
//! does.

use serde_json::json;

use super::{Harvest, analysis, named, row, run, sample, study, with};

#[test]
fn documents_win_field_by_field_except_nulls_and_guesses() {
    let harvest = Harvest::new();
    let members = json!({"title": "New", "metadata": {"center_name": null, "study_description": ""}});
    harvest.write_documents("studies", &[with(study("MGYS1"), members)]);
    let attributes = json!({
        "accession": "MGYS1", "study-name": "Old", "centre-name": "Sanger", "study-abstract": "Long ago",
        "bioproject": "PRJEB9", "secondary-accession": null, "samples-count": 7, "data-origination": "SUBMITTED",
        "last-update": "2001-01-01T00:00:00", "public-release-date": "2000-01-01",
    });
    let biomes = json!({"biomes": {"data": [{"type": "biomes", "id": "root:Sea"}]}});
    let report = harvest.load_with(&[row("studies", "MGYS1", &attributes, &biomes)]);
    assert_eq!((&report["num_documents_merged"], &report["stored"]["studies"]), (&json!(1), &json!(1)));
    let study = harvest.row("studies", "MGYS1").expect("loaded");
    let merged = json!({
        "accession": "MGYS1", "study-name": "New", "centre-name": "Sanger", "study-abstract": "Long ago",
        "bioproject": "PRJEB1", "secondary-accession": "ERP000001", "samples-count": 7, "data-origination": "SUBMITTED",
        "last-update": "2001-01-01T00:00:00", "public-release-date": "2000-01-01", "is-private": false,
    });
    assert_eq!(study["attributes"], merged);
    assert_eq!(named(&study, "biomes"), ["root:Sea", "root:Soil"]);
    let document = harvest.document("studies", "MGYS1").expect("it came");
    assert_eq!((&document["title"], &document["updated_at"]), (&json!("New"), &json!("2020-01-02T03:04:05.678Z")));
    assert_eq!(document["metadata"]["center_name"], "Sanger");
    assert_eq!(document["metadata"]["study_description"], "Long ago");
}

#[test]
fn unmatched_rows_and_documents_are_both_kept() {
    let harvest = Harvest::new();
    harvest.write_documents("studies", &[study("MGYS1")]);
    let report = harvest.load_with(&[row("studies", "MGYS2", &json!({"study-name": "Old"}), &json!({}))]);
    assert_eq!((&report["stored"]["studies"], &report["num_documents_merged"]), (&json!(2), &json!(0)));
    assert!(harvest.document("studies", "MGYS1").is_some() && harvest.document("studies", "MGYS2").is_none());
}

#[test]
fn metadata_are_merged_key_by_key() {
    let harvest = Harvest::new();
    harvest.write_documents("samples", &[with(sample("SAMEA1"), json!({"ena_accessions": ["SAMEA1", "ERS1"]}))]);
    let entries = json!([{"key": "depth", "value": "9", "unit": "m"}, {"key": "my key", "value": "x", "unit": null}]);
    let attributes =
        json!({"sample-metadata": entries, "latitude": 7.0, "species": "Homo sapiens", "biosample": "SAMEA1"});
    let biome = json!({"biome": {"data": {"type": "biomes", "id": "root:Sea"}}});
    harvest.load_with(&[row("samples", "ERS1", &attributes, &biome)]);
    let row = harvest.row("samples", "ERS1").expect("loaded");
    assert_eq!((&row["attributes"]["sample-metadata"], &row["attributes"]["latitude"]), (&entries, &json!(1.5)));
    let document = harvest.document("samples", "SAMEA1").expect("it came");
    let metadata = &document["metadata"];
    assert_eq!((&metadata["depth"], &metadata["lat"]), (&json!("5 m"), &json!("1.5")), "the document has them");
    assert_eq!((&metadata["host_scientific_name"], metadata.get("my key")), (&json!("Homo sapiens"), None));
    assert_eq!(document["biome"]["lineage"], "root:Sea", "the row alone knows it");
}

#[test]
fn two_rows_of_a_document_become_one_with_both_ids() {
    let harvest = Harvest::new();
    let accessions = json!({"ena_accessions": ["SAMEA1", "ERS1", "ERS2"], "studies": [{"accession": "MGYS1"}]});
    harvest.write_documents("samples", &[with(sample("SAMEA1"), accessions)]);
    let of = |id: &str| json!({"sample": {"data": {"type": "samples", "id": id}}});
    let rows = [
        row("samples", "ERS1", &json!({"biosample": "SAMEA1"}), &json!({})),
        row("samples", "ERS2", &json!({"biosample": "SAMEA1"}), &json!({})),
        row("runs", "ERR1", &json!({}), &of("ERS1")),
        row("runs", "ERR2", &json!({}), &of("ERS2")),
    ];
    let report = harvest.load_with(&rows);
    assert_eq!((&report["stored"]["samples"], &report["num_replaced"]), (&json!(1), &json!(1)));
    for name in ["ERS1", "ERS2", "SAMEA1"] {
        assert_eq!(harvest.row("samples", name).expect(name)["id"], "ERS1");
    }
    assert_eq!(named(&harvest.row("runs", "ERR2").expect("loaded"), "sample"), ["ERS1"]);
    assert_eq!(report["missing"], json!({"studies": 1}));
}

#[test]
fn samples_that_share_accessions_stay_separate() {
    let harvest = Harvest::new();
    let [one, two] = ["SAMEA1", "SAMEA2"].map(|accession| {
        with(sample(accession), json!({"ena_accessions": [accession, "ERS1"], "sample_title": accession}))
    });
    harvest.write_documents("samples", &[two, one]);
    let report = harvest.load_with(&[]);
    assert_eq!(report["stored"]["samples"], 2);
    for name in ["SAMEA1", "SAMEA2"] {
        assert_eq!(harvest.document("samples", name).expect(name)["sample_title"], name);
    }
    assert!(harvest.row("samples", "ERS1").is_some());
}

#[test]
fn samples_that_gain_a_version_1_accession_stay_one_resource() {
    let harvest = Harvest::new();
    let early = with(
        analysis("MGYA1"),
        json!({"sample": {"accession": "SAMEA1", "ena_accessions": ["SAMEA1"],
        "sample_title": null, "biome": null, "updated_at": "2019-01-01T00:00:00Z"}}),
    );
    harvest.write_documents("analyses", &[early]);
    harvest.write_documents("samples", &[with(sample("SAMEA1"), json!({"ena_accessions": ["SAMEA1", "ERS1"]}))]);
    assert_eq!(harvest.load_with(&[])["stored"]["samples"], 1);
    assert_eq!(named(&harvest.row("analysis-jobs", "MGYA1").expect("loaded"), "sample"), ["ERS1"]);
}

#[test]
fn super_studies_are_found_by_slug_and_keep_their_number() {
    let harvest = Harvest::new();
    let document = |slug: &str| {
        json!({"slug": slug, "title": "New", "description": "", "logo_url": null, "related_studies": [], "genome_catalogues": [],
            "flagship_studies": [{"accession": "MGYS1", "ena_accessions": ["ERP1"], "title": "x", "metadata": {},
                "biome": {"biome_name": "Skin", "lineage": null}, "updated_at": "2020-01-01T00:00:00Z"}]})
    };
    harvest.write_documents("super-studies", &[document("tara"), document("emp")]);
    let attributes = json!({"super-study-id": 7, "url-slug": "tara", "title": "Old", "description": "Sea"});
    let report = harvest.load_with(&[row("super-studies", "7", &attributes, &json!({}))]);
    assert_eq!((&report["stored"]["super-studies"], &report["num_documents_merged"]), (&json!(2), &json!(1)));
    let merged = harvest.row("super-studies", "tara").expect("loaded");
    assert_eq!((&merged["id"], &merged["attributes"]["super-study-id"]), (&json!("7"), &json!(7)));
    assert_eq!((&merged["attributes"]["title"], &merged["attributes"]["description"]), (&json!("New"), &json!("Sea")));
    let alone = harvest.row("super-studies", "emp").expect("loaded");
    assert_eq!((&alone["id"], &alone["attributes"]["super-study-id"]), (&json!("emp"), &json!(1)));
    assert_eq!(report["missing"], json!({"studies": 1}), "embedded studies are references, and no rows");
    assert_eq!(report["stored"].get("biomes"), Some(&json!(1)), "the root alone");
}

#[test]
fn private_rows_stay_private() {
    let harvest = Harvest::new();
    harvest.write_documents("studies", &[study("MGYS1"), study("MGYS2")]);
    let report = harvest.load_with(&[row("studies", "MGYS1", &json!({"is-private": true}), &json!({}))]);
    assert_eq!((&report["num_private"], &report["stored"]["studies"]), (&json!(1), &json!(1)));
    assert_eq!(harvest.row("studies", "MGYS1"), None);
}

#[test]
fn runs_and_assemblies_get_links_from_other_documents() {
    let harvest = Harvest::new();
    let embedded =
        |accession: &str| with(run(accession), json!({"study_accession": "MGYS1", "sample_accession": "ERS77"}));
    let sample_of = |accession: &str| {
        json!({"accession": accession, "ena_accessions": [accession], "sample_title": null, "biome": null,
        "updated_at": "2019-01-01T00:00:00Z"})
    };
    let assembly = json!({"accession": "ERZ1", "updated_at": "2020-01-01T00:00:00Z"});
    harvest.write_documents(
        "analyses",
        &[
            with(
                analysis("MGYA1"),
                json!({"assembly": assembly, "sample": sample_of("SAMEA1"), "pipeline_version": "V6.1",
                "read_run": [embedded("ERR1"), embedded("ERR2")]}),
            ),
            with(
                analysis("MGYA2"),
                json!({"run": embedded("ERR2"), "sample": sample_of("SAMEA2"), "read_run": [embedded("ERR2")]}),
            ),
        ],
    );
    harvest.write_documents("assembly-runs", &[json!({"assembly": "ERZ1", "runs": ["ERR2", "ERR3"]})]);
    harvest
        .write_documents("runs", &[with(run("ERR3"), json!({"sample": sample_of("SAMEA3"), "study": study("MGYS1")}))]);
    let report = harvest.load_with(&[]);
    assert_eq!(report["num_documents_without_row"], 0);
    let of_run = |id: &str| harvest.row("runs", id).expect(id);
    assert_eq!(named(&of_run("ERR2"), "sample"), ["SAMEA2"], "the sample of its analysis");
    assert_eq!((named(&of_run("ERR3"), "sample"), named(&of_run("ERR3"), "study")), (vec!["SAMEA3"], vec!["MGYS1"]));
    assert_eq!(
        (named(&of_run("ERR2"), "assemblies"), named(&of_run("ERR2"), "pipelines")),
        (vec!["ERZ1"], vec!["5.0"])
    );
    let assembly = harvest.row("assemblies", "ERZ1").expect("loaded");
    assert_eq!(named(&assembly, "runs"), ["ERR1", "ERR2", "ERR3"]);
    assert_eq!(named(&assembly, "samples"), ["SAMEA1", "ERS77", "SAMEA2", "SAMEA3"]);
    assert_eq!(named(&assembly, "pipelines"), ["6.1"]);
    assert_eq!(report["missing"], json!({"samples": 1, "studies": 1}));
    assert_eq!(harvest.document("assemblies", "ERZ1").expect("it came")["sample_accession"], json!(null));
}
