//! Tables of one's own samples and studies, added to a catalogue.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use store_catalogue::{Condition, Selection};

use crate::loading::catalogue::rejects::listed;
use crate::loading::catalogue::{Folder, acknowledged, refused, resource, resources, selected};

/// A catalogue with two biomes, a study and a sample of the public service.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.load_lines(&[
        r#"{"type": "biomes", "id": "root:Environmental", "attributes": {"lineage": "root:Environmental"}}"#,
        r#"{"type": "biomes", "id": "root:Environmental:Terrestrial:Soil", "attributes": {"lineage": "root:Environmental:Terrestrial:Soil"}}"#,
        r#"{"type": "studies", "id": "MGYS00000001", "attributes": {"secondary-accession": "ERP1", "last-update": "2019-01-01T00:00:00"}}"#,
        r#"{"type": "samples", "id": "ERS1", "attributes": {"last-update": "2019-01-01T00:00:00", "sample-name": "public"}}"#,
    ]);
    folder
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

fn add_table(folder: &Folder, table: &std::path::Path, of_type: &str) -> std::process::Command {
    let mut command = folder.change("add", Vec::<&str>::new());
    command.arg("--table").arg(table).args(["--type", of_type]);
    command
}

#[test]
fn rows_become_samples_like_those_of_the_public_service() {
    let folder = folder();
    let table = "\u{feff}accession\tSample name\tlatitude\tlongitude\tbiome\tstudy\tcollection_date\thost-tax-id\tdepth (m)\tpH\n\
                 soilA_1\tfirst \"one\"\t46.5\t-7.25\troot:Environmental:Terrestrial:Soil\tERP1; lab-1\t2026-05\t9606\t0.1\t6.8\r\n\
                 \n\
                 soilA_2\tsecond\t\t\t\t\t\t\t\t\n";
    let table = folder.write("soil, both sites.tsv.gz", gzip(table));
    let report = folder.report_of(&acknowledged(&mut add_table(&folder, &table, "samples")));
    assert_eq!((&report["num_read"], &report["stored"]["samples"]), (&json!(2), &json!(3)));
    assert_eq!(report["files"][0]["kind"], "table");
    let generation = folder.open();
    let found = resource(&generation, "samples", "soilA_1").expect("added");
    let base = "http://me/metagenomics/api/v1";
    let study = |id: &str| json!({"type": "studies", "id": id, "links": {"self": format!("{base}/studies/{id}")}});
    let soil = "root:Environmental:Terrestrial:Soil";
    assert_eq!(
        found,
        json!({"type": "samples", "id": "soilA_1", "attributes": {
            "longitude": -7.25, "biosample": null, "latitude": 46.5, "analysis-completed": null, "collection-date": "2026-05",
            "geo-loc-name": null, "sample-desc": null, "environment-biome": null, "environment-feature": null,
            "environment-material": null, "sample-name": "first \"one\"", "sample-alias": null, "host-tax-id": 9606, "species": null,
            "last-update": null, "accession": "soilA_1",
            "sample-metadata": [{"key": "depth", "value": "0.1", "unit": "m"}, {"key": "pH", "value": "6.8", "unit": null}]
        }, "relationships": {
            "studies": {"links": {"related": format!("{base}/samples/soilA_1/studies")}, "data": [study("MGYS00000001"), study("lab-1")]},
            "runs": {"links": {"related": format!("{base}/samples/soilA_1/runs")}},
            "biome": {"data": {"type": "biomes", "id": soil}, "links": {"related": format!("{base}/biomes/{soil}")}}
        }, "links": {"self": format!("{base}/samples/soilA_1")}})
    );
    let of = |condition| {
        let selection =
            Selection { resource_type: "samples".to_owned(), conditions: vec![condition], orders: Vec::new() };
        selected(&generation, &selection).iter().map(|found| found["id"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(of(Condition::Lineage("root:Environmental".to_owned())), ["soilA_1"]);
    assert_eq!(of(Condition::Names("studies".to_owned(), "MGYS00000001".to_owned())), ["soilA_1"]);
    let ids: Vec<_> = resources(&generation, "samples").iter().map(|found| found["id"].clone()).collect();
    assert_eq!(ids, ["ERS1", "soilA_1", "soilA_2"], "those without a last update come last");
    drop(generation);
    let mut remove = folder.change("remove", Vec::<&str>::new());
    remove.arg("--table").arg(&table).args(["--type", "samples"]);
    assert_eq!(folder.report_of(&acknowledged(&mut remove))["num_removed"], 2);
}

#[test]
fn studies_are_read_from_csv_with_quotes() {
    let folder = folder();
    let table = "accession,study_name,study-abstract,biome\nlab-1,\"Soils, wet\",\"two\nlines\",root:Environmental;root:Environmental:Terrestrial:Soil\nlab-2,other,,\n";
    let table = folder.write("studies.csv", table);
    folder.report_of(&acknowledged(&mut add_table(&folder, &table, "studies")));
    // No metadata of a study could keep them.
    let bad = folder.write(
        "bad.csv",
        "accession,samples-count,public-release-date\nlab-3,few,2026\nlab-4,5,soon\nlab-5,NA,Jul-2026\n",
    );
    let report = folder.report_of(&acknowledged(&mut add_table(&folder, &bad, "studies")));
    assert_eq!(report["files"][0]["rejected"], json!({"bad_date": 1, "bad_number": 1}));
    let found = resource(&folder.open(), "studies", "lab-1").expect("added");
    assert_eq!(found["attributes"]["study-name"], "Soils, wet");
    assert_eq!(found["attributes"]["study-abstract"], "two\nlines");
    assert_eq!((&found["attributes"]["is-private"], &found["attributes"]["bioproject"]), (&json!(false), &Value::Null));
    assert_eq!(found["relationships"]["biomes"]["data"][0]["id"], "root:Environmental");
    let other = resource(&folder.open(), "studies", "lab-2").expect("added");
    assert_eq!(other["relationships"]["biomes"]["data"], json!([]));
}

#[test]
fn bad_rows_are_named_with_their_line_and_the_others_are_added() {
    let folder = folder();
    let table = "accession\tlatitude\tbiome\tcollection-date\thost-tax-id\n\
                 a1\t90.5\t\t\t\n\
                 a2\tnorth\t\t\t\n\
                 a3\tNaN\tNA\tnot collected\tmissing: control sample\n\
                 a4\t\troot:Environmenta\t\t\n\
                 a5\t\t\t24.11.2026\t\n\
                 a6\t\t\t\t-1\n\
                 ERS2\t\t\t\t\n\
                 a 7\t\t\t\t\n\
                 a8\t\n\
                 a9\t\troot:Environmental;root:Environmental\t\t\n\
                 good\t-90\troot:Environmental\t2026\t1\n";
    let table = folder.write("samples.tsv", table);
    let report = folder.report_of(&acknowledged(&mut add_table(&folder, &table, "samples")));
    let rejected = json!({"bad_accession": 2, "bad_lineage": 1, "bad_row": 1, "unknown_biome": 1});
    assert_eq!((&report["files"][0]["rejected"], &report["num_accepted"]), (&rejected, &json!(6)));
    let noted = json!({"other_form": {"num": 4, "lines": [2, 3, 6, 7]}});
    assert_eq!(report["files"][0]["noted"], noted);
    let current = folder.generations().current().expect("readable").expect("published");
    let lines: Vec<usize> =
        listed(&folder.generations().path(current).join("rejects.tsv")).into_iter().map(|(_, line, _)| line).collect();
    assert_eq!(lines, [5, 8, 9, 10, 11]);
    let generation = folder.open();
    assert!(resource(&generation, "samples", "good").is_some());
    let kept = |key: &str, value: &str| json!([{"key": key, "value": value, "unit": null}]);
    for (accession, expected) in [
        ("a1", kept("latitude", "90.5")),
        ("a2", kept("latitude", "north")),
        ("a3", json!([])),
        ("a5", kept("collection-date", "24.11.2026")),
        ("a6", kept("host-tax-id", "-1")),
    ] {
        let attributes = &resource(&generation, "samples", accession).expect(accession)["attributes"];
        let nulls = ["latitude", "collection-date", "host-tax-id"].map(|name| attributes[name].is_null());
        assert_eq!((&attributes["sample-metadata"], nulls), (&expected, [true; 3]), "{accession}");
    }
    drop(generation);
    let message = refused(add_table(&folder, &table, "samples").arg("--strict"));
    assert!(message.contains("unknown_biome") && message.contains("did you mean root:Environmental?"), "{message}");
}

#[test]
fn implausible_headers_are_refused() {
    let folder = folder();
    for (header, of_type, expected) in [
        ("name\tlatitude", "samples", "no column is named accession"),
        ("accession\tid", "samples", "the column \"id\" occurs twice"),
        (
            "accession\tbioproject",
            "studies",
            "studies have no column \"bioproject\", only accession, biome, samples-count,",
        ),
        ("accession;latitude", "samples", "its columns are separated by semicolons"),
    ] {
        let table = folder.write("table.tsv", format!("{header}\na1\tx\n"));
        let message = refused(&mut add_table(&folder, &table, of_type));
        assert!(message.contains(expected), "{message}");
    }
    let empty = folder.write("table.tsv", "");
    assert!(refused(&mut add_table(&folder, &empty, "samples")).contains("nothing to load"));
}
