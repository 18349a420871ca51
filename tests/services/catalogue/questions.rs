//! Questions of researchers about the catalogue, each in one request. Those that are about
//! proteins, too, are in `proteins/v2/across.rs`.

use serde_json::json;
use support::{encoded, post};

use super::real::{CATALOGUE, get, get_json, ids, router};

/// Conditions mean the same in a body, in both versions, and in streams.
#[tokio::test]
async fn conditions_mean_the_same_in_bodies_versions_and_streams() {
    let conditions = "salinity:[30 TO 36][psu] AND latitude:>0";
    let page = get_json(&format!("/samples?page_size=250&where={}", encoded(conditions))).await;
    let expected = ids(&page);
    assert!(expected.len() > 5);
    let body = json!({"where": conditions, "page_size": 250}).to_string();
    let posted = post(router(), &format!("{CATALOGUE}/samples/search"), "application/json", body).await;
    assert_eq!(ids(&posted.json()), expected);
    let v2 = format!("/metagenomics/api/v2/samples/?page_size=100&where={}", encoded(conditions));
    assert_eq!(support::get(router(), &v2).await.json()["count"], json!(expected.len()));
    let lines = get(&format!("/samples.ndjson?where={}", encoded(conditions))).await.body;
    assert_eq!(lines.split(|byte| *byte == b'\n').count(), expected.len() + 1);
    let facet = get_json(&format!("/samples/facets?by=species&where={}", encoded(conditions))).await;
    assert_eq!(facet["data"][0]["attributes"]["total"], json!(expected.len()));
}
