//! Catalogues of a few resources, and questions to them.

use api::Api;
use serde_json::{Value, json};
use support::{TestFolder, encoded, get};

pub(super) const V1: &str = "/metagenomics/api/v1";
pub(super) const V2: &str = "/metagenomics/api/v2";

pub(super) const MARINE: &str = "root:Environmental:Aquatic:Marine";

/// Makes a catalogue of some resources and a few biomes.
pub(super) fn catalogue(resources: &[Value]) -> TestFolder {
    let folder = TestFolder::empty();
    let lineages = MARINE.match_indices(':').map(|(end, _)| &MARINE[..end]).chain([MARINE]);
    let biomes = lineages.map(|lineage| json!({"type": "biomes", "id": lineage, "attributes": {"lineage": lineage}}));
    folder.publish_resources(biomes.chain(resources.iter().cloned()));
    folder
}

pub(super) fn sample(id: &str, attributes: &Value) -> Value {
    json!({"type": "samples", "id": id, "attributes": attributes})
}

pub(super) fn with_entry(id: &str, key: &str, value: &Value, unit: &Value) -> Value {
    sample(id, &json!({"sample-metadata": [{"key": key, "value": value, "unit": unit}]}))
}

pub(super) async fn ask(api: &Api, path: &str) -> Value {
    get(api, path).await.checked(200, path).json()
}

/// Returns the samples that a query of version 1 finds, in ascending order.
pub(super) async fn found(api: &Api, query: &str) -> Vec<String> {
    let answer = ask(api, &format!("{V1}/samples?strict=1&{query}")).await;
    let mut ids: Vec<String> = answer["data"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|found| found["id"].as_str().expect("an id").to_owned())
        .collect();
    ids.sort();
    ids
}

/// Returns the samples that satisfy a condition.
pub(super) async fn matching(api: &Api, condition: &str) -> Vec<String> {
    found(api, &format!("where={}", encoded(condition))).await
}

/// Returns the values of a facet with their numbers.
pub(super) async fn facet(api: &Api, by: &str) -> Vec<(String, u64)> {
    let answer = ask(api, &format!("{V1}/samples/facets?by={}", by.replace(' ', "%20"))).await;
    let values = answer["data"][0]["attributes"]["values"].as_array().expect("a list").iter();
    let value = |value: &Value| {
        (value["value"].as_str().expect("a text").to_owned(), value["count"].as_u64().expect("a number"))
    };
    values.map(value).collect()
}
