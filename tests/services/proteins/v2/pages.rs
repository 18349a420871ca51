//! Pages: cursors, links and totals.

use api::ServiceConfig;
use serde_json::json;

use crate::services::proteins::v2::{ask, numbers, page, search};
use crate::services::proteins::{MARINE, row};
use support::{PROTEINS_V2, TestFolder, get};

const NUM_PROTEINS: u64 = 120;

/// Proteins with gaps between their accessions; every second one is in a biome, every third one has
/// a family.
fn folder() -> TestFolder {
    let mut rows = String::new();
    for number in 1..=NUM_PROTEINS {
        let biomes = if number % 2 == 0 { json!([[132, 1]]) } else { json!([]) };
        let families = if number % 3 == 0 { json!([["PF00005", 1e-9, 40.5, 1, 9, 2, 6]]) } else { json!([]) };
        rows += &row(number * 7, "true", 1, &json!({"b": biomes, "p": families}));
    }
    TestFolder::of_rows(&rows)
}

#[tokio::test]
async fn a_page_has_fifty_results_and_a_cursor_may_be_any_accession() {
    let folder = folder();
    let router = folder.router();
    assert_eq!(numbers(&ask(&router, "/proteins").await.json()).len(), 50);
    for (after, first) in
        [("1", Some(7)), ("7", Some(14)), ("MGYP000000000008", Some(14)), ("mgyp834", Some(840)), ("840", None)]
    {
        let page = page(&router, &search(&[("after", after), ("limit", "1")])).await;
        assert_eq!(numbers(&page).first().copied(), first, "{after}");
        assert_eq!(page["next"].is_null(), after == "mgyp834" || after == "840", "{after}");
    }
}

#[tokio::test]
async fn the_next_page_keeps_all_other_parameters() {
    let folder = folder();
    let config = ServiceConfig { base_url: "https://a.org/mgdex".parse().ok(), ..ServiceConfig::default() };
    let router = folder.router_with(&config);
    let parameters = [
        ("q", "NOT (pfam:5 AND \"x\" OR pfam:9)"),
        ("biome", MARINE),
        ("after", "MGYP000000000014"),
        ("count", "exact"),
        ("limit", "2"),
        ("fields", "accession,pfam"),
        ("min_length", "1"),
        ("format", "json"),
    ];
    let refused = get(&router, &search(&parameters)).await;
    assert_eq!(refused.status, 422, "a query with a fault has no next page");
    let parameters = parameters.map(|(name, value)| (name, value.replace(" AND \"x\"", "")));
    let first = page(&router, &search(&parameters.each_ref().map(|(name, value)| (*name, &**value)))).await;
    assert_eq!(numbers(&first), [28, 56]);
    let next = first["next"].as_str().expect("there are more");
    let (address, query) = next.split_once('?').expect("parameters");
    assert_eq!(address, format!("https://a.org/mgdex{PROTEINS_V2}/proteins"));
    let kept: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let others =
        parameters.iter().filter(|(name, _)| *name != "after").map(|(name, value)| ((*name).to_owned(), value.clone()));
    let expected: Vec<_> = others.chain([("after".to_owned(), "MGYP000000000056".to_owned())]).collect();
    assert_eq!(kept, expected);
    let second = page(&router, next.strip_prefix("https://a.org/mgdex").expect("absolute")).await;
    assert_eq!((numbers(&second), &second["total"]), (vec![70, 98], &first["total"]));
}
