//! The promises of the second version: queries, pages, streams and records.

mod across;
mod chosen;
pub(crate) mod contigs;
mod counted;
mod documentation;
mod members;
mod model;
mod near;
pub(crate) mod neighbourhood;
mod own;
mod pages;
mod parameters;
mod posted;
mod records;
mod resolving;
mod sequences;
mod streams;
mod suggesting;
mod tables;

use std::time::Duration;

use api::Api;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{Answer, PROTEINS_V2, TestFolder, get};

use crate::services::proteins::{OCEANIC, biome_id, row};

/// Returns proteins that differ in all fields of queries.
fn rows() -> String {
    let hit = |family: &str| json!([family, 1e-9, 40.5, 1, 9, 2, 6]);
    let study = |assembly: u64| json!([[108_403, [[assembly, [[1, 2, 178, -1]]]]]]);
    let marine = json!({"b": [[132, 2]], "p": [hit("PF00005")], "s": study(534_239)});
    let sludge = json!({"b": [[62, 5]], "p": [hit("PF00005"), hit("PF04659")], "s": study(534_240)});
    [
        row(12, "true", 7, &marine),
        row(13, "false", 1, &json!({"b": [[biome_id(OCEANIC), 1]], "p": [hit("PF00664")]}))
            .replace("AA", &"AA".repeat(28)),
        row(14, "", 1, &json!({})),
        row(15, "true", 20, &sludge).replace("AA", &"AA".repeat(63)),
        row(16, "false", 2, &json!({"b": [[62, 1]]})),
    ]
    .concat()
}

fn router_of_rows() -> (TestFolder, Api) {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    (folder, router)
}

/// Returns the same with a catalogue, which has the study of the proteins and one of the assemblies
/// under further accessions.
fn router_with_catalogue() -> (TestFolder, Api) {
    let folder = TestFolder::of_rows(&rows());
    let study = |id: &str, secondary: &str, bioproject: &str, name: &str| {
        let attributes = json!({
            "accession": id, "secondary-accession": secondary, "bioproject": bioproject, "study-name": name,
            "study-abstract": "Samples of the deep sea.",
        });
        json!({"type": "studies", "id": id, "attributes": attributes})
    };
    let attributes = json!({"accession": "ERZ534239", "wgs-accession": "OCVV01", "legacy-accession": "GCA_900230545"});
    folder.publish_resources([
        study("MGYS00002008", "ERP108403", "PRJEB22493", "Marine sediment metagenomes"),
        study("MGYS00002009", "SRP062418", "PRJNA292800", "Oral microbiome, marine mammals"),
        json!({"type": "assemblies", "id": "ERZ534239", "attributes": attributes}),
    ]);
    let router = folder.router();
    (folder, router)
}

/// Returns the path of a search with parameters.
fn search(parameters: &[(&str, &str)]) -> String {
    let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    format!("{PROTEINS_V2}/proteins?{text}")
}

/// Sends a request below the prefix.
async fn ask(router: &Api, path: &str) -> Answer {
    get(router, &format!("{PROTEINS_V2}{path}")).await
}

/// Returns the problems of a refused request.
async fn problems(router: &Api, path: &str) -> Vec<Value> {
    let answer = get(router, path).await.checked(422, path);
    answer.json()["detail"].as_array().expect("a list").clone()
}

/// Repeats a request until there is room for it.
async fn when_free(router: &Api, path: &str) -> Answer {
    loop {
        let answer = get(router, path).await;
        if answer.status == StatusCode::OK {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Returns a page, after checking its shape.
async fn page(router: &Api, path: &str) -> Value {
    let answer = get(router, path).await.checked(200, path);
    assert_eq!(answer.header("content-type"), "application/json", "{path}");
    assert!(!answer.text().contains("mgyp"), "{path}: {}", answer.text());
    let page = answer.json();
    assert_eq!(page.as_object().expect("an object").keys().collect::<Vec<_>>(), ["results", "total", "next"], "{path}");
    let link = page["next"].as_str().map(|next| format!("<{next}>; rel=\"next\"")).unwrap_or_default();
    assert_eq!(answer.header("link"), link, "{path}");
    page
}

/// Returns the numbers of the accessions of a page.
fn numbers(page: &Value) -> Vec<u64> {
    let results = page["results"].as_array().expect("a list").iter();
    results.map(|result| number(result["accession"].as_str().expect("a text"))).collect()
}

fn number(accession: &str) -> u64 {
    accession.strip_prefix("MGYP").and_then(|digits| digits.parse().ok()).expect("an accession")
}

/// Returns the path of the next page of a router without a public address.
fn next_of(page: &Value) -> Option<&str> {
    page["next"].as_str().map(|next| next.strip_prefix("http://mgdex.test").expect("absolute"))
}
