//! The map of samples, and histograms of lists.

use api::Api;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{TestFolder, get};

use super::super::counted::num_results;
use super::super::{SITE, addresses, page, page_of, visit, visit_at};
use super::{assert_has, rows, texts};

const V1: &str = "/metagenomics/api/v1/samples";

fn sum(rows: &[Vec<String>], column: usize) -> u64 {
    rows.iter().map(|row| row[column].parse::<u64>().expect("a number")).sum()
}

async fn count(api: &Api, query: &str) -> u64 {
    let answer = get(api, &format!("{V1}?page_size=1{query}")).await.json();
    answer["meta"]["pagination"]["count"].as_u64().expect("a count")
}

/// Returns samples with years and temperatures, some of them without a unit.
fn samples() -> TestFolder {
    let folder = TestFolder::empty();
    let samples = [
        ("2010-03-01", "5", "°C"),
        ("2012", "12.5", "°C"),
        ("2012-11", "13", "°C"),
        ("2013", "31", "°C"),
        ("2013", "7", ""),
        ("", "8", ""),
    ];
    let rows = samples.iter().enumerate().map(|(number, (date, value, unit))| {
        let metadata = json!([{"key": "temperature", "value": value, "unit": unit}]);
        let mut attributes = json!({"accession": format!("ERS{number}"), "sample-metadata": metadata});
        if !date.is_empty() {
            attributes["collection-date"] = Value::from(*date);
        }
        json!({"type": "samples", "id": format!("ERS{number}"), "attributes": attributes})
    });
    folder.publish_resources(rows);
    folder
}

#[tokio::test]
async fn the_map_is_a_file_that_says_what_it_shows() {
    let list = page("/portal/samples").await;
    let files: Vec<_> = addresses(&list).into_iter().filter(|address| address.contains("plot=map.")).collect();
    let [picture, table] = &*files else { panic!("{files:?}") };
    let rows = rows(&SITE.api, table).await.split_off(1);
    let placed = count(&SITE.api, "&where=latitude:*+AND+longitude:*").await;
    assert!(placed > 0 && rows.len() > 1);
    assert_eq!(sum(&rows, 2), placed);
    let num_unplaced = count(&SITE.api, "").await - placed;
    let left_out =
        format!("Left out: {num_unplaced} sample{} without coordinates", if num_unplaced == 1 { "" } else { "s" });
    let title = format!("{placed} samples at {} places", rows.len());
    let signs = ["60° N", "150° E", "Environmental", "1 sample", "Source: catalogue of MGnify"];
    let texts = texts(&SITE.api, picture).await;
    assert_has(&texts, &signs);
    assert_has(&texts, &[&title, &left_out]);
    let refused = visit("/portal/places?latitude_gte=north&plot=map.svg").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert_eq!(visit("/portal/places?plot=other.svg").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn histograms_have_the_counts_of_the_facets() {
    let folder = samples();
    let api = folder.router();
    let facets = get(&api, &format!("{V1}/facets?by=year&by=metadata:temperature")).await.json();
    let years = rows(&api, "/portal/samples?plot=collection_date.tsv").await.split_off(1);
    let shown: Vec<_> = years.iter().map(|row| (&*row[0], &*row[1])).collect();
    assert_eq!(shown, [("2010", "1"), ("2011", "0"), ("2012", "2"), ("2013", "2")]);
    for value in facets["data"][0]["attributes"]["values"].as_array().expect("values") {
        let expected = (value["value"].as_str().expect("a year"), &*value["count"].to_string());
        assert!(shown.contains(&expected), "{expected:?}");
    }
    let degrees = rows(&api, "/portal/samples?plot=temperature.tsv").await.split_off(1);
    let of_unit = &facets["data"][1]["attributes"]["numbers"][0];
    let ranges = of_unit["ranges"].as_array().expect("ranges");
    assert_eq!((of_unit["unit"].as_str(), degrees.len()), (Some("°C"), ranges.len()));
    for (row, range) in degrees.iter().zip(ranges) {
        let number = |place: usize| row[place].parse::<f64>().ok();
        assert_eq!(
            [number(1), number(2), number(3)],
            [&range["count"], &range["from"], &range["to"]].map(Value::as_f64)
        );
        assert_eq!(row[4], "°C");
    }
    let texts = texts(&api, "/portal/samples?plot=temperature.svg").await;
    assert_has(&texts, &["Temperature of samples", "Temperature (°C)", "Samples", "35", "Shown: 4 of 6 samples."]);
}

#[tokio::test]
async fn a_selected_range_has_the_samples_of_its_columns() {
    let folder = samples();
    let api = folder.router();
    let list = page_of(&visit_at(&api, "/portal/samples").await);
    let attributes = |name: &str| {
        let start = format!("{name}=\"");
        let values = list.split(&start).skip(1);
        values.map(|rest| rest.split('"').next().expect("closed").to_owned()).collect::<Vec<_>>()
    };
    let (addresses, froms, tos) = (attributes("data-range"), attributes("data-from"), attributes("data-to"));
    let years = rows(&api, "/portal/samples?plot=collection_date.tsv").await.split_off(1);
    let degrees = rows(&api, "/portal/samples?plot=temperature.tsv").await.split_off(1);
    for (place, (rows, start)) in [(&years, 0), (&degrees, years.len())].into_iter().enumerate() {
        for first in 0..rows.len() {
            for last in first..rows.len() {
                let address = addresses[place]
                    .replace("%7Bfrom%7D", &support::encoded(&froms[start + first]))
                    .replace("%7Bto%7D", &support::encoded(&tos[start + last]));
                let found = page_of(&visit_at(&api, &address).await);
                assert_eq!(num_results(&found), sum(&rows[first..=last], 1), "{address}");
                let num_chosen = found.matches("class=\"column chosen\"").count();
                assert_eq!(num_chosen, last - first + 1, "{address}");
            }
        }
    }
}
