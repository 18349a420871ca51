//! Questions of researchers about the catalogue, each in one request. Those that are about proteins, too, are in `proteins/v2/across.rs`.

use axum::http::Method;
use serde_json::{Value, json};
use support::send_body;

use super::real::{CATALOGUE, get, get_json, ids, resources, router};

fn named(resource: &Value, relation: &str) -> Vec<String> {
    let data = &resource["relationships"][relation]["data"];
    let entries = data.as_array().map_or(std::slice::from_ref(data), Vec::as_slice);
    entries.iter().filter_map(|entry| entry["id"].as_str().map(str::to_owned)).collect()
}

fn id(resource: &Value) -> &str {
    resource["id"].as_str().expect("a text")
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Conditions mean the same in a body, in both versions, and in streams.
#[tokio::test]
async fn conditions_are_those_of_all_ways_to_ask() {
    let conditions = "salinity:[30 TO 36][psu] AND latitude:>0";
    let page = get_json(&format!("/samples?page_size=250&where={}", encoded(conditions))).await;
    let expected = ids(&page);
    assert!(expected.len() > 5);
    let body = json!({"where": conditions, "page_size": 250}).to_string();
    let headers = [("content-type", "application/json")];
    let posted = send_body(router(), Method::POST, &format!("{CATALOGUE}/samples/search"), &headers, body).await;
    assert_eq!(ids(&posted.json()), expected);
    let v2 = format!("/metagenomics/api/v2/samples/?page_size=100&where={}", encoded(conditions));
    assert_eq!(support::get(router(), &v2).await.json()["count"], json!(expected.len()));
    let lines = get(&format!("/samples.ndjson?where={}", encoded(conditions))).await.body;
    assert_eq!(lines.split(|byte| *byte == b'\n').count(), expected.len() + 1);
    let facet = get_json(&format!("/samples/facets?by=species&where={}", encoded(conditions))).await;
    assert_eq!(facet["data"][0]["attributes"]["total"], json!(expected.len()));
}

/// Question 6: samples north of 60° with a salinity from 30 to 36 and runs of a platform.
#[tokio::test]
async fn samples_by_place_metadata_and_runs() {
    let with_runs: Vec<String> = resources("runs")
        .iter()
        .filter(|run| run["attributes"]["instrument-platform"] == "ILLUMINA")
        .flat_map(|run| named(run, "sample"))
        .collect();
    let is_in = |entry: &Value| {
        let salinity = entry["value"].as_str().and_then(|value| value.parse().ok());
        entry["key"] == "salinity"
            && entry["unit"] == "psu"
            && salinity.is_some_and(|salinity: f64| (30.0..=36.0).contains(&salinity))
    };
    let samples = resources("samples");
    let expected: Vec<&str> = samples
        .iter()
        .filter(|sample| sample["attributes"]["latitude"].as_f64().is_some_and(|latitude| latitude > 60.0))
        .filter(|sample| sample["attributes"]["sample-metadata"].as_array().expect("a list").iter().any(is_in))
        .filter(|sample| with_runs.contains(&id(sample).to_owned()))
        .map(id)
        .collect();
    assert!(!expected.is_empty());
    let conditions = encoded("latitude:>60 AND salinity:[30 TO 36][psu] AND run:(instrument_platform:ILLUMINA)");
    assert_eq!(ids(&get_json(&format!("/samples?where={conditions}&page_size=250&strict=1")).await), expected);
    let filters = "latitude_gte=60.0000001&instrument_platform=^ILLUMINA$";
    let conditions = encoded("salinity:[30 TO 36][psu]");
    assert_eq!(ids(&get_json(&format!("/samples?{filters}&where={conditions}&page_size=250")).await), expected);
}
