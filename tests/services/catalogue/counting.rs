//! Requests that count, and filters by place and date, as far as the model does not compare them.

use axum::http::Method;
use serde_json::Value;

use crate::services::catalogue::real::{ask, get, get_json, refusal};

#[tokio::test]
async fn unknown_facets_are_refused_with_a_list_of_known_ones() {
    for (query, expected) in [
        ("", "Enter a field to count by. Choose from: biome, biome:LEVELS, country, year, "),
        ("by=specis", "Cannot count by \"specis\". Did you mean species? Choose from: "),
        ("by=zzzzzzzz", "Cannot count by \"zzzzzzzz\". Choose from: "),
        ("by=biome:0", "The number of levels must be from 1 to 100, as in biome:2."),
        ("by=metadata:nope", "No sample has metadata with the key \"nope\". /samples/metadata-keys lists the keys."),
        ("by=@ena", "Cannot count by \"@ena\""),
        ("by=biome&limit=0", "Enter a number from 1 to 1000."),
        ("by=biome&limit=1001", "Enter a number from 1 to 1000."),
        ("by=biome&ranges=101", "Enter a number from 1 to 100."),
        ("by=biome&bbbox=1,2,3,4", "Unknown parameter \"bbbox\". Did you mean bbox? Choose from: "),
        ("by=biome&page=2", "Unknown parameter \"page\""),
        ("by=biome&fields=x", "Unknown parameter \"fields\""),
        ("by=biome&ordering=accession", "Unknown parameter \"ordering\""),
        ("by=biome&near=0,0,0", "The distance in kilometres must be above 0: latitude,longitude,km."),
        ("by=a&by=b&by=c&by=d&by=e&by=f&by=g&by=h&by=i", "A request can count by at most 8 fields."),
    ] {
        let detail = refusal(&format!("/samples/facets?{query}")).await;
        assert!(detail.starts_with(expected), "{query}: {detail}");
    }
    assert!(refusal("/studies/facets?by=latitude").await.contains("Choose from: biome, biome:LEVELS, "));
    assert!(refusal("/samples/metadata-keys?by=x").await.contains("Choose from: limit, format, strict."));
    assert_eq!(get("/nope/facets?by=biome").await.status, 404);
    assert_eq!(get("/studies/metadata-keys").await.status, 404);
    assert_eq!(get("/samples/facets.csv?by=biome").await.status, 404);
}

#[tokio::test]
async fn facets_support_tags_head_and_options_like_lists() {
    for path in
        ["/samples/facets?by=biome&by=year", "/samples/metadata-keys", "/samples/facets.json?by=species&by=species"]
    {
        let first = get(path).await;
        assert_eq!((first.status.as_u16(), first.header("content-type")), (200, "application/json"), "{path}");
        let again = ask(Method::GET, path, &[("if-none-match", first.header("etag"))]).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
        let head = ask(Method::HEAD, path, &[]).await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0), "{path}");
    }
    let data = get_json("/samples/facets.json?by=species&by=species").await["data"].clone();
    assert_eq!(data.as_array().map(Vec::len), Some(1), "each is counted once");
    let options = ask(Method::OPTIONS, "/samples/facets", &[]).await;
    assert_eq!(options.json()["data"]["name"], "Sample Facets");
}

#[tokio::test]
async fn counts_of_all_collections_agree_with_their_lists() {
    for (collection, by) in [
        ("biomes", "depth"),
        ("studies", "biome"),
        ("samples", "biome:3"),
        ("assemblies", "biome"),
        ("runs", "instrument-model"),
        ("analyses", "pipeline_version"),
        ("publications", "published_year"),
        ("pipelines", "release_version"),
        ("pipeline-tools", "version"),
    ] {
        let listed = get_json(&format!("/{collection}?page_size=1")).await["meta"]["pagination"]["count"].clone();
        let facet =
            get_json(&format!("/{collection}/facets?by={by}&limit=1000")).await["data"][0]["attributes"].clone();
        assert_eq!(facet["total"], listed, "{collection}");
        assert!(facet["without"].as_u64() < listed.as_u64(), "{collection}");
        let has_counts = |of: &Value| of.as_array().is_some_and(|counts| !counts.is_empty());
        assert!(has_counts(&facet["values"]) || has_counts(&facet["numbers"]), "{facet}");
    }
}
