//! Requests that earlier versions answered with something other than they asked for.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::real::{CATALOGUE, ask, get, get_json, ids, refusal, resources, router};
use support::post;

fn count(answer: &Value) -> u64 {
    answer["meta"]["pagination"]["count"].as_u64().expect("a count")
}

/// Posts a search, and returns the status and the answer.
async fn search(collection: &str, body: &Value) -> (StatusCode, Value) {
    let path = format!("{CATALOGUE}/{collection}/search");
    let answer = post(router(), &path, "application/json", body.to_string()).await;
    (answer.status, answer.json())
}

#[tokio::test]
async fn searches_ignore_dates_of_records_and_include_years_of_publications() {
    let samples = resources("samples");
    let has_22 = |sample: &&Value| {
        let attributes = sample["attributes"].as_object().expect("an object");
        let texts =
            attributes.iter().filter(|(name, _)| !["last-update", "analysis-completed"].contains(&name.as_str()));
        let entries = sample["attributes"]["sample-metadata"].as_array().into_iter().flatten();
        let values = entries.filter_map(|entry| entry["value"].as_str());
        let mut texts = texts.filter_map(|(_, value)| value.as_str()).chain(values).chain(sample["id"].as_str());
        texts.any(|text| text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "22"))
    };
    let expected = samples.iter().filter(has_22).count() as u64;
    assert_eq!(count(&get_json("/samples?search=22").await), expected);
    let publications = resources("publications");
    let of_2017 = publications.iter().filter(|it| it["attributes"]["published-year"] == 2017).count() as u64;
    assert!(of_2017 > 0 && count(&get_json("/publications?search=2017").await) >= of_2017);
}

#[tokio::test]
async fn empty_lists_match_nothing() {
    for query in ["accession=,,,", "experiment_type=,", "study_accession=,"] {
        assert_eq!(count(&get_json(&format!("/samples?{query}")).await), 0, "{query}");
    }
    let all = count(&get_json("/samples").await);
    assert_eq!(count(&get_json("/samples?accession=&study_accession=").await), all);
    for body in [json!({"accession": []}), json!({"filter": {"accession": []}}), json!({"experiment_type": []})] {
        let (status, answer) = search("samples", &body).await;
        assert_eq!((status, count(&answer)), (StatusCode::OK, 0), "{body}");
    }
    for body in [json!({"lineage": null}), json!({"lineage": []}), json!({"accession": null})] {
        let (status, answer) = search("samples", &body).await;
        let detail = answer["errors"][0]["detail"].as_str().unwrap_or_default();
        assert!(status == StatusCode::BAD_REQUEST && detail.contains("leave it out"), "{body}: {answer}");
    }
}

#[tokio::test]
async fn strict_accepts_several_values_and_refuses_unused_parameters() {
    for word in ["1", "true", "Yes", "ON"] {
        assert!(refusal(&format!("/samples?strict={word}&zzz=1")).await.contains("\"zzz\""), "{word}");
    }
    for word in ["", "0", "false", "No", "off"] {
        assert_eq!(get(&format!("/samples?strict={word}&zzz=1")).await.status, StatusCode::OK, "{word}");
    }
    assert!(refusal("/samples?strict=2").await.starts_with("Enter 1 (or true"));
    for (path, ignored, part) in [
        ("/samples?fields[samples]=nope", "fields[samples]=nope", "has a field \"nope\""),
        ("/samples?fields[samples]=acession", "fields[samples]=acession", "Did you mean accession?"),
        ("/samples?fields[nope]=x", "fields[nope]=x", "no resources of the type \"nope\""),
        ("/samples?ordering=relevance", "ordering=relevance", "relevance"),
        ("/samples?metadata_key=depth&metadata_key=pH", "metadata_key=depth", "Enter \"metadata_key\" only once"),
        ("/samples?lineage=root&filter[lineage]=x&lineage=root", "lineage=root", "Enter \"lineage\" only once"),
        ("/biomes?ordering=-studies_count", "ordering=studies_count", "studies_count"),
    ] {
        let answer = get_json(path).await;
        assert_eq!(answer["meta"]["ignored"], json!([ignored]), "{path}");
        assert!(refusal(&format!("{path}&strict=1")).await.contains(part), "{path}");
    }
    for path in [
        "/samples?fields[samples]=accession,biome,url,sample-metadata&strict=1",
        "/samples?search=sea&ordering=relevance&strict=1",
        "/samples?accession=ERS1474502&accession=ERS1474503&strict=1",
        "/biomes?fields[biomes]=lineage,lineage-samples-count&ordering=-samples_count&strict=1",
    ] {
        assert_eq!(get_json(path).await["meta"].get("ignored"), None, "{path}");
    }
}

#[tokio::test]
async fn levels_of_biomes_must_be_numbers() {
    assert!(count(&get_json("/biomes?depth=3").await) > 0);
    for depth in ["2,3", "abc"] {
        assert_eq!(refusal(&format!("/biomes?depth={depth}")).await, "Enter a number.");
    }
}

#[tokio::test]
async fn accessions_with_commas_can_be_requested() {
    let runs = resources("runs");
    let pooled: Vec<&str> = runs.iter().filter_map(|run| run["id"].as_str().filter(|id| id.contains(','))).collect();
    assert_eq!(pooled.len(), 17);
    let found = get_json(&format!("/runs?accession={}&accession={}", pooled[0], pooled[1])).await;
    assert_eq!(count(&found), 2);
    assert!(ids(&found).iter().all(|id| pooled[..2].contains(id)));
    let all: Vec<&Value> = runs.iter().map(|run| &run["id"]).collect();
    let (status, answer) = search("runs", &json!({"accession": all})).await;
    assert_eq!((status, count(&answer)), (StatusCode::OK, runs.len() as u64));
    let (status, answer) = search("runs", &json!({"accession": [pooled[0]]})).await;
    assert_eq!((status, ids(&answer)), (StatusCode::OK, vec![pooled[0]]));
}

#[tokio::test]
async fn documented_examples_of_bodies_are_answered() {
    let document = get_json("/openapi.json").await;
    let mut num_examples = 0;
    for (path, item) in document["paths"].as_object().expect("an object") {
        let example = &item["post"]["requestBody"]["content"]["application/json"]["example"];
        if example.is_null() {
            continue;
        }
        let collection = path.trim_start_matches(CATALOGUE).trim_matches('/').trim_end_matches("/search");
        let (status, answer) = search(collection, example).await;
        assert_eq!(status, StatusCode::OK, "{path}: {example}: {answer}");
        num_examples += 1;
    }
    assert_eq!(num_examples, 15);
    for path in ["/biomes/top10", "/samples/{id}/metadata", "/studies/{id}/geocoordinates"] {
        let described = &document["paths"][format!("{CATALOGUE}{path}")]["get"]["responses"];
        assert!(described.get("400").is_some(), "{path}");
    }
}

#[tokio::test]
async fn errors_have_the_accepted_media_type() {
    for (accepted, expected) in [
        ("application/vnd.api+json", "application/vnd.api+json"),
        ("application/json", "application/json"),
        ("*/*", "application/json"),
    ] {
        let answer = ask(Method::GET, "/samples/nope", &[("accept", accepted)]).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::NOT_FOUND, expected), "{accepted}");
    }
    let long = format!("/samples?accession={}", "ERS1474502,".repeat(4_000));
    let answer = get(&long).await;
    let text = answer.text();
    assert!(answer.status == StatusCode::URI_TOO_LONG && text.contains("/search`"), "{text}");
}
