//! Studies and assemblies by all of their accessions, with and without a catalogue that has them.

use axum::http::{Method, StatusCode};
use serde_json::json;

use crate::services::proteins::row;
use crate::services::proteins::v2::{ask, numbers, page, problems, router_of_rows, router_with_catalogue, search};
use support::{PROTEINS_V2, TestFolder, encoded, get, post, send};

/// Accessions, and the proteins that are found with a catalogue.
const KNOWN: [(&str, &str, &[u64]); 14] = [
    ("study", "ERP108403", &[12, 15]),
    ("study", "MGYS00002008", &[12, 15]),
    ("study", "mgys2008", &[12, 15]),
    ("study", "PRJEB22493", &[12, 15]),
    ("study", "prjeb22493", &[12, 15]),
    ("assembly", "GCA_900230545", &[12]),
    ("assembly", "GCA_900230545.1", &[12]),
    ("assembly", "OCVV01", &[12]),
    ("assembly", "ERZ534240", &[15]),
    // The catalogue has them, but no protein is from them.
    ("study", "MGYS00002009", &[]),
    ("study", "PRJNA292800", &[]),
    // They look like accessions of studies and assemblies of proteins.
    ("study", "DRP000001", &[]),
    ("assembly", "SRZ000001", &[]),
    ("assembly", "erz1", &[]),
];

#[tokio::test]
async fn the_catalogue_resolves_accessions() {
    let (_folder, router) = router_with_catalogue();
    for (name, value, expected) in KNOWN {
        assert_eq!(numbers(&page(&router, &search(&[(name, value)])).await), expected, "{name}={value}");
        let query = format!("length:[0 TO *] AND {name}:({value} OR {value})");
        let found = page(&router, &search(&[("q", &query), ("count", "exact")])).await;
        assert_eq!(numbers(&found), expected, "{query}");
        assert_eq!(found["total"], json!({"value": expected.len(), "relation": "eq"}), "{query}");
        let (path, body) = (format!("{PROTEINS_V2}/proteins/search"), json!({name: [value]}).to_string());
        let posted = post(&router, &path, "application/json", body).await;
        assert_eq!(numbers(&posted.json()), expected, "{name}: {value}");
        let shown = get(&router, &format!("/portal/search?{name}={}", encoded(value))).await;
        let num_shown = shown.text().matches("name=\"proteins\" value=\"").count();
        assert_eq!(num_shown, expected.len(), "{name}={value}");
    }
}

/// Returns the texts of the problems of a refused value.
async fn refused(router: &api::Api, parameters: &[(&str, &str)]) -> Vec<String> {
    let problems = problems(router, &search(parameters)).await;
    problems.iter().map(|problem| problem["msg"].as_str().expect("a text").to_owned()).collect()
}

#[tokio::test]
async fn unknown_accessions_are_refused() {
    let (_folder, with) = router_with_catalogue();
    let (_other, without) = router_of_rows();
    let study = "understood: the accession of a study such as ERP108403, or conditions on studies such as (biome:\"root:Engineered\")";
    let of_catalogue = "no protein and no study of the catalogue has this accession";
    let of_none = "no protein has this accession, and no catalogue is loaded, so other accessions are unknown";
    for (value, known, unknown) in [
        ("MGYS99999999", of_catalogue, of_none),
        ("PRJEB1", of_catalogue, of_none),
        ("ERZ534239", of_catalogue, of_none),
        ("X1", of_catalogue, of_none),
        ("a b", of_catalogue, of_none),
        (" ", "this is not an accession", "this is not an accession"),
        ("a\u{1}b", "this is not an accession", "this is not an accession"),
        ("*", "this is not an accession", "this is not an accession"),
    ] {
        for (router, problem) in [(&with, known), (&without, unknown)] {
            let expected = format!("byte 0, \"{value}\": {problem}; {study}");
            assert_eq!(refused(router, &[("study", value)]).await, [expected]);
        }
    }
    let [suggestion] = &refused(&without, &[("q", "has:pfam AND assembly:EZR534239")]).await[..] else {
        panic!("one fault")
    };
    assert_eq!(suggestion, &format!("byte 22, \"EZR534239\": {of_none}; did you mean \"ERZ534239\" or \"ERZ534240\"?"),);
    // Studies can be suggested by their words, and so can biomes and families.
    for (name, value, expected) in [
        ("study", "marine sediment", "did you mean \"ERP108403\"?"),
        ("pfam", "ABC transporter", "did you mean \"PF00005\" or "),
        ("biome", "marine sediment", "did you mean \"root:"),
    ] {
        let problems = refused(&with, &[(name, value)]).await;
        assert!(problems[0].contains(expected), "{problems:?}");
    }
    let many = refused(&with, &[("q", &["study:EPR108403"; 100].join(" OR "))]).await;
    assert_eq!(many.iter().filter(|problem| problem.contains("did you mean")).count(), 3, "all names are compared");
    assert_eq!(many.len(), 100);
}

#[tokio::test]
async fn accessions_of_proteins_are_known_without_a_catalogue() {
    let (_folder, router) = router_of_rows();
    for (name, value, expected) in KNOWN {
        let answer = get(&router, &search(&[(name, value)])).await;
        let is_of_proteins = ["ER", "SR", "DR"].iter().any(|archive| value.to_uppercase().starts_with(archive));
        if is_of_proteins {
            assert_eq!(numbers(&answer.json()), expected, "{name}={value}");
        } else {
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}={value}");
        }
    }
}

#[tokio::test]
async fn accessions_of_proteins_take_precedence() {
    let (folder, _router) = router_with_catalogue();
    // The catalogue now uses ERP108403 for another study.
    let attributes = json!({"secondary-accession": "ERP000007", "bioproject": "ERP108403"});
    let study = json!({"type": "studies", "id": "MGYS00000001", "attributes": attributes});
    folder.publish_resources([study]);
    let router = folder.router();
    assert_eq!(numbers(&page(&router, &search(&[("study", "ERP108403")])).await), [12, 15]);
    assert_eq!(numbers(&page(&router, &search(&[("study", "MGYS00000001")])).await), [12, 15]);
}

#[tokio::test]
async fn a_new_catalogue_changes_answers_and_their_tags() {
    let folder = TestFolder::of_rows(&row(12, "true", 1, &json!({"s": [[7, [[8, [[1, 2, 178, -1]]]]]]})));
    let path = search(&[("study", "PRJEB1")]);
    let suggested = format!("{PROTEINS_V2}/suggest?kind=study&text=prjeb1");
    let publish = |secondary: &str| {
        let attributes = json!({"secondary-accession": secondary, "bioproject": "PRJEB1"});
        let study = json!({"type": "studies", "id": "MGYS00000001", "attributes": attributes});
        folder.publish_resources([study]);
        folder.router()
    };
    let (none, one) = (publish("ERP000009"), publish("ERP000007"));
    for path in [&path, &suggested] {
        let before = get(&none, path).await;
        let tag = before.header("etag");
        assert_eq!(send(&none, Method::GET, path, &[("if-none-match", tag)]).await.status, StatusCode::NOT_MODIFIED);
        let after = send(&one, Method::GET, path, &[("if-none-match", tag)]).await;
        assert_eq!(after.status, StatusCode::OK, "{path}");
        assert_ne!(before.json(), after.json(), "{path}");
    }
    assert_eq!(numbers(&page(&one, &path).await), [12]);
    let record = ask(&none, "/proteins/12").await;
    let path = format!("{PROTEINS_V2}/proteins/12");
    let again = send(&one, Method::GET, &path, &[("if-none-match", record.header("etag"))]).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED, "records have nothing of the catalogue");
}
