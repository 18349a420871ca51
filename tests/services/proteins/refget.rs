//! Sequences by GA4GH refget 2.0.0.

use api::Api;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::services::proteins::documentation::check_schema;
use crate::services::proteins::{folder_with_replacements, row};
use support::{Answer, TestFolder, get, send};

const REFGET: &str = "/metagenomics/proteins/refget";

const TEXT: &str = "text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii";
const JSON: &str = "application/vnd.ga4gh.refget.v2.0.0+json; charset=us-ascii";

/// The sequence whose identifier is in the specification.
const SPECIFIED: (&str, [&str; 2]) =
    ("ACGT", ["f1f8f4bf413b16ad135722aa4591043e", "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2"]);

/// The sequence of the ranges in the specification.
const RANGED: &str = "CAACAGAGACTGCTGCTGACAGTGGGCGGGGGAGTAGTTTGCTTGGCCCGTGGTTGAGGA";

fn folder() -> TestFolder {
    let row = |number, sequence| row(number, "true", 1, &json!({})).replace("MKVLAA", sequence);
    TestFolder::with_checksums(&[row(12, SPECIFIED.0), row(13, RANGED), row(14, SPECIFIED.0)].concat())
}

async fn ask(router: &Api, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(router, Method::GET, &format!("{REFGET}/sequence/{path}"), headers).await
}

fn text(answer: &Answer, status: StatusCode) -> &str {
    let text = std::str::from_utf8(&answer.body).expect("text");
    assert_eq!((answer.status, answer.header("content-type")), (status, TEXT), "{text}");
    text
}

#[tokio::test]
async fn sequences_are_found_by_all_their_names() {
    let router = folder().router();
    let (sequence, [md5, ga4gh]) = SPECIFIED;
    for id in [
        md5.to_owned(),
        md5.to_uppercase(),
        format!("md5:{md5}"),
        ga4gh.to_owned(),
        format!("ga4gh:{ga4gh}"),
        format!("ga4gh%3A{ga4gh}"),
        "MGYP000000000012".to_owned(),
        "mgyp14".to_owned(),
    ] {
        let answer = ask(&router, &id, &[]).await;
        assert_eq!((text(&answer, StatusCode::OK), answer.header("accept-ranges")), (sequence, "bytes"), "{id}");
        assert!(answer.header("access-control-expose-headers").contains("content-range"));
        let answer = ask(&router, &format!("{id}/metadata"), &[]).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, JSON));
        let alias = |number: u64| json!({"alias": format!("MGYP{number:012}"), "naming_authority": "MGnify"});
        let expected = json!({"metadata": {
            "id": md5,
            "md5": md5,
            "ga4gh": format!("ga4gh:{ga4gh}"),
            "trunc512": null,
            "length": 4,
            "aliases": [alias(12), alias(14)],
        }});
        assert_eq!(answer.json(), expected, "{id}");
    }
    for id in ["Garbagechecksum", "99", "00000000000000000000000000000000", "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw3"] {
        for path in [id.to_owned(), format!("{id}/metadata")] {
            // Even if something else is wrong.
            let answer = ask(&router, &format!("{path}?start=x"), &[("accept", "text/embl")]).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
            assert!(answer.json()["detail"].as_str().is_some_and(|text| text.contains(id)));
        }
    }
}

#[tokio::test]
async fn ranges_agree_with_the_specification() {
    let router = folder().router();
    let part = "GAGACTGCTG";
    let by_parameters = ask(&router, "13?start=5&end=15", &[]).await;
    assert_eq!((text(&by_parameters, StatusCode::OK), by_parameters.header("accept-ranges")), (part, "none"));
    let by_header = ask(&router, "13", &[("range", "bytes=5-14")]).await;
    assert_eq!(
        (text(&by_header, StatusCode::PARTIAL_CONTENT), by_header.header("content-range")),
        (part, "bytes 5-14/60")
    );
    assert_eq!(by_header.header("content-length"), "10");
    assert_ne!(by_header.header("etag"), ask(&router, "13", &[]).await.header("etag"));
    assert_eq!(text(&ask(&router, "13?start=0&end=1", &[]).await, StatusCode::OK), "C");
    assert_eq!(text(&ask(&router, "13", &[("range", "bytes=0-0")]).await, StatusCode::PARTIAL_CONTENT), "C");
    assert_eq!(text(&ask(&router, "13?start=0&end=0", &[]).await, StatusCode::OK), "");
    for (path, range, status) in [
        ("13?start=1", "bytes=1-2", 400),
        ("13?end=x", "", 400),
        ("13", "units=1-2", 400),
        ("13?start=60", "", 416),
        ("13?end=61", "", 416),
        ("13", "bytes=60-61", 416),
        ("13?start=20&end=4", "", 501),
    ] {
        let headers = [("range", range)];
        let answer = ask(&router, path, if range.is_empty() { &[] } else { &headers }).await;
        assert_eq!(answer.status.as_u16(), status, "{path} {range}");
        assert!(answer.json()["detail"].is_string());
    }
}

#[tokio::test]
async fn general_media_types_are_accepted_and_others_are_406() {
    let router = folder().router();
    for (path, expected, accepted) in [
        ("13", TEXT, &["text/vnd.ga4gh.refget.v2.0.0+plain", "text/plain", "text/*", "*/*", TEXT][..]),
        ("13/metadata", JSON, &["application/vnd.ga4gh.refget.v2.0.0+json", "application/json", "*/*", JSON]),
        ("service-info", JSON, &["application/vnd.ga4gh.refget.v2.0.0+json", "application/json", "*/*", JSON]),
    ] {
        for accept in accepted {
            let answer = ask(&router, path, &[("accept", accept)]).await;
            assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, expected), "{path} {accept}");
        }
        let answer = ask(&router, path, &[("accept", "text/embl, image/png")]).await;
        assert_eq!((answer.status, answer.header("etag")), (StatusCode::NOT_ACCEPTABLE, ""), "{path}");
    }
}

#[tokio::test]
async fn unsatisfiable_ranges_report_the_length_and_if_range_never_matches() {
    let router = folder().router();
    for (path, range) in [("13", "bytes=60-61"), ("13", "bytes=-0"), ("13?start=60", "")] {
        let headers = [("range", range)];
        let answer = ask(&router, path, if range.is_empty() { &[] } else { &headers }).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-range")), (416, "bytes */60"), "{path} {range}");
    }
    let whole = ask(&router, "13", &[]).await;
    for condition in [whole.header("etag"), "\"abc\"", "Wed, 21 Oct 2026 07:28:00 GMT"] {
        let answer = ask(&router, "13", &[("range", "bytes=5-14"), ("if-range", condition)]).await;
        assert_eq!((answer.status, answer.body), (StatusCode::OK, whole.body.clone()), "{condition}");
    }
}

#[tokio::test]
async fn accessions_have_a_namespace_and_own_proteins_another_authority() {
    let folder = folder();
    folder.add_source("soil", &format!(">one\n{}\n", SPECIFIED.0), "name\n");
    let router = folder.router();
    for id in ["mgnify:MGYP000000000013", "MGnify:13"] {
        assert_eq!(text(&ask(&router, id, &[]).await, StatusCode::OK), RANGED, "{id}");
    }
    assert_eq!(ask(&router, "mgnify:x", &[]).await.status, StatusCode::NOT_FOUND);
    let metadata = ask(&router, "900000000000/metadata", &[]).await.json();
    let of_mgnify = ["MGYP000000000012", "MGYP000000000014"].map(|alias| (alias, "MGnify"));
    let aliases = [of_mgnify[0], of_mgnify[1], ("MGYP900000000000", "mgdex")];
    let aliases = aliases.map(|(alias, authority)| json!({ "alias": alias, "naming_authority": authority }));
    assert_eq!(metadata["metadata"]["aliases"], json!(aliases));
}

#[tokio::test]
async fn sequences_without_digests_are_found_by_accession() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    assert_eq!(text(&ask(&router, "12", &[]).await, StatusCode::OK), "MKVLAA");
    let metadata = ask(&router, "12/metadata", &[]).await.json();
    assert_eq!(metadata["metadata"]["aliases"][0]["alias"], "MGYP000000000012");
    let moved = ask(&router, "21/metadata", &[]).await;
    let target = format!("http://mgdex.test{REFGET}/sequence/MGYP000000000012/metadata");
    assert_eq!((moved.status, moved.header("location")), (StatusCode::FOUND, &*target));
    let md5 = metadata["metadata"]["md5"].as_str().expect("a text");
    for path in [md5.to_owned(), format!("{md5}/metadata")] {
        let refused = ask(&router, &path, &[]).await;
        assert_eq!(refused.status, StatusCode::NOT_IMPLEMENTED);
        assert!(refused.json()["detail"].as_str().is_some_and(|text| text.contains("--checksums")));
    }
    let info = ask(&router, "service-info", &[]).await.json();
    assert_eq!(info["refget"]["algorithms"], json!([]));
}

/// Compares an answer with the description of its operation.
fn check(document: &Value, path: &str, answer: &Answer) {
    let response = &document["paths"][format!("{REFGET}{path}")]["get"]["responses"][answer.status.as_str()];
    let content_type = answer.header("content-type").split(';').next().expect("a type");
    let content = &response["content"][content_type];
    assert!(content.is_object(), "{path}: {} {content_type} is not described", answer.status);
    if content_type.ends_with("json") {
        check_schema(document, &content["schema"], &answer.json(), path).expect(path);
    }
}

#[tokio::test]
async fn the_description_agrees_with_the_answers() {
    let router = folder().router();
    let document = get(&router, &format!("{REFGET}/openapi.json")).await.json();
    assert_eq!(document["info"]["version"], "2.0.0");
    for (path, requested, status) in [
        ("/sequence/{id}", "13", 200),
        ("/sequence/{id}", "13?start=x", 400),
        ("/sequence/{id}", "99", 404),
        ("/sequence/{id}", "13?start=60", 416),
        ("/sequence/{id}", "13?start=2&end=1", 501),
        ("/sequence/{id}/metadata", "13/metadata", 200),
        ("/sequence/{id}/metadata", "99/metadata", 404),
        ("/sequence/service-info", "service-info", 200),
    ] {
        let answer = ask(&router, requested, &[]).await;
        assert_eq!(answer.status.as_u16(), status, "{requested}");
        check(&document, path, &answer);
    }
    check(&document, "/sequence/{id}", &ask(&router, "13", &[("range", "bytes=0-1")]).await);
    check(&document, "/sequence/{id}", &ask(&router, "13", &[("accept", "image/png")]).await);
    let info = ask(&router, "service-info", &[]).await.json();
    let details = json!({
        "circular_supported": false,
        "algorithms": ["md5", "ga4gh"],
        "identifier_types": ["mgnify"],
        "subsequence_limit": null,
        "supported_api_versions": ["2.0.0"],
    });
    assert_eq!(info["refget"], details);
    let description = document["info"]["description"].as_str().expect("a text");
    let link = description.split("](../../").nth(1).and_then(|rest| rest.split(')').next()).expect("a link");
    assert_eq!(get(&router, &format!("/metagenomics/proteins/{link}")).await.status, StatusCode::OK, "{link}");
}
