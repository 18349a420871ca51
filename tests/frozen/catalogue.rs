//! A catalogue that was built once and must open as long as its format is supported.
//!
//! `frozen/catalogue/v6` is a data folder as `frozen/catalogue/regenerate.sh` has built it of
//! `frozen/catalogue/inputs`, which are some of the bundled resources, in the order of their
//! collections, of `further` and of `links.jsonl`; `v6-documents` is another one, of `documents`,
//! some of the bundled documents of version 2. If a test here fails, the program has to change, not
//! the catalogue.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use api::Api;
use axum::http::StatusCode;
use serde_json::Value;
use store_catalogue::CatalogueGeneration;
use support::profile_writers::copy_folder;
use support::{TestFolder, get};

/// The collections.
const COLLECTIONS: [&str; 6] = ["biomes", "studies", "samples", "assemblies", "pipeline-tools", "cogs"];

/// Returns a path of the frozen catalogue.
fn frozen(name: &str) -> PathBuf {
    support::project("tests/frozen/catalogue").join(name)
}

/// Returns the resources that the catalogue was built of, as this server links.
fn inputs(collection: &str) -> Vec<Value> {
    inputs_of(&format!("inputs/{collection}"))
}

/// Returns the resources of a file.
fn inputs_of(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(frozen(&format!("{file}.jsonl"))).expect("committed");
    let text = text.replace("{base_url}", "http://mgdex.test");
    text.lines().map(|line| serde_json::from_str(line).expect("a resource")).collect()
}

/// Asks for a list, and returns its resources.
async fn list(router: &Api, path: &str) -> Vec<Value> {
    let answer = get(router, &format!("/metagenomics/api/v1/{path}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {:?}", String::from_utf8_lossy(&answer.body));
    answer.json()["data"].as_array().expect("a list").clone()
}

/// Returns the lineage of a sample.
fn lineage(sample: &Value) -> &str {
    sample["relationships"]["biome"]["data"]["id"].as_str().expect("a text")
}

/// Returns the router of a server over a copy of the frozen catalogue, which is whole: the engine
/// of the resources writes into it when it opens them.
fn router_over(folder: &TestFolder) -> Api {
    router_over_copy(folder, "v6")
}

fn router_over_copy(folder: &TestFolder, name: &str) -> Api {
    let generations = store::Generations::new(folder.path().join("catalogue"));
    copy_folder(&frozen(name).join("catalogue"), generations.root());
    let name = generations.current().expect("readable").expect("committed");
    CatalogueGeneration::verify_published(&generations, name).expect("whole");
    folder.router()
}

#[tokio::test]
async fn frozen_catalogues_answer_phrases_relevance_orders_and_links() {
    let folder = TestFolder::empty();
    let router = router_over(&folder);
    for query in ["search=%22metagenome%20sample%22", "search=soil&ordering=relevance"] {
        let path = format!("/metagenomics/api/v1/samples?{query}");
        assert_eq!(get(&router, &path).await.status, StatusCode::OK, "{query}");
    }
    let runs = inputs_of("further/runs");
    let mut ids: Vec<&str> = runs.iter().map(|run| run["id"].as_str().expect("a text")).collect();
    ids.sort_unstable();
    let ordered = list(&router, "runs?ordering=accession&page_size=250").await;
    assert_eq!(ordered.iter().map(|run| run["id"].as_str().expect("a text")).collect::<Vec<_>>(), ids);
    assert_eq!(list(&router, "analyses?page_size=250").await.len(), inputs_of("further/analyses").len());
    let link = &inputs_of("links")[0];
    let path = format!("studies/{}/publications", link["id"].as_str().expect("a text"));
    let named = link["relationships"]["publications"]["data"].as_array().expect("a list").len();
    assert_eq!(list(&router, &path).await.len(), named);
}

#[tokio::test]
async fn frozen_catalogues_answer_as_their_inputs() {
    let folder = TestFolder::empty();
    let router = router_over(&folder);
    for collection in COLLECTIONS {
        assert_eq!(list(&router, &format!("{collection}?page_size=250")).await, inputs(collection), "{collection}");
    }
    let samples = inputs("samples");
    let mut by_accession: BTreeMap<&str, &Value> = BTreeMap::new();
    for sample in &samples {
        by_accession.insert(sample["id"].as_str().expect("a text"), sample);
    }
    let ordered: Vec<Value> = by_accession.values().rev().copied().cloned().collect();
    assert_eq!(list(&router, "samples?ordering=-accession&page_size=250").await, ordered);
    for ancestor in ["root:Engineered", "root:Environmental", "root:Host-associated:Human"] {
        let is_within =
            |sample: &&Value| lineage(sample) == ancestor || lineage(sample).starts_with(&format!("{ancestor}:"));
        let within: Vec<Value> = samples.iter().filter(is_within).cloned().collect();
        assert_eq!(list(&router, &format!("samples?lineage={ancestor}&page_size=250")).await, within, "{ancestor}");
    }
    for sample in &samples {
        let biosample = sample["attributes"]["biosample"].as_str().expect("a text");
        assert_eq!(
            list(&router, &format!("samples?search={biosample}")).await,
            std::slice::from_ref(sample),
            "{biosample}"
        );
    }
}

#[tokio::test]
async fn frozen_documents_are_returned_unchanged() {
    let folder = TestFolder::empty();
    let router = router_over_copy(&folder, "v6-documents");
    for (file, path, key) in [
        ("studies", "studies", "accession"),
        ("assemblies", "assemblies", "accession"),
        ("genome-catalogues", "genomes/catalogues", "catalogue_id"),
    ] {
        for document in inputs_of(&format!("documents/{file}")) {
            let answer =
                get(&router, &format!("/metagenomics/api/v2/{path}/{}", document[key].as_str().expect("a text"))).await;
            assert_eq!(answer.json(), document, "{path}");
        }
    }
    let analysis = get(&router, "/metagenomics/api/v2/analyses/MGYA09000001/annotations").await.json();
    let annotations = inputs_of("documents/analysis-annotations");
    let annotations = annotations.iter().find(|annotations| annotations["accession"] == "MGYA09000001").expect("there");
    assert_eq!(analysis["annotations"], annotations["annotations"]);
    let biomes = get(&router, "/metagenomics/api/v2/biomes/").await.json();
    // Others, which are embedded in documents, follow them.
    assert!(biomes["items"].as_array().expect("a list").starts_with(&inputs_of("documents/biomes")));
    let links = get(&router, "/metagenomics/api/v2/assemblies/ERZ9990001/genome-links").await.json();
    assert_eq!(links["items"], inputs_of("documents/assembly-genome-links")[0]["items"]);
    assert_eq!(list(&router, "studies").await.len(), inputs_of("documents/studies").len());
}
