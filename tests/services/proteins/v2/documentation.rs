//! The OpenAPI description of the second version agrees with the answers, its examples can be run,
//! and the versions link to each other.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::Value;

use crate::services::proteins::documentation::check_schema;
use crate::services::proteins::folder_with_replacements;
use crate::services::proteins::v2::{ask, router_of_rows, search};
use support::{Answer, PROTEINS, PROTEINS_V2, get};

const FIELDS: &str = "accession,length,full_length,cluster_size,sequence,md5,ga4gh,biomes,pfam,pfam_names,clans,studies,assemblies,name,\
     source,description";

/// Returns the description of an operation below the prefix.
fn operation<'a>(document: &'a Value, path: &str) -> &'a Value {
    let operation = &document["paths"][format!("{PROTEINS_V2}{path}")]["get"];
    assert!(operation.is_object(), "{path}");
    operation
}

/// Compares an answer with the description of its operation.
fn check(document: &Value, path: &str, answer: &Answer, requested: &str) {
    let response = &operation(document, path)["responses"][answer.status.as_str()];
    let content_type = answer.header("content-type").split(';').next().expect("a type");
    let content = &response["content"][content_type];
    assert!(content.is_object(), "{requested}: {} {content_type} is not described", answer.status);
    if content_type == "application/json" {
        check_schema(document, &content["schema"], &answer.json(), requested).expect(requested);
    }
    for name in ["link", "location"].into_iter().chain((answer.status == 200).then_some("x-release")) {
        let is_described =
            response["headers"].as_object().is_some_and(|all| all.keys().any(|key| key.eq_ignore_ascii_case(name)));
        assert!(is_described || answer.header(name).is_empty(), "{requested}: {name} is not described");
    }
}

#[tokio::test]
async fn the_description_agrees_with_the_answers() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    let document = ask(&router, "/openapi.json").await.json();
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1.")), "{}", document["openapi"]);
    assert_eq!(document["info"]["version"], "2.0");
    let all = format!("/proteins?fields={FIELDS}");
    for (path, requested, status) in [
        ("/proteins", "/proteins", 200),
        ("/proteins", "/proteins?limit=2&count=exact&q=biome:root%20AND%20full_length:true", 200),
        ("/proteins", &*all, 200),
        ("/proteins", "/proteins?format=ndjson", 200),
        ("/proteins", "/proteins?format=tsv", 200),
        ("/proteins", "/proteins?format=fasta", 200),
        ("/proteins", "/proteins?format=fasta&header=full", 200),
        ("/proteins", "/proteins?format=tsv&header=full", 422),
        ("/proteins", "/proteins?q=pfam:x&limit=0&pfan=5", 422),
        ("/suggest", "/suggest?kind=biome&text=marine", 200),
        ("/suggest", "/suggest?kind=family&text=abc&limit=3", 200),
        ("/suggest", "/suggest?kind=x", 422),
        ("/sources", "/sources", 200),
        ("/sources", "/sources?limit=5", 422),
        ("/facets", "/facets?by=biome", 200),
        ("/facets", "/facets?by=biome&format=tsv&safe=1", 200),
        ("/facets", "/facets?by=biome&format=fasta", 422),
        ("/enrichment", "/enrichment?by=pfam&q=biome:62", 200),
        ("/enrichment", "/enrichment?by=pfam&q=length:9999", 200),
        ("/enrichment", "/enrichment?by=pfam&q=biome:62&format=parquet", 200),
        ("/neighbourhood", "/neighbourhood?by=pfam", 404),
        ("/proteins/{accession}", "/proteins/12", 200),
        ("/proteins/{accession}", "/proteins/14", 200),
        ("/proteins/{accession}", "/proteins/21", 302),
        ("/proteins/{accession}", "/proteins/16", 404),
        ("/proteins/{accession}", "/proteins/12?fields=length", 422),
        ("/proteins/{accession}.fasta", "/proteins/12.fasta", 200),
        ("/proteins/{accession}.fasta", "/proteins/21.fasta", 302),
        ("/proteins/{accession}.fasta", "/proteins/16.fasta", 404),
        ("/proteins/{accession}.fasta", "/proteins/12.fasta?fields=length", 422),
    ] {
        let answer = ask(&router, requested).await;
        assert_eq!(answer.status.as_u16(), status, "{requested}");
        check(&document, path, &answer, requested);
    }
    for path in ["/proteins", "/proteins/{accession}", "/proteins/{accession}.fasta", "/suggest", "/sources"] {
        let described = operation(&document, path)["responses"].as_object().expect("responses");
        for status in ["200", "304", "405", "414", "500", "503"] {
            assert!(described.contains_key(status), "{path}: {status}");
        }
    }
    let page = ask(&router, &all).await.json();
    let properties = document["components"]["schemas"]["ProteinResult"]["properties"].as_object().expect("described");
    let described: BTreeSet<&String> = properties.keys().collect();
    assert_eq!(described, page["results"][0].as_object().expect("an object").keys().collect());
    let nullable: Vec<&String> =
        properties.iter().filter(|(_, schema)| schema["type"].is_array()).map(|(name, _)| name).collect();
    assert_eq!(nullable, ["cluster_size", "description", "full_length", "name", "source"]);
    assert!(!document["paths"].to_string().contains("mgyp"));
}

#[tokio::test]
async fn every_parameter_is_described_and_every_example_can_be_run() {
    let (_folder, router) = router_of_rows();
    let document = ask(&router, "/openapi.json").await.json();
    let parameters = operation(&document, "/proteins")["parameters"].as_array().expect("a list");
    let names: BTreeSet<&str> = parameters.iter().filter_map(|parameter| parameter["name"].as_str()).collect();
    for name in [
        "q",
        "biome",
        "biome_exact",
        "pfam",
        "clan",
        "study",
        "assembly",
        "full_length",
        "accession",
        "has",
        "name",
        "source",
        "limit",
        "after",
    ] {
        assert!(names.contains(name), "{name}");
    }
    let mut examples = Vec::new();
    for parameter in parameters {
        let name = parameter["name"].as_str().expect("a name");
        // An unknown parameter is distinguished from one with a faulty value.
        let problem = get(&router, &search(&[(name, "\u{1}")])).await.json();
        assert_eq!(problem["detail"].as_array().map(Vec::len), Some(1), "{name}");
        assert_ne!(problem["detail"][0]["type"], "extra_forbidden", "{name}");
        match &parameter["example"] {
            Value::Null => {}
            Value::String(text) => examples.push((name, text.clone())),
            other => examples.push((name, other.to_string())),
        }
    }
    assert!(examples.len() > 3, "{examples:?}");
    let examples: Vec<(&str, &str)> = examples.iter().map(|(name, value)| (*name, &**value)).collect();
    assert_eq!(get(&router, &search(&examples)).await.status, StatusCode::OK, "{examples:?}");
    for example in examples {
        assert_eq!(get(&router, &search(&[example])).await.status, StatusCode::OK, "{example:?}");
    }
    let suggested = operation(&document, "/suggest")["parameters"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let examples = suggested.map(|parameter| (text(&parameter["name"]), text(&parameter["example"])));
    let examples = form_urlencoded::Serializer::new(String::new()).extend_pairs(examples).finish();
    let suggestions = ask(&router, &format!("/suggest?{examples}")).await.json();
    assert_eq!(suggestions["suggestions"].as_array().map(Vec::len), Some(5), "{examples}");
    for path in ["/proteins/{accession}", "/proteins/{accession}.fasta"] {
        let example = operation(&document, path)["parameters"][0]["example"].as_str().expect("an accession");
        // This small index has no such protein, but the path is valid.
        let answer = ask(&router, &path.replace("{accession}", example)).await;
        assert!(answer.json()["detail"].as_str().is_some_and(|text| text.contains(example)), "{answer:?}");
    }
}

#[tokio::test]
async fn pages_link_to_each_other() {
    let (_folder, router) = router_of_rows();
    for (prefix, other) in [(PROTEINS, PROTEINS_V2), (PROTEINS_V2, PROTEINS)] {
        let document = get(&router, &format!("{prefix}/openapi.json")).await.json();
        let text = document["info"]["description"].as_str().expect("a text");
        let links = text.split("](../").skip(1).filter_map(|rest| rest.split(')').next());
        // Relative to the page, which is at `docs/`.
        let targets = links.map(|link| {
            let rest = link.trim_start_matches("../");
            let up = (link.len() - rest.len()) / "../".len();
            let directory = prefix.rsplitn(up + 1, '/').last().expect("a folder");
            format!("{directory}/{rest}")
        });
        let targets: Vec<String> = targets.collect();
        assert!(targets.contains(&format!("{other}/docs/")), "{targets:?}");
        for target in targets {
            assert_eq!(get(&router, &target).await.status, StatusCode::OK, "{target}");
        }
    }
}
