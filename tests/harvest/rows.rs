//! Harvests of version 1, which answer like the server that they came from.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use support::{TestFolder, data, data_text, program};
use tempfile::TempDir;

use super::answers::Paths;
use super::documents::{LARGE, SMALL, Source};
use super::server::{FaultyServer, Plan};
use super::{files, harvest, succeed};

const V1: &str = "/metagenomics/api/v1";

/// The collections, and the lists of single resources.
const COLLECTIONS: [(&str, &[&str]); 11] = [
    ("biomes", &["studies", "samples", "children"]),
    ("studies", &["samples", "publications", "analyses", "biomes"]),
    ("samples", &["studies", "runs"]),
    ("runs", &["analyses", "assemblies"]),
    ("assemblies", &["samples", "runs", "analyses"]),
    ("analyses", &[]),
    ("publications", &["studies", "samples"]),
    ("pipelines", &["samples", "tools", "analyses"]),
    ("pipeline-tools", &[]),
    ("experiment-types", &["runs"]),
    ("cogs", &[]),
];

/// Returns whether a resource is of some studies, or of none.
fn is_wanted(resource: &Value) -> bool {
    let relation = |name: &str| match &resource["relationships"][name]["data"] {
        Value::Array(named) => named.clone(),
        named if named.is_object() => vec![named.clone()],
        _ => Vec::new(),
    };
    let studies = [relation("study"), relation("studies")].concat();
    let own = (resource["type"] == "studies").then(|| resource.clone());
    let mut studies = studies.iter().chain(&own).map(|study| study["id"].as_str().expect("a text")).peekable();
    studies.peek().is_none() || studies.any(|study| SMALL.contains(&study) || study == LARGE[0])
}

/// Loads the files of a folder.
fn loaded(inputs: &Path) -> Source {
    let folder = TestFolder::empty();
    let mut load = program();
    load.args(["catalogue", "load", "--quiet", "--max-rejects", "0", "--data"]).arg(folder.path()).arg(inputs);
    load.arg("--links").arg(data("catalogue/links/study-publications.jsonl.gz"));
    succeed(&mut load);
    Source::over(folder)
}

#[test]
fn a_harvest_of_version_1_answers_like_the_server() {
    let inputs = TempDir::new().expect("a temporary folder");
    let mut ids = BTreeMap::new();
    for (collection, _) in COLLECTIONS {
        let text = data_text(&format!("catalogue/collections/{collection}.jsonl.gz"));
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a resource"));
        let rows: Vec<Value> = rows.filter(is_wanted).collect();
        let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
        std::fs::write(inputs.path().join(format!("{collection}.jsonl")), lines.join("\n")).expect("writable");
        ids.insert(
            collection,
            rows.iter().map(|row| row["id"].as_str().expect("a text").to_owned()).collect::<Vec<_>>(),
        );
    }
    let source = loaded(inputs.path());
    let server = FaultyServer::over(V1, &source, Plan { passing: 9, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    let data = TestFolder::empty();
    let load = ["--api", "v1", "--load", "--data", data.path().to_str().expect("text")];
    succeed(&mut harvest(&server.url(), folder.path(), &load));
    let num_asked = server.take().len();
    let (since, again) = (folder.path().to_str().expect("text"), TempDir::new().expect("a temporary folder"));
    succeed(&mut harvest(&server.url(), again.path(), &["--api", "v1", "--since", since]));
    assert_eq!(files(again.path()), files(folder.path()));
    assert!(server.take().len() < num_asked);

    let mut paths = Paths::default();
    for (collection, relations) in COLLECTIONS {
        paths.lists.push(format!("/{collection}?"));
        for id in ids[collection].iter().step_by(if collection == "biomes" { 10 } else { 1 }) {
            let id = id.replace(' ', "%20");
            paths.others.push(format!("/{collection}/{id}"));
            paths.lists.extend(relations.iter().map(|relation| format!("/{collection}/{id}/{relation}?")));
        }
    }
    assert_eq!(paths.differences(V1, &source.router, &data.router()), [""; 0]);
}
