//! Exact look-ups of sequences, compared with the rows.

use api::Api;
use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::services::proteins::v2::{page, router_of_rows, rows, search};
use support::{Answer, PROTEINS_V2, TestFolder, get, send_body};

const MD5: &str = "md5:5b35a2cfd12bf6d4f5e2dcd6e2ae0f2d";

async fn post(router: &Api, query: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
    let path = format!("{PROTEINS_V2}/sequences/search{query}");
    send_body(router, Method::POST, &path, headers, body.into()).await
}

async fn lookup(router: &Api, query: &str, body: &str) -> Vec<Value> {
    let answer = post(router, query, &[("content-type", "text/x-fasta")], body.to_owned()).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/x-ndjson"));
    answer.lines()
}

fn accession(number: u64) -> String {
    format!("MGYP{number:012}")
}

#[tokio::test]
async fn each_sequence_has_a_line_in_the_order_of_the_file() {
    let router = TestFolder::with_checksums(&rows()).router();
    let long = format!("MKVL{}", "A".repeat(126));
    let body = format!(
        "mkvlaa\n>known one\nMKV\r\nLAA\r\n>lower\nmkvlaa\n>stop\nMKVLAA*\n>unknown\nMKVLA\n>long\n{}\n{}\n>bad\nMKV7\n>none\n>a\"b\nM-K\n",
        &long[..60],
        &long[60..]
    );
    let found = lookup(&router, "", &body).await;
    let twelve = accession(12);
    let expected = [
        json!({"query": "", "accession": twelve}),
        json!({"query": "known", "accession": twelve}),
        json!({"query": "lower", "accession": twelve}),
        json!({"query": "stop", "accession": twelve}),
        json!({"query": "unknown", "accession": null}),
        json!({"query": "long", "accession": accession(15)}),
        json!({"query": "bad", "error": "invalid residue '7': a sequence has letters, * and -"}),
        json!({"query": "none", "error": "the sequence is missing"}),
        json!({"query": "a\"b", "accession": null}),
    ];
    assert_eq!(found, expected);
    let all = lookup(&router, "?all=1", &body).await;
    let same = [12, 14, 16].map(accession);
    for (number, line) in found.iter().enumerate() {
        let mut expected = line.clone();
        let accessions = match number {
            0..=3 => json!(same),
            5 => json!([accession(15)]),
            _ => json!([]),
        };
        if line["error"].is_null() {
            expected["accessions"] = accessions;
        }
        assert_eq!(all[number], expected);
    }
    assert_eq!(lookup(&router, "?all=0", &body).await, found);
    assert!(lookup(&router, "", "\n").await.is_empty());
}

#[tokio::test]
async fn digests_are_conditions_of_queries() {
    let router = TestFolder::with_checksums(&rows()).router();
    let record = get(&router, &format!("{PROTEINS_V2}/proteins/12")).await.json();
    let (md5, ga4gh) = (record["md5"].as_str().expect("a text"), record["ga4gh"].as_str().expect("a text"));
    let short = ga4gh.strip_prefix("SQ.").expect("an identifier");
    for (parameters, expected) in [
        (vec![("q", format!("md5:{md5}"))], vec![12, 14, 16]),
        (vec![("md5", md5.to_uppercase())], vec![12, 14, 16]),
        (vec![("q", format!("sha512t24u:{ga4gh} AND has:pfam"))], vec![12]),
        (vec![("sha512t24u", short.to_owned()), ("full_length", "false".to_owned())], vec![16]),
        (vec![("q", format!("NOT md5:{md5}"))], vec![13, 15]),
        (vec![("q", format!("md5:({md5} OR {})", "0".repeat(32)))], vec![12, 14, 16]),
        (vec![("md5", "0".repeat(32)), ("count", "exact".to_owned())], vec![]),
    ] {
        let parameters: Vec<(&str, &str)> = parameters.iter().map(|(name, value)| (*name, &**value)).collect();
        let page = page(&router, &search(&parameters)).await;
        assert_eq!(crate::services::proteins::v2::numbers(&page), expected, "{parameters:?}");
        assert_eq!(page["total"], json!({"value": expected.len(), "relation": "eq"}), "{parameters:?}");
    }
    let near = get(&router, &search(&[("md6", md5)])).await.json();
    assert!(near["detail"][0]["msg"].as_str().is_some_and(|text| text.contains("Did you mean \"md5\"")), "{near}");
}

#[tokio::test]
async fn look_ups_without_an_index_of_digests_are_not_implemented() {
    let (_folder, router) = router_of_rows();
    let refused = post(&router, "", &[], ">a\nMKVLAA").await;
    let searched = get(&router, &search(&[("q", &format!("NOT (pfam:5 OR {MD5})"))])).await;
    for answer in [refused, searched] {
        assert_eq!(answer.status, StatusCode::NOT_IMPLEMENTED);
        assert!(answer.json()["detail"].as_str().is_some_and(|text| text.contains("--checksums")), "{answer:?}");
    }
}

#[tokio::test]
async fn other_bodies_and_parameters_are_refused() {
    let router = TestFolder::with_checksums(&rows()).router();
    let fasta = ("content-type", "text/plain; charset=utf-8");
    assert_eq!(post(&router, "", &[], ">a\nMKVLAA").await.status, StatusCode::OK);
    let most = post(&router, "", &[fasta], ">a\nMK\n".repeat(10_000)).await;
    assert_eq!((most.status, most.text().lines().count()), (StatusCode::OK, 10_000));
    for (query, headers, body, status) in [
        ("", vec![("content-type", "application/json")], "[]".to_owned(), 415),
        ("", vec![fasta, ("content-encoding", "gzip")], "x".to_owned(), 415),
        ("?all=2", vec![fasta], ">a\nMK".to_owned(), 422),
        ("?limit=2", vec![fasta], ">a\nMK".to_owned(), 422),
        ("", vec![fasta], ">a\nMK\n".repeat(10_001), 413),
        ("", vec![fasta], format!("MK\n{}", ">a\nMK\n".repeat(10_000)), 413),
        ("", vec![fasta], "M".repeat((8 << 20) + 1), 413),
    ] {
        let answer = post(&router, query, &headers, body).await;
        assert_eq!(answer.status.as_u16(), status, "{query} {headers:?}");
        assert!(!answer.json()["detail"].is_null());
    }
    let wrong = get(&router, &format!("{PROTEINS_V2}/sequences/search")).await;
    assert_eq!((wrong.status, wrong.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "POST"));
}
