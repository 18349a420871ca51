//! The form of lists, and lists that are empty or rejected.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use api::Api;
use axum::http::StatusCode;
use serde_json::json;
use support::TestFolder;

use super::counted::num_results;
use super::{SITE, addresses, page_of, text, visit_at};

/// Two warm samples and a cold one, from countries that have several spellings.
struct Samples {
    _folder: TestFolder,
    api: Api,
}

static SAMPLES: LazyLock<Samples> = LazyLock::new(|| {
    let entry = |key: &str, value: &str, unit: &str| json!({"key": key, "value": value, "unit": unit});
    let samples = [
        ("ERS1", "USA: Maine", json!([entry("temperature", "35", "°C"), entry("pH", "4.5", "")])),
        ("ERS2", "United States of America", json!([entry("temperature", "40", "°C"), entry("host sex", "male", "")])),
        ("ERS3", "Norway", json!([entry("temperature", "5", "°C"), entry("pH", "8", "")])),
    ];
    let rows = samples.map(|(id, place, metadata)| {
        let attributes = json!({"accession": id, "geo-loc-name": place, "sample-metadata": metadata});
        json!({"type": "samples", "id": id, "attributes": attributes})
    });
    let folder = TestFolder::empty();
    folder.publish_resources(rows);
    Samples { api: folder.router(), _folder: folder }
});

const WARM: &str = "m_key1=temperature&m_is1=%3E%3D&m_value1=30&m_unit1=%C2%B0C";
const ACID: &str = "m_key2=pH&m_is2=%3C%3D&m_value2=5";
const BASIC: &str = "m_key2=pH&m_is2=%3E%3D&m_value2=7";

async fn page(query: &str) -> String {
    page_of(&visit_at(&SAMPLES.api, &format!("/portal/samples?{query}")).await)
}

#[tokio::test]
async fn rows_of_metadata_are_conditions_of_the_api() {
    for (query, num_rows, expected) in [
        (WARM.to_owned(), 1, 2),
        (format!("{WARM}&{ACID}"), 2, 1),
        ("m_key7=pH".to_owned(), 1, 2),
        ("m_key1=host+sex&m_value1=male".to_owned(), 1, 1),
        ("geo_loc_name=USA".to_owned(), 0, 2),
    ] {
        let list = page(&query).await;
        assert_eq!(num_results(&list), expected, "{query}");
        // One row is empty.
        assert_eq!(list.matches("aria-label=\"Key\"").count(), num_rows + 1, "{query}");
        let is_call =
            |address: &String| address.starts_with("/metagenomics/api/v1/samples?") && !address.contains("format=");
        let call = addresses(&list).into_iter().find(is_call).expect("a call");
        let answer = visit_at(&SAMPLES.api, &call).await.json();
        assert_eq!(answer["meta"]["pagination"]["count"], expected, "{call}");
        assert_eq!(answer["meta"]["ignored"], json!(null), "{call}");
    }
}

#[tokio::test]
async fn empty_rows_leave_the_address_and_ten_are_the_most() {
    let redirect = visit_at(&SAMPLES.api, "/portal/samples?m_key1=&m_is1=&m_value1=&m_unit1=&search=").await;
    assert_eq!((redirect.status, redirect.header("location")), (StatusCode::SEE_OTHER, "/portal/samples"));
    let rows: Vec<String> = (1..=11).map(|number| format!("m_key{number}=pH")).collect();
    let full = page(&rows.join("&")).await;
    assert_eq!((num_results(&full), full.matches("aria-label=\"Key\"").count()), (2, 10));
}

#[tokio::test]
async fn rejected_lists_are_not_empty_ones() {
    for (query, problem) in [
        ("m_key1=temperatur&m_is1=%3E%3D&m_value1=30", "Did you mean"),
        ("m_key1=temperature&m_is1=%3E%3D&m_value1=warm", "not a number"),
        ("m_key1=temperature&m_is1=%3E%3D&m_value1=30&m_unit1=K", "[°C]"),
    ] {
        let refused = visit_at(&SAMPLES.api, &format!("/portal/samples?{ACID}&{query}")).await;
        let page = text(&refused);
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{query}");
        let (_, message) = page.split_once("id=\"row-1-problem\">").expect(query);
        assert!(message.split_once("</span>").expect("closed").0.contains(problem), "{message}");
        assert!(!page.contains("row-2-problem") && !page.contains("id=\"problem-where\""), "{query}");
        assert!(page.contains("No search was run") && !page.contains(" results</h2>"), "{query}");
        assert!(!page.contains("id=\"downloads\""), "{query}");
    }
}

#[tokio::test]
async fn empty_lists_name_the_conditions_that_exclude_all() {
    let none = page(&format!("{WARM}&{BASIC}&species=human")).await;
    assert_eq!(num_results(&none), 0);
    assert!(none.contains("No sample matches all conditions. <a") && !none.contains("id=\"downloads\""), "{none}");
    let none = page(&format!("geo_loc_name=USA&{WARM}&{BASIC}")).await;
    let (_, list) = none.split_once("Removing one of these conditions gives results:").expect("conditions");
    let (list, _) = list.split_once("</ul>").expect("a list");
    let (condition, count) =
        list.split_once("Without <code>").and_then(|(_, rest)| rest.split_once("</code></a>: ")).expect("one");
    assert_eq!((list.matches("<li>").count(), condition), (1, "pH:&#62;=7"), "{list}");
    assert!(count.starts_with("2 samples"), "{count}");
    assert_eq!(num_results(&page_of(&visit_at(&SAMPLES.api, &addresses(list)[0]).await)), 2);
}

#[tokio::test]
async fn keys_of_metadata_are_completed() {
    for (typed, expected) in [("temp", "temperature"), ("sex", "host sex"), ("ph", "pH")] {
        let found = visit_at(&SAMPLES.api, &format!("/portal/completion/metadata-key?text={typed}")).await.json();
        assert_eq!(found[0]["text"], expected);
    }
    assert!(page(WARM).await.contains("<option value=\"°C\">"), "its units");
}

#[tokio::test]
async fn fields_have_different_names_and_most_are_folded() {
    for path in ["studies", "samples", "runs", "assemblies", "analyses", "publications", "genomes"] {
        let page = page_of(&visit_at(&SITE.api, &format!("/portal/{path}")).await);
        let (first, more) = page.split_once("<summary>More filters</summary>").expect(path);
        assert!(first.matches("class=\"field\"").count() <= 4, "{path}");
        let labels = page.split("<label for=\"filter-").skip(1);
        let labels: Vec<&str> = labels.map(|label| label.split(['>', '<']).nth(1).expect("a label")).collect();
        assert_eq!(labels.len(), labels.iter().collect::<BTreeSet<_>>().len(), "{path}: {labels:?}");
        for name in ["Regular expression", "Bbox", "Metadata value, "] {
            assert!(!more.contains(name), "{path}: {name}");
        }
    }
}
