//! Requests for lists: with the parameters of JSON:API, strict ones, searches of texts, and bodies.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use crate::services::catalogue::real::{BASE_URL, CATALOGUE, ask, get, get_json, ids, resources, router, router_over};
use support::{Answer, TestFolder, encoded, post};

const JSON: &str = "application/json";

/// Asks for a list with a body.
async fn search(path: &str, body: &Value) -> Answer {
    post(router(), &format!("{CATALOGUE}{path}"), JSON, body.to_string()).await
}

/// Returns the number of resources of a list.
async fn count(path: &str) -> u64 {
    get_json(path).await["meta"]["pagination"]["count"].as_u64().expect("a number")
}

/// Returns the detail of an error.
fn detail(answer: &Answer) -> String {
    answer.json()["errors"][0]["detail"].as_str().expect("a text").to_owned()
}

#[tokio::test]
async fn names_of_json_api_are_synonyms_of_parameters() {
    for (old, standard) in [
        (
            "/samples?lineage=root:Environmental&page_size=5&page=3",
            "/samples?filter[lineage]=root:Environmental&page[size]=5&page[number]=3",
        ),
        ("/samples?ordering=-sample_name,accession", "/samples?sort=-sample-name,accession"),
        ("/runs?study_accession=MGYS00000257&accession=", "/runs?filter[study-accession]=MGYS00000257"),
        ("/biomes?depth=3&ordering=-lineage", "/biomes?filter%5Bdepth%5D=3&sort=-lineage"),
        ("/studies?fields[studies]=study_name", "/studies?fields[studies]=study-name"),
        ("/studies?search=soil&include=biomes", "/studies?filter[search]=soil&include=biomes"),
    ] {
        let (old, standard) = (get_json(old).await, get_json(standard).await);
        assert!(!ids(&old).is_empty());
        for member in ["data", "included", "meta"] {
            assert_eq!(old.get(member), standard.get(member), "{member}");
        }
    }
    assert_eq!(
        count("/samples?lineage=root:Engineered&filter[lineage]=root:Environmental").await,
        count("/samples?lineage=root:Engineered").await
    );
    let page = get_json("/samples?page[size]=2").await;
    let next = page["links"]["next"].as_str().expect("a link");
    assert_eq!(next, format!("{BASE_URL}{CATALOGUE}/samples?page%5Bnumber%5D=2&page%5Bsize%5D=2"));
    let next = get_json(next.strip_prefix(&format!("{BASE_URL}{CATALOGUE}")).expect("of this server")).await;
    assert_eq!(next["meta"]["pagination"]["page"], 2);
}

#[tokio::test]
async fn ignored_parameters_are_listed_or_refused() {
    for (path, ignored) in [
        ("/samples?biome=root&page_size=1", json!(["biome"])),
        ("/samples?filter[biome]=root&ordering=nope", json!(["filter[biome]", "ordering=nope"])),
        ("/cogs?search=x&ordering=name", json!(["search"])),
        ("/samples/ERS074453?page=2", json!(["page"])),
        ("/studies/MGYS00000257/analyses?acession=1", json!(["acession"])),
        ("/studies/MGYS00000257/geocoordinates?lineage=root", json!(["lineage"])),
        ("/biomes/top10?ordering=x", json!(["ordering"])),
    ] {
        assert_eq!(get_json(path).await["meta"]["ignored"], ignored, "{path}");
        let refused = get(&format!("{path}&strict=1")).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["code"]), (400, &json!("invalid")), "{path}");
    }
    assert_eq!(get_json("/samples?lineage=root&strict=1").await["meta"].get("ignored"), None);
    let refused = get("/analyses?study_acession=MGYS00000257&strict=1").await;
    assert!(
        detail(&refused)
            .starts_with("Unknown parameter \"study_acession\". Did you mean study_accession? Choose from: ")
    );
    assert_eq!(refused.json()["errors"][0]["source"]["pointer"], "/data/attributes/study-acession");
}

/// Loads two resources of an unknown type.
fn organisms() -> TestFolder {
    let folder = TestFolder::empty();
    let rows = folder.path().join("rows.jsonl");
    std::fs::write(&rows, "{\"type\":\"organisms\",\"id\":\"1\"}\n{\"type\":\"organisms\",\"id\":\"2\"}")
        .expect("room");
    let mut load = support::program();
    load.args(["catalogue", "load", "--quiet", "--data"]).arg(folder.path()).arg(&rows);
    assert!(load.output().expect("the binary").status.success());
    folder
}

#[tokio::test]
async fn bodies_count_towards_memory_of_answers() {
    let folder = organisms();
    let config = api::ServiceConfig { answer_bytes_max: 8 << 20, ..api::ServiceConfig::default() };
    let router = router_over(folder.path(), &config);
    for (num_bytes, status) in [(1_000_000, 200), (2_000_000, 503)] {
        let body = json!({"accession": "x".repeat(num_bytes)}).to_string();
        let answer = post(&router, &format!("{CATALOGUE}/organisms/search"), JSON, body).await;
        assert_eq!(answer.status, status, "{num_bytes}");
    }
}

#[tokio::test]
async fn servers_can_be_strict_and_unknown_types_always_are() {
    let folder = organisms();
    let mut config = api::ServiceConfig::default();
    for is_strict in [false, true] {
        config.strict_parameters = is_strict;
        let router = router_over(folder.path(), &config);
        let status = async |path: &str| support::get(&router, &format!("{CATALOGUE}{path}")).await.status.as_u16();
        assert_eq!(status("/organisms?accession=1&page_size=2&format=json").await, 200);
        assert_eq!(status("/organisms?rank=1").await, 400);
        assert_eq!(status("/organisms?ordering=rank").await, 400);
        assert_eq!(status("/samples?biome=1").await, if is_strict { 400 } else { 200 });
    }
}

#[tokio::test]
async fn texts_are_searched_by_words_phrases_and_exclusions() {
    let samples = resources("samples");
    let (water, sea) = (count("/samples?search=water").await, count("/samples?search=sea").await);
    let both = count("/samples?search=sea%20water").await;
    let phrase = count("/samples?search=%22sea%20water%22").await;
    assert!(0 < phrase && phrase < both && both < sea.min(water), "{phrase} {both} {sea} {water}");
    assert_eq!(count("/samples?search=sea%20-water").await, sea - both);
    assert_eq!(count("/samples?search=sea,-%22sea%20water%22").await, sea - phrase);
    assert_eq!(count("/samples?search=-water").await, samples.len() as u64 - water);
    for nothing in ["-", "%22%22", "%C2%B0", "%26%20%7C"] {
        assert_eq!(count(&format!("/samples?search={nothing}")).await, 0, "{nothing}");
    }
    assert_eq!(count("/samples?search=").await, samples.len() as u64);
    // Runs and analyses are found by their accessions.
    let run = &resources("runs")[7];
    let accession = run["id"].as_str().expect("a text");
    let analyses = get_json(&format!("/analyses?search={}", accession.to_lowercase())).await;
    assert!(!ids(&analyses).is_empty());
    for analysis in analyses["data"].as_array().expect("a list") {
        assert_eq!(analysis["relationships"]["run"]["data"]["id"], accession);
    }
    let sample = samples.iter().find(|sample| sample["id"] == "ERS074453").expect("bundled");
    let value = sample["attributes"]["sample-metadata"][0]["value"].as_str().expect("a text");
    let query = encoded(&format!("\"{value}\""));
    let runs = get_json(&format!("/runs?search={query}&page_size=250")).await;
    assert!(
        runs["data"]
            .as_array()
            .expect("a list")
            .iter()
            .any(|run| run["relationships"]["sample"]["data"]["id"] == "ERS074453")
    );
}

#[tokio::test]
async fn ordering_by_relevance_puts_best_matches_first() {
    let plain = get_json("/studies?search=soil&page_size=250").await;
    let ranked = get_json("/studies?search=soil&page_size=250&ordering=relevance").await;
    let reversed = get_json("/studies?search=soil&page_size=250&sort=-relevance").await;
    assert_ne!(ids(&plain), ids(&ranked));
    assert_eq!(ids(&plain).iter().collect::<BTreeSet<_>>(), ids(&ranked).iter().collect());
    assert_eq!(ids(&ranked).into_iter().rev().collect::<Vec<_>>(), ids(&reversed));
    // The best match has the word more often, relative to its length, than the worst.
    let share = |study: &Value| {
        let text = study["attributes"].to_string().to_lowercase();
        let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
        words.iter().filter(|word| **word == "soil").count() * 1_000 / words.len()
    };
    let studies = ranked["data"].as_array().expect("a list");
    assert!(share(&studies[0]) > 2 * share(&studies[studies.len() - 1]));
    let pages = [1, 2].map(|page| format!("/studies?search=soil&page_size=10&ordering=relevance&page={page}"));
    let first = get_json(&pages[0]).await;
    let second = get_json(&pages[1]).await;
    assert_eq!([ids(&first), ids(&second)].concat(), ids(&ranked)[..20]);
    assert_eq!(
        ids(&get_json("/studies?ordering=relevance").await),
        ids(&get_json("/studies").await),
        "nothing is searched"
    );
}

#[tokio::test]
async fn long_lists_of_accessions_are_accepted_in_bodies() {
    let samples = resources("samples");
    let all: Vec<&str> = samples.iter().map(|sample| sample["id"].as_str().expect("a text")).collect();
    let body =
        json!({"accession": all, "ordering": "accession", "page_size": 250, "fields": {"samples": ["accession"]}});
    let first = search("/samples/search", &body).await;
    assert_eq!((first.status.as_u16(), first.header("allow")), (200, "POST, OPTIONS"));
    assert_eq!(first.header("cache-control"), "no-store");
    assert_eq!(first.json()["meta"]["pagination"], json!({"page": 1, "pages": 37, "count": all.len()}));
    let mut walked = Vec::new();
    let mut page = first.json();
    loop {
        walked.extend(ids(&page).into_iter().map(str::to_owned));
        let Some(next) = page["links"]["next"].as_str() else { break };
        page =
            search(next.strip_prefix(&format!("{BASE_URL}{CATALOGUE}")).expect("of this server"), &body).await.json();
    }
    let mut expected = all.clone();
    expected.sort_unstable();
    assert_eq!(walked, expected);
    // More accessions than there are. None is known, which is not an error.
    let studies: Vec<String> =
        (0..100_000).map(|number| format!("ERP{:06}", 900_000 + number)).chain(["ERP000118".to_owned()]).collect();
    let found = search("/studies/search?format=json", &json!({"accession": studies})).await;
    assert_eq!(ids(&found.json()), ["MGYS00000257"]);
    let stream = search("/samples/search", &json!({"accession": all, "format": "ndjson"})).await;
    assert_eq!(stream.body.split(|byte| *byte == b'\n').count(), all.len() + 1);
}

#[tokio::test]
async fn malformed_bodies_are_refused() {
    for (body, status, says) in [
        (json!({"acession": "ERS1"}).to_string(), 400, "Did you mean accession?"),
        (json!({"accession": ["ERS1"]}).to_string(), 400, "ERS1 is not one of the available choices"),
        (json!({"accession": [["ERS1"]]}).to_string(), 400, "Enter a text"),
        (json!({"search": "soil ".repeat(2_000)}).to_string(), 400, "at most 8192 bytes"),
        (json!({"x".repeat(1 << 20): 1}).to_string(), 400, "Unknown parameter"),
        ("[]".to_owned(), 400, "not a JSON object"),
        ("{\"page\":1,\"page\":2}".to_owned(), 400, "not valid JSON"),
        (format!("{{\"accession\":\"{}\"}}", "x".repeat(5 << 20)), 413, "more than 4194304 bytes"),
    ] {
        let refused = post(router(), &format!("{CATALOGUE}/samples/search"), JSON, body).await;
        assert_eq!(refused.status, status);
        assert!(detail(&refused).contains(says), "{}", detail(&refused));
        assert!(refused.body.len() < 4_000, "what is long is not sent back");
    }
    let path = format!("{CATALOGUE}/samples/search");
    let refused = post(router(), &path, "text/plain", "{}").await;
    assert_eq!(refused.status, 415);
    for method in [Method::GET, Method::PUT] {
        let refused = ask(method, "/samples/search", &[]).await;
        assert_eq!((refused.status.as_u16(), refused.header("allow")), (405, "POST, OPTIONS"));
    }
    let options = ask(Method::OPTIONS, "/samples/search", &[]).await;
    assert_eq!(options.json()["data"]["allowed_methods"], json!(["POST", "OPTIONS"]));
    let preflight = ask(Method::OPTIONS, "/samples/search", &[("access-control-request-method", "POST")]).await;
    assert_eq!(preflight.header("access-control-allow-methods"), "POST, OPTIONS");
    assert_eq!(search("/nothing/search", &json!({})).await.status, 404);
    assert_eq!(search("/samples/ERS074453/search", &json!({})).await.status, 405);
}

#[tokio::test]
async fn biomes_are_ordered_and_counted_with_their_descendants() {
    let text = |biome: &Value, name: &str| biome["attributes"][name].as_str().expect("a text").to_owned();
    for (order, name) in [("lineage", "lineage"), ("biome_name", "biome-name")] {
        let page = get_json(&format!("/biomes?ordering=-{order}&page_size=250")).await;
        let values: Vec<String> =
            page["data"].as_array().expect("a list").iter().map(|biome| text(biome, name)).collect();
        assert!(values.is_sorted_by(|left, right| left >= right));
    }
    let page = get_json("/biomes?ordering=-samples_count&page_size=250").await;
    let counts: Vec<u64> = page["data"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|biome| biome["attributes"]["samples-count"].as_u64())
        .collect();
    assert!(counts.len() == 250 && counts.is_sorted_by(|left, right| left >= right));
    assert!(page["data"][0]["attributes"].get("lineage-samples-count").is_none(), "it was not named");
    let fields = "fields[biomes]=lineage,lineage-samples-count,lineage_studies_count";
    let page = get_json(&format!("/biomes?{fields}&filter[depth]=2")).await;
    for biome in page["data"].as_array().expect("a list") {
        let lineage = text(biome, "lineage");
        for (name, collection) in [("lineage-samples-count", "samples"), ("lineage-studies-count", "studies")] {
            assert_eq!(
                biome["attributes"][name],
                count(&format!("/{collection}?lineage={lineage}")).await,
                "{lineage}"
            );
        }
    }
    let root = get_json(&format!("/biomes/root?{fields}")).await;
    assert_eq!(root["data"]["attributes"]["lineage-samples-count"], 9_159);
}
