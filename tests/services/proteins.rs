//! The promises of the protein service, over the real router and real stores.

mod accessions;
mod cited;
mod conditional;
mod documentation;
mod documented;
mod health;
mod limits;
mod parameters;
mod records;
mod refget;
mod replacements;
mod searches;
pub(crate) mod v2;

use api::Api;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{Answer, TestFolder, data_text, encoded, get_protein};

const MARINE: &str = "root:Environmental:Aquatic:Marine";
const OCEANIC: &str = "root:Environmental:Aquatic:Marine:Oceanic";

/// Returns a row of the portal's export.
pub(crate) fn row(number: u64, full_length: &str, cluster_size: u64, metadata: &Value) -> String {
    format!("{number},MKVLAA,{full_length},{cluster_size},\"{}\"\n", metadata.to_string().replace('"', "\"\""))
}

/// Returns the id of a biome of the bundled table.
fn biome_id(lineage: &str) -> i64 {
    let table = data_text("proteins/biomes_id_lineage.tsv");
    let line = table.lines().find(|line| line.ends_with(&format!("\t{lineage}"))).expect(lineage);
    line.split('\t').next().and_then(|id| id.parse().ok()).expect("a number")
}

/// Returns proteins of each `full_length`, in biomes above, below and next to each other, with and
/// without a family.
fn rows() -> String {
    [
        row(12, "true", 7, &json!({"b": [[132, 2]], "p": [["PF00005", 1e-9, 40.5, 1, 9, 2, 6]]})),
        row(13, "false", 1, &json!({"b": [[biome_id(OCEANIC), 1], [62, 1]]})),
        row(14, "", 1, &json!({})),
        row(15, "true", 2, &json!({"b": [[62, 5]], "p": [["PF04659", 1e-9, 40.5, 1, 9, 2, 6]]})),
        row(899_999_999_999, "true", 1, &json!({"b": [[492, 1]]})),
    ]
    .concat()
}

/// Makes an index of [`rows`] with replaced accessions.
pub(crate) fn folder_with_replacements(table: &str) -> TestFolder {
    let folder = TestFolder::empty();
    let mut plan = folder.plan(vec![folder.input("rows.csv", rows())]);
    plan.superseded = Some(folder.input("superseded.tsv", table));
    plan.run().expect("well formed");
    folder
}

/// Returns the text of an error, after checking its shape.
fn detail(answer: &Answer, status: StatusCode) -> String {
    assert_eq!(answer.status, status, "{:?}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.header("content-type"), "application/json");
    let body = answer.json();
    assert_eq!(body.as_object().expect("an object").len(), 1, "{body}");
    body["detail"].as_str().expect("a text").to_owned()
}

/// Returns the path of a search below the prefix, with its lineage escaped.
fn lineage_search(lineage: &str) -> String {
    format!("/protein/search?biome_lineage={}", encoded(lineage))
}

/// Returns the accessions that a search finds, without prefix and padding.
async fn found(router: &Api, path: &str) -> Vec<u64> {
    let mgyps = get_protein(router, path).await.mgyps();
    mgyps.iter().map(|mgyp| mgyp.trim_start_matches("MGYP").parse().expect("a number")).collect()
}
