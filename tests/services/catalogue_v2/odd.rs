//! Odd requests, headers, a server without data, and rows of version 1 in answers of version 2.

use std::collections::{BTreeMap, BTreeSet};

use api::ServiceConfig;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use support::{TestFolder, send};

use super::asking::{V2, ask, documents, get, get_json};
use crate::services::catalogue::real;

#[tokio::test]
async fn odd_requests_get_no_internal_error() {
    for (path, status) in [
        ("/studies/?search=%00", 200),
        ("/studies/?search=a%00b&biome_lineage=%00", 200),
        ("/samples/?search=%FF%FE", 200),
        ("/studies/?biome_lineage=root::x", 200),
        ("/studies/?biome_lineage=root..x", 200),
        ("/studies/?page=9223372036854775807&page_size=100", 200),
        ("/studies/?page=99999999999999999999999999", 200),
        ("/biomes/?max_depth=99999999999999999999999999", 200),
        ("/publications/?published_after=-99999999999999999999999999", 200),
        ("/studies/%00", 404),
        ("/samples/%00/runs/", 404),
        ("/samples/NOPE/runs/", 404),
        ("/samples/NOPE/assemblies/", 404),
        ("/samples/a%2Fb", 404),
        ("/samples/%FF", 404),
        ("/studies//", 404),
        ("//studies/", 404),
        ("/Studies/", 404),
        ("/publications/0x10", 422),
        ("/publications/-5", 404),
        ("/genomes/MGYG000000001?catalogue_id=", 200),
        ("/fieldfiles/download/?name=x", 404),
        ("/analyses/MGYA09000001/annotations/pfams?page_size=0", 422),
    ] {
        assert!(get(path).await.checked(status, path).json().is_object());
    }
    let label = "x".repeat(300);
    assert_eq!(get_json(&format!("/studies/?biome_lineage=root:{label}")).await["count"], 0);
    let long = get(&format!("/studies/?search={}", "x".repeat(1_001))).await;
    assert_eq!(long.status, StatusCode::UNPROCESSABLE_ENTITY);
    let many = get(&format!("/studies/?{}", "a=1&".repeat(1_001))).await;
    assert_eq!(many.status, StatusCode::UNPROCESSABLE_ENTITY);
    let with_biome = documents("studies").iter().filter(|study| study["biome"].is_object()).count();
    assert_eq!(get_json("/studies/?biome_lineage=%C3%A9").await["count"], with_biome, "all that have a biome");
}

#[tokio::test]
async fn unserved_paths_say_so_and_the_documentation_needs_no_other_host() {
    let answer = get("/studies/").await;
    assert_eq!(answer.header("content-type"), "application/json; charset=utf-8");
    let unserved = ask(Method::POST, "/genome-search/", &[]).await;
    assert_eq!(unserved.status, StatusCode::NOT_IMPLEMENTED);
    assert!(unserved.json()["detail"].is_string());
    for path in ["/docs/", "/openapi.json"] {
        assert_eq!(get(path).await.status, StatusCode::OK, "{path}");
    }
    let text = String::from_utf8(get("/docs/").await.body).expect("text");
    assert!(!text.contains("https://"), "the page contacts no other host");
}

#[tokio::test]
async fn news_list_the_newest_studies() {
    let answer = get("/rss/studies/").await;
    assert_eq!(answer.header("content-type"), "application/rss+xml; charset=utf-8");
    let newest = get_json("/studies/?order=-updated_at&page_size=20").await;
    let links: Vec<&str> = answer
        .text()
        .split("<guid isPermaLink=\"true\">")
        .skip(1)
        .map(|rest| &rest[..rest.find('<').expect("closed")])
        .collect();
    let expected: Vec<String> = super::asking::each(&newest, "accession")
        .iter()
        .map(|accession| format!("http://mgdex.test{V2}/studies/{}", accession.as_str().expect("a text")))
        .collect();
    assert_eq!(links, expected);
}

#[tokio::test]
async fn answers_without_data_say_so() {
    let folder = TestFolder::empty();
    let answer = send(&folder.router(), Method::GET, &format!("{V2}/studies/"), &[]).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.json()["detail"].as_str().is_some_and(|text| text.contains("catalogue load")));
    assert_eq!(answer.header("retry-after"), "1");
}

/// Requests all items of a list from a server over rows of version 1.
async fn all(router: &api::Api, path: &str) -> Vec<Value> {
    send(router, Method::GET, &format!("{V2}{path}?format=ndjson"), &[]).await.lines()
}

/// The official import made the documents from exactly these rows.
#[tokio::test]
async fn rows_of_version_1_agree_with_the_official_import() {
    let router = real::router();
    let members =
        ["title", "biome", "sample_title", "experiment_type", "instrument_model", "pipeline_version", "published_year"];
    for (path, file, key) in [
        ("/studies/", "studies", "accession"),
        ("/samples/", "samples", "accession"),
        ("/runs/", "runs", "accession"),
        ("/analyses/", "analyses", "accession"),
        ("/publications/", "publications", "pubmed_id"),
    ] {
        let made: BTreeMap<String, Value> =
            all(router, path).await.into_iter().map(|item| (item[key].to_string(), item)).collect();
        let mut num_compared = 0;
        for imported in documents(file) {
            let Some(made) = made.get(&imported[key].to_string()) else { continue };
            num_compared += 1;
            let names = |item: &Value| item.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
            assert!(names(&imported).starts_with(&names(made)), "{:?}", names(made));
            for member in members.iter().filter(|member| made.get(**member).is_some()) {
                // The real program has lost some values, and a level of some lineages.
                let lineage = imported[member]["lineage"].as_str();
                let is_cut = lineage.is_some_and(|lineage| lineage.contains("Thermal springs"));
                if !imported[member].is_null() && !is_cut {
                    assert_eq!(made[member], imported[member], "{member} of {}", imported[key]);
                }
            }
            let accessions = |item: &Value| {
                let accessions = item["ena_accessions"].as_array().into_iter().flatten();
                accessions.map(ToString::to_string).collect::<BTreeSet<_>>()
            };
            // The import has merged samples of one BioSample.
            let is_merged = path == "/samples/" && accessions(&imported).len() > accessions(made).len();
            assert!(is_merged || accessions(made).is_superset(&accessions(&imported)), "{}", imported[key]);
        }
        assert!(num_compared > 20, "{num_compared} of {file}");
    }
    let biome = send(router, Method::GET, &format!("{V2}/biomes/?max_depth=1"), &[]).await.json();
    assert_eq!(biome, json!({"count": 1, "items": [{"biome_name": "root", "lineage": "root"}]}));
}

/// Returns a server over documents, given by the names of their files.
fn over(documents: &[(&str, Value)]) -> (TestFolder, api::Api) {
    let folder = TestFolder::empty();
    let harvest = folder.path().join("documents");
    std::fs::create_dir(&harvest).expect("a new folder");
    for (name, documents) in documents {
        let lines: Vec<String> = documents.as_array().expect("a list").iter().map(Value::to_string).collect();
        std::fs::write(harvest.join(format!("{name}.jsonl")), lines.join("\n")).expect("writable");
    }
    folder.publish_harvest(Vec::new(), Some(harvest));
    let router = folder.router();
    (folder, router)
}

#[tokio::test]
async fn malformed_lists_have_no_items() {
    let annotation = json!({"count": 1, "description": "a", "organism": null});
    let (_folder, router) = over(&[
        ("assemblies", json!([{"accession": "ERZ1"}, {"accession": "ERZ2"}])),
        ("assembly-genome-links", json!([{"assembly": "ERZ1", "items": null}, {"assembly": "ERZ2", "items": "x"}])),
        ("assembly-additional-contained-genomes", json!([{"assembly": "ERZ1", "items": {}}])),
        ("analyses", json!([{"accession": "MGYA1"}, {"accession": "MGYA2"}])),
        (
            "analysis-annotations",
            json!([
                {"accession": "MGYA1", "annotations": {"pfams": [annotation, null, 1, {"more": 2}], "taxonomies": []}},
                {"accession": "MGYA2", "annotations": 1},
            ]),
        ),
    ]);
    for (path, count) in [
        ("/assemblies/ERZ1/genome-links", 0),
        ("/assemblies/ERZ2/genome-links", 0),
        ("/assemblies/ERZ1/additional-contained-genomes", 0),
        ("/analyses/MGYA1/annotations/pfams", 2),
        ("/analyses/MGYA1/annotations/taxonomies__ssu", 0),
        ("/analyses/MGYA2/annotations/pfams", 0),
    ] {
        let answer = send(&router, Method::GET, &format!("{V2}{path}"), &[]).await;
        assert_eq!((answer.status, &answer.json()["count"]), (StatusCode::OK, &json!(count)), "{path}");
    }
}

#[tokio::test]
async fn embedded_resources_count_towards_memory_of_answers() {
    let sample = json!({"accession": "SAMEA1", "ena_accessions": ["SAMEA1"], "sample_title": "x".repeat(1 << 20)});
    let analyses =
        (0..100).map(|number| json!({"accession": format!("MGYA{number:08}"), "sample": {"accession": "SAMEA1"}}));
    let (folder, _) = over(&[("samples", json!([sample])), ("analyses", analyses.collect())]);
    let router = folder.router_with(&ServiceConfig { answer_bytes_max: 16 << 20, ..ServiceConfig::default() });
    let ask = async |query: &str| send(&router, Method::GET, &format!("{V2}/analyses/?{query}"), &[]).await;
    assert_eq!(ask("page_size=100").await.status, StatusCode::SERVICE_UNAVAILABLE);
    let answer = ask("page_size=100&fields=accession").await;
    assert_eq!((answer.status, answer.json()["items"].as_array().map(Vec::len)), (StatusCode::OK, Some(100)));
    assert_eq!(ask("page_size=2").await.status, StatusCode::OK);
}

#[tokio::test]
async fn biomes_keep_their_order_with_any_members() {
    let lineages = ["root", "root:Z", "root:A", "root:Z", "root:B"];
    let biomes = lineages.iter().enumerate().map(|(number, lineage)| json!({"lineage": lineage, "more": 9 - number}));
    let (_folder, router) = over(&[("biomes", biomes.collect())]);
    let biomes = send(&router, Method::GET, &format!("{V2}/biomes/"), &[]).await.json();
    assert_eq!(super::asking::each(&biomes, "lineage"), lineages);
}

#[tokio::test]
async fn root_redirects_to_the_documentation_below_any_address() {
    let base_url = Some("https://mgdex.test/public".parse().expect("an address"));
    let router = TestFolder::empty().router_with(&ServiceConfig { base_url, ..ServiceConfig::default() });
    for path in ["", "/"] {
        let answer = send(&router, Method::GET, &format!("{V2}{path}"), &[]).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (StatusCode::SEE_OTHER, "/public/metagenomics/api/v2/docs/")
        );
    }
}
