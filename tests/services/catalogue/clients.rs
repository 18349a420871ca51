//! The request sequences of the known clients, with the members that each of them relies on.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::services::catalogue::real::{BASE_URL, CATALOGUE, get, get_json, ids};

/// Returns the path of an absolute link below the prefix of the service.
fn path_of(link: &Value) -> String {
    let link = link.as_str().expect("a link");
    link.strip_prefix(BASE_URL).and_then(|path| path.strip_prefix(CATALOGUE)).expect("a link of this server").to_owned()
}

/// Sends the requests of `MGnifyR`: the first page returns the number of pages, and the others are
/// requested by number, never by link.
async fn mgnifyr(path: &str, filters: &str) -> Vec<Value> {
    let first = get_json(&format!("{path}?format=json{filters}")).await;
    let pages = first["meta"]["pagination"]["pages"].as_u64().expect("a number");
    assert_eq!(first["meta"]["pagination"]["page"], 1);
    let mut all = vec![first];
    for page in 2..=pages {
        all.push(get_json(&format!("{path}?format=json{filters}&page={page}")).await);
    }
    all.iter().flat_map(|page| page["data"].as_array().expect("a list")).cloned().collect()
}

#[tokio::test]
async fn mgnifyr_queries_and_follows_related_links() {
    let lineage = "&lineage=root%3AEnvironmental%3AAquatic%3AMarine";
    let marine = mgnifyr("/samples", lineage).await;
    let distinct: BTreeSet<&str> = marine.iter().map(|sample| sample["id"].as_str().expect("a text")).collect();
    assert_eq!((marine.len(), distinct.len()), (208, 208));
    // Several values of one filter are joined by commas.
    let (one, other) = (marine[0]["id"].as_str().expect("a text"), marine[207]["id"].as_str().expect("a text"));
    let both = mgnifyr("/samples", &format!("&accession={other},{one}")).await;
    assert_eq!(both.iter().map(|sample| sample["id"].as_str().expect("a text")).collect::<Vec<_>>(), [one, other]);
    // It removes the query from a related link and adds `format` again.
    for sample in &both {
        let related = path_of(&sample["relationships"]["studies"]["links"]["related"]);
        let related = related.split('?').next().expect("a path");
        let studies = mgnifyr(related, "").await;
        let references = &sample["relationships"]["studies"]["data"];
        assert_eq!(studies[0]["id"], references[0]["id"], "{related}");
        let biome = path_of(&sample["relationships"]["biome"]["links"]["related"]);
        assert_eq!(get_json(&biome).await["data"]["id"], sample["relationships"]["biome"]["data"]["id"]);
    }
    // It shows the detail of the first error.
    let refused = get("/samples?format=json&accession=ERS0").await;
    assert_eq!(refused.status, 400);
    assert!(refused.json()["errors"][0]["detail"].as_str().expect("a text").contains("ERS0"));
}

#[tokio::test]
async fn mg_toolkit_finds_the_downloads_of_a_study() {
    let mut path = "/analyses?study_accession=MGYS00000462&pipeline_version=4.0".to_owned();
    let mut found = BTreeSet::new();
    let count = loop {
        let page = get_json(&path).await;
        for analysis in page["data"].as_array().expect("a list") {
            assert_eq!(analysis["attributes"]["pipeline-version"], "4.0");
            assert!(analysis["attributes"]["experiment-type"].is_string());
            found.insert(analysis["id"].as_str().expect("a text").to_owned());
        }
        if page["links"]["next"].is_null() {
            break page["meta"]["pagination"]["count"].clone();
        }
        path = path_of(&page["links"]["next"]);
    };
    assert_eq!(count, found.len());
    let downloads = get_json(&format!("/analyses/{}/downloads", found.first().expect("some"))).await;
    assert!(ids(&downloads).is_empty(), "their pages were not loaded");
    // It would download everything if an unknown study were ignored.
    assert!(ids(&get_json("/analyses?study_accession=nope").await).is_empty());
}
