//! Requests with parameters or accessions in the body.

use api::Api;
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::json;

use crate::services::proteins::folder_with_replacements;
use crate::services::proteins::v2::{numbers, page, router_of_rows, search};
use support::{Answer, PROTEINS_V2};

const JSON: &str = "application/json";

async fn post(router: &Api, path: &str, content_type: &str, body: impl Into<Body>) -> Answer {
    support::post(router, &format!("{PROTEINS_V2}/proteins{path}"), content_type, body).await
}

fn lines(answer: &Answer) -> Vec<&str> {
    answer.text().lines().collect()
}

#[tokio::test]
async fn posted_searches_equal_those_with_the_same_parameters() {
    let (_folder, router) = router_of_rows();
    for (body, parameters) in [
        (json!({}), &[][..]),
        (json!({"q": "has:pfam", "limit": 2}), &[("q", "has:pfam"), ("limit", "2")]),
        (
            json!({"pfam": [5, "PF04659"], "fields": ["accession", "pfam"]}),
            &[("q", "pfam:5 AND pfam:4659"), ("fields", "accession,pfam")],
        ),
        (
            json!({"full_length": true, "min_length": 5, "count": "exact"}),
            &[("q", "full_length:true AND length:>=5"), ("count", "exact")],
        ),
        (json!({"order": "-length", "limit": 3}), &[("order", "-length"), ("limit", "3")]),
    ] {
        let posted = post(&router, "/search", JSON, body.to_string()).await;
        assert_eq!(posted.status, StatusCode::OK, "{body}");
        let expected = page(&router, &search(parameters)).await;
        let posted = posted.json();
        assert_eq!((&posted["results"], &posted["total"]), (&expected["results"], &expected["total"]), "{body}");
        assert_eq!(posted["next"].is_null(), expected["next"].is_null(), "{body}");
    }
    let stream = post(&router, "/search?format=tsv", JSON, json!({"fields": "accession"}).to_string()).await;
    assert_eq!(lines(&stream).len(), 6);
    // The next page is requested with the same body.
    let (body, mut path, mut found) = (json!({"q": "*", "limit": 2}).to_string(), "/search".to_owned(), Vec::new());
    loop {
        let page = post(&router, &path, JSON, body.clone()).await.json();
        found.extend(numbers(&page));
        let Some(next) = page["next"].as_str() else { break };
        path = next.split_once("/proteins/api/v2/proteins").expect("an address").1.to_owned();
        assert!(path.starts_with("/search?after=MGYP"), "{path}");
    }
    assert_eq!(found, [12, 13, 14, 15, 16]);
}

#[tokio::test]
async fn a_query_of_a_thousand_families_fits_into_a_body() {
    let (_folder, router) = router_of_rows();
    let families: Vec<String> = (4000..5000).map(|number| format!("PF{number:05}")).collect();
    let query = format!("pfam:({})", families.join(" OR "));
    assert!(query.len() > 8 << 10);
    let found = post(&router, "/search", JSON, json!({ "q": query }).to_string()).await;
    assert_eq!(numbers(&found.json()), [15]);
}

#[tokio::test]
async fn batches_have_a_line_for_each_accession_in_the_requested_order() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    let body = "MGYP000000000014\n\n12\r\nx\n mgyp99 \n21\n12\n";
    let answer = post(&router, "/batch?format=ndjson", "text/plain; charset=utf-8", body).await;
    assert_eq!((answer.status, answer.header("x-missing")), (StatusCode::OK, "3"));
    let found = answer.lines();
    let accessions: Vec<_> = found.iter().map(|record| record["accession"].as_str().expect("a text")).collect();
    let [first, second] = ["MGYP000000000012", "MGYP000000000014"];
    assert_eq!(accessions, [second, first, "x", "MGYP000000000099", "MGYP000000000021", first]);
    assert!(found[2]["error"].as_str().is_some_and(|error| !error.is_empty()));
    assert_eq!(found[3], json!({"accession": "MGYP000000000099", "found": false}));
    assert_eq!(found[4], json!({"accession": "MGYP000000000021", "found": false, "replaced_by": first}));
    let record = support::get(&router, &format!("{PROTEINS_V2}/proteins/12")).await.json();
    assert_eq!((&found[1], &found[5]), (&record, &record), "whole records");

    let array = json!(["MGYP000000000014", 12, "x", "mgyp99", 21, "12"]).to_string();
    let whole = post(&router, "/batch", JSON, array.clone()).await;
    assert_eq!((whole.header("content-type"), &whole.json()["results"]), (JSON, &json!(found)));
    let fields = post(&router, "/batch?format=ndjson&fields=length,pfam", JSON, array.clone()).await.lines();
    assert_eq!(fields[1].as_object().expect("an object").keys().collect::<Vec<_>>(), ["accession", "length", "pfam"]);
    assert_eq!(fields[3], found[3]);
    let table = post(&router, "/batch?format=tsv&fields=length,accession", JSON, array.clone()).await;
    let length = &record["length"];
    assert_eq!(lines(&table)[..2], ["length\taccession".to_owned(), lines(&table)[1].to_owned()]);
    assert_eq!(lines(&table)[2..], [format!("{length}\t{first}"), format!("{length}\t{first}")]);
    assert_eq!(table.header("x-missing"), "3");
    let fasta = post(&router, "/batch?format=fasta", JSON, array).await;
    assert_eq!(lines(&fasta).iter().filter(|line| line.starts_with('>')).count(), 3);
    let nothing = post(&router, "/batch", JSON, "[]").await;
    assert_eq!((nothing.json(), nothing.header("x-missing")), (json!({"results": []}), "0"));
}

#[tokio::test]
async fn a_large_batch_is_answered_in_parts() {
    let (_folder, router) = router_of_rows();
    let requested: Vec<u64> = (0..100_000).map(|number| 12 + number * 7 % 8).collect();
    let body = requested.iter().map(u64::to_string).collect::<Vec<_>>().join("\n");
    let answer = post(&router, "/batch?format=ndjson&fields=accession", "text/plain", body.clone()).await;
    assert_eq!(answer.status, StatusCode::OK);
    let found = lines(&answer);
    assert_eq!(found.len(), requested.len());
    for (number, line) in requested.iter().zip(found) {
        let accession = format!("{{\"accession\":\"MGYP{number:012}\"");
        assert!(line.starts_with(&accession) && line.ends_with("\"found\":false}") == (*number > 16), "{line}");
    }
    // The first parts have no rows.
    let late = "99\n".repeat(600) + "12";
    let table = post(&router, "/batch?format=tsv&fields=accession", "text/plain", late).await;
    assert_eq!(lines(&table), ["accession", "MGYP000000000012"]);
    let too_many = post(&router, "/batch", "text/plain", body + "\n12").await;
    assert_eq!(too_many.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn other_bodies_and_parameters_are_refused() {
    let (_folder, router) = router_of_rows();
    for (path, content_type, body, status) in [
        ("/search", "text/plain", "{}", 415),
        ("/search", JSON, "[]", 400),
        ("/search", JSON, "{", 400),
        ("/search", JSON, r#"{"q": null}"#, 422),
        ("/search", JSON, r#"{"q": "pfam:x"}"#, 422),
        ("/search", JSON, r#"{"nope": 1}"#, 422),
        ("/search", JSON, &*format!("{{\"q\": \"{}\"}}", "x".repeat(600 << 10)), 413),
        ("/batch", "application/xml", "12", 415),
        ("/batch", JSON, "{}", 400),
        ("/batch", JSON, "12", 400),
        ("/batch?limit=5", JSON, "[12]", 422),
        ("/batch?format=xml", JSON, "[12]", 422),
        ("/batch?fields=x", JSON, "[12]", 422),
        ("/batch?format=fasta&fields=length", JSON, "[12]", 422),
        ("/batch", "text/plain", &*"1\n".repeat(3 << 20), 413),
    ] {
        let answer = post(&router, path, content_type, body.to_owned()).await;
        let shown = &body[..body.len().min(30)];
        assert_eq!(answer.status.as_u16(), status, "{path} {content_type} {shown}");
        assert!(!answer.json()["detail"].is_null(), "{path} {shown}");
    }
    for path in ["/search", "/batch"] {
        let wrong = support::get(&router, &format!("{PROTEINS_V2}/proteins{path}")).await;
        assert_eq!((wrong.status, wrong.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "POST"));
    }
}
