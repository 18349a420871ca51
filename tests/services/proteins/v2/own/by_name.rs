//! Requests for proteins by name: records, sequences, batches.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use support::{PROTEINS_V2, TestFolder, get_protein, send, send_body};

use crate::services::proteins::v2::rows;

use super::{SITE, SOURCES, ask, post, refused, segment};

#[tokio::test]
async fn names_find_the_record_of_the_protein() {
    for (source, names) in SOURCES {
        for name in names {
            let expected = &SITE.protein(source, name).accession.to_string();
            for source in [source.to_owned(), source.to_uppercase(), source.to_lowercase()] {
                let answer = ask(&format!("/proteins/{}", segment(&format!("{source}:{name}")))).await;
                assert_eq!(answer.status, StatusCode::OK, "{source}:{name}");
                assert_eq!(answer.json()["accession"], **expected, "{source}:{name}");
            }
        }
    }
    for (requested, source, name) in [
        ("k141_1", "soil", "k141_1"),
        ("%6b141_1", "soil", "k141_1"),
        ("k141_1/", "soil", "k141_1"),
        ("NODE:7", "soil", "NODE:7"),
        ("100%25", "soil", "100%"),
        ("%C3%A9_1", "soil", "é_1"),
        // Soil has no x, so this is a name.
        ("soil:x", "Sea.2", "soil:x"),
        ("soil:k141_1", "soil", "k141_1"),
        ("sea.2:soil:k141_1", "Sea.2", "soil:k141_1"),
    ] {
        let record = ask(&format!("/proteins/{requested}")).await.json();
        assert_eq!((&record["source"], &record["name"]), (&json!(source), &json!(name)), "{requested}");
        let own = format!("/metagenomics/proteins/api/v2/proteins/{}", record["accession"].as_str().expect("a text"));
        assert!(record["links"]["self"].as_str().is_some_and(|link| link.ends_with(&own)));
    }
}

#[tokio::test]
async fn accessions_take_precedence_over_names() {
    for requested in ["12", "MGYP7", "mgyp000000000012"] {
        let detail = refused(&ask(&format!("/proteins/{requested}")).await, StatusCode::NOT_FOUND);
        assert_eq!(detail, format!("No protein has the accession '{requested}'."));
    }
    let record = ask("/proteins/soil:12").await.json();
    assert_eq!(record["name"], "12");
    // A name that is also the path of an operation.
    assert_eq!(ask("/proteins/search").await.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(ask("/proteins/soil:search").await.json()["name"], "search");
}

#[tokio::test]
async fn ambiguous_names_are_409_and_unknown_ones_404() {
    for suffix in ["", ".fasta"] {
        let detail = refused(&ask(&format!("/proteins/shared{suffix}")).await, StatusCode::CONFLICT);
        let expected = "'shared' does not identify a single protein: 2 sources have a protein with this name: soil, Sea.2; add the source, as in soil:shared.";
        assert_eq!(detail, expected);
        let long = "a".repeat(201);
        for requested in
            ["K141_1", "nope", "soil:nope", "nope:k141_1", "release:k141_1", ":", "soil:", "a%0Ab", "%FF", &long]
        {
            let answer = ask(&format!("/proteins/{requested}{suffix}")).await;
            let detail = refused(&answer, StatusCode::NOT_FOUND);
            assert!(detail.as_str().is_some_and(|text| text.starts_with("No protein has the accession or the name '")));
        }
    }
}

#[tokio::test]
async fn records_have_the_three_keys_and_those_of_the_release_have_none() {
    let record = ask("/proteins/soil:k141_1").await.json();
    assert_eq!(record["description"], "number 0 of \"mine\"");
    let keys: Vec<&String> = record.as_object().expect("an object").keys().take(5).collect();
    assert_eq!(keys, ["accession", "name", "source", "description", "length"]);
    assert_eq!(ask("/proteins/soil:k141_2").await.json()["description"], Value::Null);
    let of_release = ask("/proteins/MGYP004580619181").await.json();
    let record = of_release.as_object().expect("an object");
    assert!(["name", "source", "description"].iter().all(|key| !record.contains_key(*key)));
}

#[tokio::test]
async fn the_first_version_has_own_accessions_and_no_names() {
    let own = SITE.protein("soil", "k141_1");
    let record = get_protein(&SITE.api, &format!("/protein/{}", own.accession)).await.json();
    assert_eq!(record["sequence"], own.sequence);
    assert!(record.as_object().expect("an object").keys().all(|key| key != "name" && key != "source"));
    let refused = get_protein(&SITE.api, "/protein/k141_1").await;
    assert_eq!(
        (refused.status, &refused.json()["detail"]),
        (StatusCode::NOT_FOUND, &json!("No protein has the accession 'k141_1'."))
    );
    let found = get_protein(&SITE.api, "/protein/search?biome_lineage=root:Mine").await.mgyps();
    let expected = SITE.own.iter().filter(|own| own.biomes.iter().any(|biome| biome.lineage == "root:Mine"));
    assert_eq!(found, expected.map(|own| own.accession.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn batches_accept_names_and_report_ambiguous_ones() {
    let requested = ["MGYP004580619181", "k141_1", "SOIL:shared", "shared", "nope", "sea.2:soil:x", "12", "soil:12"];
    let accession = |source, name| SITE.protein(source, name).accession.to_string();
    let error = "2 sources have a protein with this name: soil, Sea.2; add the source, as in soil:shared";
    let none = "not a protein accession: expected MGYP and 1 to 12 significant digits, and no protein of own data has this name";
    let expected = [
        json!({"accession": "MGYP004580619181", "name": null}),
        json!({"accession": accession("soil", "k141_1"), "name": "k141_1"}),
        json!({"accession": accession("soil", "shared"), "name": "shared"}),
        json!({"accession": "shared", "error": error}),
        json!({"accession": "nope", "error": none}),
        json!({"accession": accession("Sea.2", "soil:x"), "name": "soil:x"}),
        json!({"accession": "MGYP000000000012", "found": false}),
        json!({"accession": accession("soil", "12"), "name": "12"}),
    ];
    for (content_type, body) in
        [("text/plain", requested.join("\n")), ("application/json", json!(requested).to_string())]
    {
        let answer = post("/proteins/batch?fields=name", content_type, body).await;
        assert_eq!((answer.status, answer.header("x-missing")), (StatusCode::OK, "3"));
        assert_eq!(answer.json()["results"], json!(expected));
    }
    let fasta = post("/proteins/batch?format=fasta", "text/plain", "k141_2\nsoil:k141_2\nnope\n").await;
    assert_eq!((fasta.text().matches('>').count(), fasta.header("x-missing")), (1, "2"));
    let whole = post("/proteins/batch", "text/plain", "k141_1").await.json();
    assert_eq!(whole["results"][0], ask("/proteins/k141_1").await.json());
}

#[tokio::test]
async fn look_ups_of_a_batch_are_limited() {
    let folder = TestFolder::of_rows(&rows());
    for number in 0..11 {
        folder.add_source(&format!("s{number}"), ">a\nMKV\n", "name\n");
    }
    let router = folder.router();
    let path = format!("{PROTEINS_V2}/proteins/batch?fields=name");
    let ask =
        async |body: String| send_body(&router, Method::POST, &path, &[("content-type", "text/plain")], body).await;
    let refused = refused(&ask("a\n".repeat(90_910)).await, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(refused, "The body has more than 90909 names; each is looked up in each source of own data.");
    let mixed = ask("12\n".repeat(99_998) + "s10:a\na").await;
    assert_eq!((mixed.status, mixed.header("x-missing")), (StatusCode::OK, "1"));
}

#[tokio::test]
async fn sources_are_listed() {
    let answer = ask("/sources").await;
    assert_eq!(answer.status, StatusCode::OK);
    let listed = answer.json();
    let listed = listed["sources"].as_array().expect("a list");
    assert_eq!(listed.len(), SOURCES.len());
    for ((source, names), listed) in SOURCES.iter().zip(listed) {
        let own: Vec<_> = SITE.own.iter().filter(|own| own.source.as_deref() == Some(source)).collect();
        let [first, last] = [own.first(), own.last()].map(|own| own.expect("some").accession.to_string());
        let expected = [json!(source), json!(names.len()), json!(first), json!(last)];
        assert_eq!(["name", "num_proteins", "first", "last"].map(|key| listed[key].clone()), expected);
        let added = listed["added"].as_str().expect("a text");
        assert!(added.len() == 20 && added.ends_with('Z') && added[10..].starts_with('T'), "{added}");
    }
    let tag = answer.header("etag");
    let path = "/metagenomics/proteins/api/v2/sources";
    let again = send(&SITE.api, Method::GET, path, &[("if-none-match", tag)]).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert_eq!(ask("/sources?name=soil").await.status, StatusCode::UNPROCESSABLE_ENTITY);
}
