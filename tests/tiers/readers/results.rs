//! Readers of other programs get the original values from results: Python's `csv`, Biopython's
//! `SeqIO` and pyarrow's reader of JSON; and of tables pyarrow, polars and DuckDB; of points
//! geojson.
//!
//! They are in a virtual environment that `tests/python/setup` makes, once.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use support::machine::Server;
use support::{PROTEINS_V2, SAMPLE, TEXTS, TestFolder, data_text, needed_program, needed_python, program, project};

/// Proteins of several parts of a stream.
const QUERY: &str = "has:pfam AND NOT length:[* TO 20]";

const FIELDS: &str = "accession,length,full_length,cluster_size,sequence,md5,ga4gh,pfam";

const ALL_FIELDS: &str =
    "accession,length,full_length,cluster_size,sequence,md5,ga4gh,pfam,biomes,clans,studies,assemblies";

/// Returns the contents of the rows of the sample.
fn expected() -> Vec<Value> {
    let text = data_text(SAMPLE);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.expect("a row"));
    let proteins = rows.filter_map(|row| {
        let metadata: Value = serde_json::from_str(&row[4]).expect("JSON");
        let hits = metadata["p"].as_array().into_iter().flatten();
        let mut families: Vec<&str> = hits.map(|hit| hit[0].as_str().expect("a text")).collect();
        families.sort_unstable();
        families.dedup();
        let full_length = if row[2].is_empty() { Value::Null } else { json!(&row[2] == "true") };
        let protein = json!({
            "accession": format!("MGYP{:0>12}", &row[0]),
            "full_length": full_length,
            "cluster_size": row[3].parse::<u64>().expect("a number"),
            "sequence": &row[1],
            "pfam": families,
        });
        (!families.is_empty() && row[1].len() > 20).then_some(protein)
    });
    let mut proteins: Vec<Value> = proteins.collect();
    proteins.sort_by_key(|protein| protein["accession"].to_string());
    proteins
}

/// Tables and points of samples, read by polars and geojson.
#[test]
fn other_programs_read_samples() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let folder = TestFolder::empty();
    let rows: Vec<String> =
        data_text("catalogue/collections/samples.jsonl.gz").lines().step_by(3).map(str::to_owned).collect();
    let path = folder.path().join("samples.jsonl");
    fs::write(&path, rows.join("\n")).expect("writable");
    let mut load = program();
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(folder.path()).arg(&path);
    assert!(load.status().expect("the program").success());
    let server = Server::start(folder.path());
    let script = project("tests/tiers/readers/results/samples.py");
    let url = format!("http://{}/metagenomics/api/v1/samples", server.address());
    let output = Command::new(python).arg(script).arg(url).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_slice(&output.stdout).expect("JSON");

    let samples: Vec<Value> = rows.iter().map(|row| serde_json::from_str(row).expect("a sample")).collect();
    let with_temperature = |sample: &&Value| {
        let entries = sample["attributes"]["sample-metadata"].as_array().expect("a list");
        entries.iter().any(|entry| entry["key"] == "temperature" && entry["unit"] == "&deg;C")
    };
    let expected: Vec<&Value> = samples.iter().filter(with_temperature).map(|sample| &sample["id"]).collect();
    assert!(expected.len() > 50);
    for format in ["parquet", "arrow", "csv", "tsv"] {
        assert_eq!(seen[format], json!(expected), "{format}");
    }
    let place = |sample: &Value| {
        let degrees = |name: &str| sample["attributes"][name].as_f64();
        Some(json!([sample["id"], degrees("longitude")?, degrees("latitude").filter(|degrees| degrees.abs() <= 90.0)?]))
    };
    let places: Vec<Value> = samples.iter().filter_map(place).collect();
    assert!(places.len() > 300);
    assert_eq!(seen["points"], Value::Array(places));
}

/// Texts with quotes, read by the defaults of each reader.
#[test]
fn other_programs_read_texts_with_quotes() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let folder = TestFolder::of_quoted_texts();
    let path = folder.path().join("found.tsv");
    let mut search = program();
    search.args(["search", "--query", "source:mine", "--limit", "all", "--format", "tsv", "--fields"]);
    search.args(["name,description,length", "--data"]).arg(folder.path());
    assert!(search.stdout(File::create(&path).expect("writable")).status().expect("the program").success());
    let script = project("tests/tiers/readers/results/texts.py");
    let output = Command::new(python).arg(script).arg(&path).arg("description").output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for reader in ["csv", "pandas", "polars", "duckdb"] {
        assert_eq!(seen[reader], json!(TEXTS), "{reader}");
    }
}

/// The same by R, which is not in the virtual environment.
#[test]
fn r_reads_texts_with_quotes() {
    let Some(r) = needed_program("Rscript", "r-base-core") else { return };
    let folder = TestFolder::of_quoted_texts();
    let read = r#"cat(read.delim("stdin")$description, sep = "\n")"#;
    let mut search = program();
    search.args(["search", "--query", "source:mine", "--limit", "all", "--format", "tsv", "--fields"]);
    search.args(["name,description,length", "--data"]).arg(folder.path());
    let mut search = search.stdout(Stdio::piped()).spawn().expect("the program");
    let table = search.stdout.take().expect("piped");
    let read = Command::new(r).args(["-e", read]).env("LC_ALL", "C.UTF-8").stdin(table).output().expect("R");
    assert!(
        search.wait().expect("ends").success() && read.status.success(),
        "{}",
        String::from_utf8_lossy(&read.stderr)
    );
    assert_eq!(String::from_utf8(read.stdout).expect("UTF-8").lines().collect::<Vec<_>>(), TEXTS);
}

#[test]
fn other_programs_read_the_original_values() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let folder = TestFolder::of_sample();
    let results = [
        ("found.tsv", Some(FIELDS)),
        ("found.ndjson", Some(FIELDS)),
        ("found.fasta", None),
        ("whole.ndjson", Some(ALL_FIELDS)),
        ("whole.parquet", Some(ALL_FIELDS)),
        ("whole.arrow", Some(ALL_FIELDS)),
    ];
    for (name, fields) in results {
        let (_, format) = name.split_once('.').expect("an ending");
        let mut search = program();
        search.args(["search", "--query", QUERY, "--limit", "all", "--format", format, "--data"]).arg(folder.path());
        search.args(fields.into_iter().flat_map(|fields| ["--fields", fields]));
        let file = File::create(folder.path().join(name)).expect("writable");
        assert!(search.stdout(file).status().expect("the program").success(), "{name}");
    }
    let server = Server::start(folder.path());
    let script = project("tests/tiers/readers/results/read.py");
    let url = format!("http://{}{PROTEINS_V2}", server.address());
    let output = Command::new(python).arg(script).arg(folder.path()).args([&url, QUERY]).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_slice(&output.stdout).expect("JSON");

    let expected = expected();
    assert!(expected.len() > 1024);
    for format in ["tsv", "ndjson"] {
        assert_eq!(seen[format].as_array().expect("a list"), &expected, "{format}");
    }
    let tables = &seen["tables"];
    assert_eq!(tables["rows"], expected.len());
    let generation = folder.generations().current().expect("readable").expect("published");
    assert_eq!(tables["mgdex.generation"], generation.to_string());
    let without_families = expected.into_iter().map(|mut protein| {
        protein.as_object_mut().expect("an object").shift_remove("pfam");
        protein
    });
    assert_eq!(seen["fasta"], Value::Array(without_families.collect()));
}
