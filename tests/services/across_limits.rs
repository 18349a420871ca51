//! Limits of requests that ask the catalogue for proteins, or proteins for the catalogue.

use axum::http::StatusCode;
use serde_json::json;
use support::{PROTEINS_V2, TestFolder, encoded, get, post};

use crate::services::proteins::row;

const CATALOGUE: &str = "/metagenomics/api/v1";

/// One more than the number of studies or assemblies that a request may examine.
const NUM_ASSEMBLIES: usize = 10_001;

/// Returns a folder with one protein, and a sample with one assembly more than a request may
/// examine.
fn folder() -> TestFolder {
    let folder = TestFolder::of_rows(&row(1, "true", 1, &json!({})));
    let sample = json!({"type": "samples", "id": "ERS1", "attributes": {"accession": "ERS1", "species": "x"}});
    let assembly = |number: usize| {
        let id = format!("ERZ{number}");
        let samples = json!({"data": [{"type": "samples", "id": "ERS1"}]});
        json!({"type": "assemblies", "id": id, "attributes": {"accession": id}, "relationships": {"samples": samples}})
    };
    let resources = std::iter::once(sample).chain((0..NUM_ASSEMBLIES).map(assembly));
    folder.publish_resources(resources);
    folder
}

#[tokio::test]
async fn studies_and_assemblies_of_a_request_are_limited() {
    let folder = folder();
    let router = folder.router();
    for (path, status) in [
        (format!("{CATALOGUE}/samples?where={}", encoded("has:proteins")), StatusCode::BAD_REQUEST),
        (format!("{CATALOGUE}/assemblies?where={}", encoded("has:proteins")), StatusCode::BAD_REQUEST),
        (format!("/metagenomics/api/v2/samples/?where={}", encoded("has:proteins")), StatusCode::UNPROCESSABLE_ENTITY),
        (format!("{PROTEINS_V2}/proteins?q={}", encoded("sample:(species:x)")), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = get(&router, &path).await;
        let text = answer.text();
        assert!(answer.status == status && text.contains("10001") && text.contains("10000"), "{path}: {text}");
    }
    // This limit does not apply if there are few of them.
    let few = encoded("accession:ERZ5 AND NOT has:proteins");
    assert_eq!(get(&router, &format!("{CATALOGUE}/assemblies?where={few}")).await.json()["data"][0]["id"], "ERZ5");
}

#[tokio::test]
async fn terms_and_levels_of_conditions_are_limited() {
    let folder = folder();
    let router = folder.router();
    let nested = |levels: usize| format!("{}accession:x{}", "sample:(assembly:(".repeat(levels), "))".repeat(levels));
    let terms = |number: usize| vec!["accession:x"; number].join(" OR ");
    for (conditions, problem) in [
        (nested(2), None),
        (nested(3), Some("conditions on linked resources are nested too deeply")),
        (terms(1_024), None),
        (terms(1_025), Some("the query has too many terms")),
        (format!("{}accession:x{}", "(".repeat(64), ")".repeat(64)), None),
        (format!("{}accession:x{}", "(".repeat(65), ")".repeat(65)), Some("the query is nested too deeply")),
        (format!("accession:{}", "x".repeat(64 << 10)), Some("the query has 65546 bytes")),
        ("sample:(".repeat(9_000), Some("the query has")),
        ("sample:(".repeat(8_000), Some("is not closed")),
    ] {
        let body = json!({"where": conditions}).to_string();
        let answer = post(&router, &format!("{CATALOGUE}/assemblies/search"), "application/json", body).await;
        let expected = if problem.is_some() { 400 } else { 200 };
        let answer = answer.checked(expected, &conditions[..conditions.len().min(60)]);
        assert!(answer.text().contains(problem.unwrap_or_default()), "{}", answer.text());
    }
}
