//! The families beside a family.

use api::Api;
use axum::http::StatusCode;
use serde_json::Value;
use support::{PROTEINS_V2, TestFolder, get};

use super::numbers::{shown, table, with_share};
use super::{addresses, page, page_of, text, visit_at};
use crate::services::proteins::v2::neighbourhood::operons;

/// Returns the rows of the table of families beside one: counts, and the words for the difference.
fn rows(page: &str) -> Vec<Vec<String>> {
    let (_, section) = page.split_once("<h2 id=\"beside\">").expect("the section");
    let mut rows = table(section, "=\"families");
    assert_eq!(rows.pop().expect("the sums")[0], "All genes");
    rows
}

/// Returns the families beside a family from the API.
async fn answer(router: &Api, family: &str) -> Value {
    get(router, &format!("{PROTEINS_V2}/neighbourhood?by=pfam&top=30000&q=pfam:{family}")).await.json()
}

#[tokio::test]
async fn pages_of_families_show_those_beside_them() {
    let folder = TestFolder::with_contigs(&operons());
    let router = folder.router();
    let path = "/portal/families/PF00005?beside=all";
    let page = page_of(&visit_at(&router, path).await);
    let expected = answer(&router, "PF00005").await;
    let [num, num_others] = ["selection", "background"].map(|group| expected[group]["count"].as_u64().expect("whole"));
    let note = format!(
        "The {} genes that are at most 5 genes away from 50 places of the family on contigs are compared with the {} other",
        shown(num),
        shown(num_others)
    );
    assert!(page.contains(&note) && !page.contains("at random"), "{page}");
    let values = expected["neighbourhood"].as_array().expect("a list");
    let rows = rows(&page);
    assert_eq!(rows.len(), values.len());
    for (row, value) in rows.iter().zip(values) {
        let name = value["value"].as_str().unwrap_or("No Pfam family");
        assert!(row[0].starts_with(name), "{row:?} {value}");
        let count = |name: &str| value[name].as_u64().expect("whole");
        let counts = [with_share(count("count"), num), with_share(count("background_count"), num_others)];
        assert_eq!(row[1..3], counts, "{value}");
    }
    let links = addresses(&page);
    let mut num_links = 0;
    for link in links.iter().filter(|link| link.starts_with("/portal/search?q=near")) {
        let hits = visit_at(&router, link).await;
        assert!(hits.status == StatusCode::OK && text(&hits).contains("<h2 id=\"hits\">"), "{link}");
        num_links += 1;
    }
    assert_eq!(num_links, values.iter().filter(|value| value["count"] != 0).count());
    let tsv =
        links.iter().find(|link| link.contains("/neighbourhood?") && link.contains("format=tsv")).expect("a link");
    assert_eq!(get(&router, tsv).await.text().lines().count(), values.len() + 1);

    let sampled = page_of(&visit_at(&router, "/portal/families/PF00664").await);
    assert!(sampled.contains("These places were chosen at random, from 100 proteins of the family"), "{sampled}");
}

#[tokio::test]
async fn pages_of_an_index_without_contigs_have_no_families_beside_others() {
    let page = page("/portal/families/PF00005").await;
    assert!(!page.contains("id=\"beside\"") && !page.contains("neighbourhood"));
}
