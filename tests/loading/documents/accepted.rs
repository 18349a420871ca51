//! Valid parts of a harvest are accepted and kept; bad or misplaced ones are counted and named.

use std::fs;

use serde_json::{Value, json};

use super::{Harvest, analysis, named, run, sample, study, with};
use crate::loading::load::{acknowledged, refused};

#[test]
fn all_valid_documents_of_a_harvest_are_accepted() {
    let harvest = Harvest::new();
    let nulls = |mut document: Value, kept: &[&str]| {
        let members = document.as_object_mut().expect("an object");
        members
            .iter_mut()
            .filter(|(name, _)| !kept.contains(&name.as_str()))
            .for_each(|(_, value)| *value = Value::Null);
        document
    };
    let odd = json!({
        "title": "Bread &amp; \u{2}butter", "ena_accessions": ["MetaSoil", "", "METASOIL-F1D_FASTA"], "new_field": {"x": [1]},
        "metadata": {"study_description": "\u{2}", "center_name": "", "new_key": [1, {"a": null}]},
        "downloads": [{"file_type": "new", "download_type": "New type", "alias": "a", "url": null, "index_files": null}],
    });
    let null = with(nulls(study("MGYS2"), &["accession"]), json!({"accession": "MGYS2"}));
    harvest.write_documents("studies", &[with(study("MGYS1"), odd), null]);
    let metadata = json!({
        "lat": "51 or so", "lon": "", "collection_date": "before 1900", "host_tax_id": "not applicable", "depth": 7.5, "tags": ["a"],
        "age": null, "sample_alias": "<i>x</i>",
    });
    let odd = json!({"metadata": metadata, "sample_title": "", "studies": [{"accession": "MGYS1"}, {"accession": "MGYS1"}, {"accession": "MGYS9"}]});
    harvest.write_documents("samples", &[with(sample("F1"), odd), nulls(sample("a b/c?d#e%"), &["accession"])]);
    harvest.write_documents("runs", &[nulls(run("ERR1"), &["accession"])]);
    let odd = json!({"pipeline_version": "V7", "experiment_type": "Single-cell RNA", "quality_control_summary": null,
        "sample": {"accession": "a b/c?d#e%", "ena_accessions": [], "sample_title": null, "biome": null, "updated_at": null}});
    harvest.write_documents("analyses", &[with(analysis("MGYA1"), odd), nulls(analysis("MGYA2"), &["accession"])]);
    let annotations =
        |id: &str, taxonomies: Value| json!({"accession": id, "annotations": {"pfams": [], "taxonomies": taxonomies}});
    let ssu = json!({"ssu": [{"count": null, "organism": "x"}]});
    harvest.write_documents("analysis-annotations", &[annotations("MGYA1", json!([])), annotations("MGYA2", ssu)]);
    let report = harvest.load_with(&[]);
    assert_eq!((&report["num_rejected"], &report["num_documents_without_row"]), (&json!(0), &json!(0)));
    assert_eq!(
        report["missing"],
        json!({"biomes": 0, "studies": 1}).as_object().map(|_| json!({"studies": 1})).expect("an object")
    );

    let study = harvest.row("studies", "METASOIL-F1D_FASTA").expect("by any accession");
    assert_eq!(study["attributes"]["study-name"], "Bread &amp; \u{2}butter");
    assert_eq!(
        (&study["attributes"]["centre-name"], &study["attributes"]["secondary-accession"]),
        (&json!(null), &json!("MetaSoil"))
    );
    let document = harvest.document("studies", "MGYS1").expect("it came");
    assert_eq!(document["metadata"]["new_key"], json!([1, {"a": null}]));
    assert_eq!(
        (&document["downloads"][0]["download_type"], &document["new_field"]),
        (&json!("New type"), &json!({"x": [1]}))
    );

    let sample = harvest.row("samples", "F1").expect("loaded");
    let attributes = &sample["attributes"];
    for name in ["latitude", "longitude", "collection-date", "host-tax-id", "sample-name"] {
        assert_eq!(attributes[name], json!(null), "{name}");
    }
    let entry = |key: &str, value: &str| json!({"key": key, "value": value, "unit": null});
    let entries = [
        ("lat", "51 or so"),
        ("collection_date", "before 1900"),
        ("host_tax_id", "not applicable"),
        ("depth", "7.5"),
        ("tags", r#"["a"]"#),
    ];
    assert_eq!(attributes["sample-metadata"], Value::from(entries.map(|(key, value)| entry(key, value)).to_vec()));
    assert_eq!(named(&sample, "studies"), ["MGYS1", "MGYS9"]);
    let odd = harvest.row("samples", "a b/c?d#e%").expect("loaded");
    assert_eq!(odd["links"]["self"], "/samples/a%20b%2Fc%3Fd%23e%25");

    let analysis = harvest.row("analysis-jobs", "MGYA1").expect("loaded");
    assert_eq!(
        (&analysis["attributes"]["pipeline-version"], named(&analysis, "sample")),
        (&json!("7.0"), vec!["a b/c?d#e%"])
    );
    assert!(harvest.row("pipelines", "7.0").is_some() && harvest.row("experiment-types", "single_cell_rna").is_some());
    assert_eq!(harvest.document("analysis-jobs", "MGYA1").expect("it came")["pipeline_version"], "V7");
}

#[test]
fn bad_lines_are_rejected_with_file_and_line_and_the_rest_is_loaded() {
    let harvest = Harvest::new();
    let deep = format!(r#"{{"accession": "MGYS7", "metadata": {}{}}}"#, "[".repeat(110), "]".repeat(110));
    let good = study("MGYS1").to_string();
    let control = study("MGYS\u{1}").to_string();
    let lines = [
        &*good,
        r#"{"accession": "MGYS2", "tit"#,
        "",
        "[1]",
        r#"{"title": "x"}"#,
        r#"{"accession": ""}"#,
        &control,
        &deep,
        "{\"accession\": \"MGYS3\"}",
    ];
    harvest.write("v2/studies.jsonl", lines.join("\n"));
    harvest.write_documents("analysis-annotations", &[json!({"annotations": {}})]);
    let output = acknowledged(&mut harvest.command(&[]));
    let (folder, _) = harvest.published(&output);
    let report = harvest.report_of(&output);
    assert_eq!((&report["num_accepted"], &report["num_rejected"]), (&json!(2), &json!(7)));
    let rejects = fs::read_to_string(folder.join("rejects.tsv")).expect("rejects");
    for (file, line, reason) in [
        ("studies", 2, "unreadable_json"),
        ("studies", 4, "not_a_resource"),
        ("studies", 5, "bad_id"),
        ("studies", 6, "bad_id"),
        ("studies", 7, "bad_id"),
        ("studies", 8, "bad_document"),
        ("analysis-annotations", 1, "bad_id"),
    ] {
        let is_it = |text: &str| text.contains(&format!("{file}.jsonl\t{line}\t")) && text.contains(reason);
        assert!(rejects.lines().any(is_it), "{file} {line}\n{rejects}");
    }
    assert!(harvest.row("studies", "MGYS3").is_some());
    let message = refused(harvest.command(&[]).args(["--max-rejects", "6"]));
    assert!(message.contains("rejects"), "{message}");
}

#[test]
fn invalid_references_are_ignored() {
    let harvest = Harvest::new();
    let bad = json!({"study_accession": "MGYS\u{1}", "sample_accession": "x".repeat(2000), "experiment_type": null});
    harvest.write_documents("runs", &[with(run("ERR1"), bad)]);
    assert_eq!(harvest.load_with(&[])["missing"], json!({}));
    let run = harvest.row("runs", "ERR1").expect("loaded");
    assert_eq!((named(&run, "study"), named(&run, "sample")), (vec![], vec![]));
}

#[test]
fn misplaced_documents_are_counted_and_named() {
    let harvest = Harvest::new();
    harvest.write_documents("studies", &[study("MGYS1")]);
    let nameless = json!({"run": {"accession": null, "experiment_type": "Amplicon"}, "sample": {"accession": null, "ena_accessions": []}});
    harvest.write_documents("analyses", &[with(analysis("MGYA1"), nameless)]);
    harvest.write_documents("analysis-annotations", &[json!({"accession": "MGYA1"}), json!({"accession": "MGYA9"})]);
    harvest.write_documents("genome-annotations", &[json!({"accession": "MGYG9"})]);
    harvest.write_documents("assembly-runs", &[json!({"assembly": "ERZ9", "runs": ["ERR9"]})]);
    harvest.write_documents(
        "study-features",
        &[
            json!({"accession": "MGYS1", "has_analyses_from_pipeline": []}),
            json!({"accession": "MGYS9", "has_analyses_from_pipeline": ["V5"]}),
        ],
    );
    harvest.write("v2/notes.txt", "");
    harvest.write("v2/studies.jsonl.md5", "");
    harvest.write("v2/more/studies.jsonl", "");
    // The harvester's own.
    harvest.write("v2/harvest.contents.jsonl.gz", "no gzip");
    harvest.write("v2/harvest.unfinished/studies.jsonl", "");
    let report = harvest.load_with(&[]);
    assert_eq!((&report["num_documents_without_row"], &report["num_documents_combined"]), (&json!(4), &json!(1)));
    assert_eq!(report["stored"]["@analysis-annotations"], 1);
    let warnings: Vec<&str> = report["warnings"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(
        warnings,
        [
            "not read, since these are not names of document files: more, notes.txt, studies.jsonl.md5",
            "left out: 4 documents of resources that were not loaded, such as assemblies ERZ9, studies MGYS9, analysis-jobs MGYA9, genomes MGYG9",
            "left out: 2 embedded objects without an accession, such as samples in analysis-jobs MGYA1, runs in analysis-jobs MGYA1",
        ]
    );
    // Rows have values that documents lack.
    let rows = [super::row("analysis-jobs", "MGYA9", &json!({}), &json!({}))];
    assert_eq!(harvest.load_with(&rows)["num_documents_without_row"], 3);
    assert!(harvest.row("@analysis-annotations", "MGYA9").is_some());
}

#[test]
fn folders_without_documents_are_refused_and_the_catalogue_stays() {
    let harvest = Harvest::new();
    harvest.write_documents("studies", &[study("MGYS1")]);
    harvest.load_with(&[]);
    let known = harvest.open().name();
    fs::remove_file(harvest.documents().join("studies.jsonl")).expect("written before");
    harvest.write("v2/study.jsonl", "");
    let message = refused(&mut harvest.command(&[]));
    assert!(message.contains("has no file of documents, such as studies.jsonl.gz"), "{message}");
    // Cut off in the middle of a line, and of a compressed file.
    harvest.write("v2/studies.jsonl", &study("MGYS2").to_string()[..40]);
    let message = refused(&mut harvest.command(&[]));
    assert!(message.contains("studies.jsonl") && message.contains("cut off"), "{message}");
    let whole = fs::read(support::data("catalogue-v2/documents/studies.jsonl.gz")).expect("bundled");
    harvest.write("v2/studies.jsonl", &whole[..whole.len() / 2]);
    let message = refused(&mut harvest.command(&[]));
    assert!(message.contains("studies.jsonl"), "{message}");
    assert_eq!((harvest.open().name(), harvest.leftovers()), (known, Vec::<String>::new()));
}
