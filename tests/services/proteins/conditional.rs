//! Conditional requests, and how long answers may be kept.

use std::collections::BTreeSet;
use std::time::Duration;

use api::ServiceConfig;
use axum::http::{Method, StatusCode};

use crate::services::proteins::rows;
use support::{PROTEINS, TestFolder, get_protein, send};

#[tokio::test]
async fn tags_differ_by_generation_and_by_request() {
    let folder = TestFolder::of_rows(&rows());
    let mut tags: BTreeSet<String> = BTreeSet::new();
    let paths = [
        "/protein/12",
        "/protein/13",
        "/protein/search?biome_id=132",
        "/protein/search?biome_id=62",
        "/protein/search?biome_id=62&limit=1",
    ];
    for _ in 0..2 {
        let router = folder.router();
        for path in paths {
            let tag = get_protein(&router, path).await.header("etag").to_owned();
            assert_eq!(get_protein(&folder.router(), path).await.header("etag"), tag, "the same after a restart");
            for other in &tags {
                let shown = [("if-none-match", other.as_str())];
                let answer = send(&router, Method::GET, &format!("{PROTEINS}{path}"), &shown).await;
                assert_eq!(answer.status, StatusCode::OK, "{path}");
            }
            assert!(tags.insert(tag), "{path}");
        }
        folder.publish_rows(&rows());
    }
}

#[tokio::test]
async fn answers_say_how_long_they_may_be_kept() {
    let folder = TestFolder::of_rows(&rows());
    let config = ServiceConfig { max_age: Duration::from_secs(7), ..ServiceConfig::default() };
    for path in ["/protein/12", "/protein/search?biome_id=132"] {
        assert_eq!(get_protein(&folder.router(), path).await.header("cache-control"), "public, max-age=60");
        let answer = get_protein(&folder.router_with(&config), path).await;
        assert_eq!(answer.header("cache-control"), "public, max-age=7");
    }
}
