//! Real clients, pointed at the binary: `jsonapi-client` as notebooks and scripts use it, and
//! generic clients of JSON:API.
//!
//! They are in a virtual environment that `tests/python/setup` makes, and in a folder that
//! `tests/node/setup` makes, once.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use support::machine::Server;
use support::{TestFolder, data, data_text, needed_program, needed_python};
use tempfile::TempDir;

/// The collections with the numbers of their resources. The root biome is not listed.
const COLLECTIONS: [(&str, usize); 6] =
    [("biomes", 490), ("studies", 125), ("samples", 9_159), ("assemblies", 13), ("pipeline-tools", 25), ("cogs", 26)];

/// Loads the bundled resources into a data folder.
fn load(folder: &Path) {
    let mut load = support::program();
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(folder);
    load.args(COLLECTIONS.map(|(name, _)| data(&format!("catalogue/collections/{name}.jsonl.gz"))));
    let output = load.output().expect("the binary");
    assert!(output.status.success(), "{output:?}");
}

/// Returns the bundled resources of a collection.
fn resources(collection: &str) -> Vec<Value> {
    let text = data_text(&format!("catalogue/collections/{collection}.jsonl.gz"));
    text.lines().map(|line| serde_json::from_str(line).expect("a resource")).collect()
}

/// Returns the texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

/// Returns the ids that a resource names in a relationship.
fn named<'a>(resource: &'a Value, relationship: &str) -> Vec<&'a str> {
    let data = resource["relationships"][relationship]["data"].as_array().expect("a list");
    data.iter().map(|entry| entry["id"].as_str().expect("a text")).collect()
}

/// Returns the value of a metadata entry as a number.
fn temperatures(sample: &Value) -> impl Iterator<Item = f64> {
    let entries = sample["attributes"]["sample-metadata"].as_array().expect("a list");
    let values =
        entries.iter().filter(|entry| entry["key"] == "temperature").filter_map(|entry| entry["value"].as_str());
    values.filter_map(|value| value.trim().parse().ok())
}

/// Runs a script over the catalogue of a server, and returns the JSON that it prints.
fn run(interpreter: &Path, script: &str, server: &Server) -> Value {
    run_at(interpreter, script, server, "/metagenomics/api/v1")
}

fn run_at(interpreter: &Path, script: &str, server: &Server, path: &str) -> Value {
    let url = format!("http://{}{path}", server.address());
    let output = Command::new(interpreter).arg(support::project(script)).arg(url).output().expect("an interpreter");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn jsonapi_client_walks_follows_filters_and_includes() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let folder = TempDir::new().expect("a temporary folder");
    load(folder.path());
    let server = Server::start(folder.path());
    let seen = run(&python, "tests/tiers/clients/scripts/walk.py", &server);

    for (collection, num_resources) in COLLECTIONS {
        let walked = texts(&seen["walk"][collection]);
        let given: Vec<Value> = resources(collection);
        let given: Vec<&str> = given.iter().map(|resource| resource["id"].as_str().expect("a text")).collect();
        assert_eq!(walked.len(), num_resources, "{collection}");
        // The bundled files are in the order of the real service's pages.
        assert_eq!(walked, given, "{collection}");
    }
    assert_eq!(seen["default_pages"], seen["walk"]["studies"]);

    let (studies, samples) = (resources("studies"), resources("samples"));
    let related = &seen["relationships"];
    let of_study = samples.iter().filter(|sample| named(sample, "studies").contains(&"MGYS00000257"));
    let of_study: BTreeSet<&str> = of_study.map(|sample| sample["id"].as_str().expect("a text")).collect();
    assert_eq!(texts(&related["samples"]).into_iter().collect::<BTreeSet<_>>(), of_study);
    let study = studies.iter().find(|study| study["id"] == "MGYS00000257").expect("bundled");
    assert_eq!(texts(&related["biomes"]), named(study, "biomes"));
    let sample = samples.iter().find(|sample| sample["id"] == "ERS074453").expect("bundled");
    assert_eq!(texts(&related["studies_of_sample"]), named(sample, "studies"));
    assert_eq!(related["biome_of_sample"], sample["relationships"]["biome"]["data"]["id"]);
    assert_eq!(related["assembly"], "ERZ477906");
    assert_eq!(texts(&related["samples_of_assembly"]), ["SRS429584"]);

    let filtered = &seen["filters"];
    let is_marine = |lineage: &str| lineage.starts_with("root:Environmental:Aquatic:Marine");
    let marine = samples
        .iter()
        .filter(|sample| is_marine(sample["relationships"]["biome"]["data"]["id"].as_str().expect("a text")));
    let marine: Vec<&str> = marine.map(|sample| sample["id"].as_str().expect("a text")).collect();
    assert_eq!(texts(&filtered["lineage"]), marine);
    let warm = samples.iter().filter(|sample| temperatures(sample).any(|value| (10.0..=20.0).contains(&value)));
    assert_eq!(filtered["metadata"].as_array().expect("a list").len(), warm.count());
    let within = |sample: &&Value| {
        let attribute = |name: &str| sample["attributes"][name].as_f64();
        attribute("latitude").is_some_and(|value| value >= 60.0)
            && attribute("longitude").is_some_and(|value| value <= 30.0)
    };
    assert_eq!(filtered["place"].as_array().expect("a list").len(), samples.iter().filter(within).count());
    let ordered = texts(&filtered["ordered"]);
    assert!(!ordered.is_empty() && ordered.is_sorted());

    assert_eq!(seen["inclusions"]["included"], seen["inclusions"]["named"]);
    let problem = seen["problem"].as_str().expect("an error");
    assert!(problem.contains("404") && problem.contains("Not Found"), "{problem}");
}

#[test]
fn jsonapi_client_walks_documents_of_version_2() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let folder = TempDir::new().expect("a temporary folder");
    let mut load = support::program();
    load.args(["catalogue", "load", "--quiet", "--data"])
        .arg(folder.path())
        .arg("--v2")
        .arg(data("catalogue-v2/documents"));
    assert!(load.output().expect("the binary").status.success());
    let server = Server::start(folder.path());
    let seen = run(&python, "tests/tiers/clients/scripts/harvested.py", &server);
    let documents = |kind: &str| -> Vec<Value> {
        let text = data_text(&format!("catalogue-v2/documents/{kind}.jsonl.gz"));
        text.lines().map(|line| serde_json::from_str(line).expect("a document")).collect()
    };
    for (collection, kind) in [
        ("studies", "studies"),
        ("runs", "runs"),
        ("assemblies", "assemblies"),
        ("analyses", "analyses"),
        ("genomes", "genomes"),
    ] {
        let walked: BTreeSet<&str> = texts(&seen["walk"][collection]).into_iter().collect();
        let documents = documents(kind);
        let given = documents.iter().map(|document| document["accession"].as_str().expect("a text"));
        assert_eq!(walked, given.collect(), "{collection}");
    }
    assert_eq!(texts(&seen["walk"]["samples"]).into_iter().collect::<BTreeSet<_>>().len(), documents("samples").len());
    assert_eq!(texts(&seen["walk"]["pipelines"]), ["1.0", "2.0", "3.0", "4.0", "6.0", "6.1"]);
    let related = &seen["relationships"];
    assert_eq!(
        (&related["study_of_run"], &related["sample_of_run"]),
        (&json!("MGYS00002072"), &related["sample_of_analysis"])
    );
    assert_eq!(related["absent_assembly"], Value::Null);
    assert_eq!(texts(&related["runs_of_assembly"]), ["ERR9990001", "ERR9990002"]);
    assert_eq!(texts(&related["assemblies_of_run"]), ["ERZ9990001"]);
    assert_eq!(texts(&related["pipelines_of_run"]), ["6.0"]);
    let of_study =
        documents("samples").iter().filter(|sample| sample["studies"][0]["accession"] == "MGYS00000283").count();
    assert_eq!(related["samples_of_study"].as_array().map(Vec::len), Some(of_study));
    assert_eq!(texts(&related["biomes_of_samples"]), ["root:Environmental:Terrestrial:Soil:Grasslands"]);
    assert!(
        texts(&seen["filters"]["lineage"]).len() > 100 && seen["inclusions"]["included"] == seen["inclusions"]["named"]
    );
}

#[test]
fn refget_client_gets_sequences_by_all_their_names() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    // The sequences of the specification's examples.
    let (acgt, ranged) = ("ACGT", "CAACAGAGACTGCTGCTGACAGTGGGCGGGGGAGTAGTTTGCTTGGCCCGTGGTTGAGGA");
    let folder =
        TestFolder::with_checksums(&format!("12,{acgt},true,1,{{}}\n13,{ranged},true,1,{{}}\n14,{acgt},true,1,{{}}\n"));
    let server = Server::start(folder.path());
    let seen =
        run_at(&python, "tests/tiers/clients/scripts/refget_client.py", &server, "/metagenomics/proteins/refget");
    assert_eq!(seen["sequences"], json!([acgt, acgt, acgt, acgt, acgt, ranged]));
    assert_eq!(seen["own_digests"], json!([acgt, acgt]), "as the client makes them");
    assert_eq!(seen["part"], "GAGACTGCTG");
    let metadata = &seen["metadata"];
    assert_eq!(
        (&metadata["length"], &metadata["ga4gh"]),
        (&json!(4), &json!("ga4gh:SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2"))
    );
    assert_eq!(metadata["aliases"].as_array().map(Vec::len), Some(2));
    assert_eq!(seen["algorithms"], json!(["md5", "ga4gh"]));
    assert!(seen["unknown"].as_str().is_some_and(|problem| problem.contains("404")), "{}", seen["unknown"]);
    assert!(seen["shown"].as_str().is_some_and(|text| text.contains("mgdex.refget")), "{}", seen["shown"]);
}

#[test]
fn generic_clients_get_the_requested_resources() {
    let Some(python) = needed_python("tests/python/requirements.txt") else { return };
    let (Some(_), Some(node)) = (needed_program("npm", "npm"), needed_program("node", "nodejs")) else { return };
    let made = Command::new(support::project("tests/node/setup")).output().expect("a script");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let folder = TempDir::new().expect("a temporary folder");
    load(folder.path());
    let server = Server::start(folder.path());
    let mut seen = run(&python, "tests/tiers/clients/scripts/ask.py", &server);
    let of_node = run(&node, "target/test-node/ask.mjs", &server);
    let all = seen.as_object_mut().expect("an object");
    all.extend(of_node.as_object().expect("an object").clone());

    let is_environmental = |study: &&Value| {
        let is_within = |lineage: &str| lineage == "root:Environmental" || lineage.starts_with("root:Environmental:");
        named(study, "biomes").into_iter().any(is_within)
    };
    let (studies, samples) = (resources("studies"), resources("samples"));
    let mut environmental: Vec<&Value> = studies.iter().filter(is_environmental).collect();
    environmental.sort_by_key(|study| std::cmp::Reverse(study["attributes"]["study-name"].as_str().expect("a text")));
    let page = &environmental[5..10];
    let mut of_study: Vec<&str> = samples
        .iter()
        .filter(|sample| named(sample, "studies").contains(&"MGYS00000257"))
        .map(|sample| sample["id"].as_str().expect("a text"))
        .collect();
    of_study.sort_unstable();
    let ids: Vec<&str> = page.iter().map(|study| study["id"].as_str().expect("a text")).collect();
    assert_eq!(all.len(), 5);
    for (client, seen) in all {
        assert_eq!(texts(&seen["studies"]), ids, "{client}");
        let biomes: BTreeSet<&str> = texts(&seen["biomes"]).into_iter().collect();
        assert_eq!(biomes, named(page[0], "biomes").into_iter().collect(), "{client}");
        assert_ne!(seen["attributes"], true, "{client} has attributes that it did not ask for");
        assert_eq!(seen["count"], environmental.len(), "{client}");
        assert_eq!(texts(&seen["samples"]), of_study, "{client}");
        assert_eq!(seen["study"], "MGYS00000257", "{client}");
    }
}
