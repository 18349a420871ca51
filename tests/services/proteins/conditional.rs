//! Conditional requests, and how long answers may be kept.

use std::collections::BTreeSet;
use std::time::Duration;

use api::Api;
use api::ServiceConfig;
use axum::http::{Method, StatusCode};

use crate::proteins::{folder_with_replacements, rows};
use support::{PROTEINS, TestFolder, get_protein, send};

/// Returns the status of a conditional request, after a look at a 304.
async fn status_if_none_match(router: &Api, path: &str, shown: &str) -> u16 {
    let answer = send(router, Method::GET, &format!("{PROTEINS}{path}"), &[("if-none-match", shown)]).await;
    if answer.status == StatusCode::NOT_MODIFIED {
        assert!(answer.body.is_empty() && answer.header("content-length").is_empty(), "{answer:?}");
        assert!(!answer.header("etag").is_empty() && !answer.header("cache-control").is_empty(), "{answer:?}");
    }
    answer.status.as_u16()
}

#[tokio::test]
async fn whoever_shows_the_tag_is_told_that_nothing_has_changed() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for path in ["/protein/12", "/protein/search?biome_id=132", "/protein/search?biome_id=100000"] {
        let tag = get_protein(&router, path).await.header("etag").to_owned();
        assert!(tag.starts_with("W/\"") && tag.ends_with('"') && tag.len() > 4, "{tag}");
        let strong = tag.trim_start_matches("W/");
        for shown in [&tag, strong, &format!("\"a\", W/\"b\",{tag} , \"c\""), "*"] {
            assert_eq!(status_if_none_match(&router, path, shown).await, 304, "{path}, {shown}");
        }
        for shown in ["\"a\"", "W/\"\"", "", &tag[..tag.len() - 2]] {
            assert_eq!(status_if_none_match(&router, path, shown).await, 200, "{path}, {shown}");
        }
        let head = send(&router, Method::HEAD, &format!("{PROTEINS}{path}"), &[("if-none-match", &tag)]).await;
        assert_eq!(head.status, StatusCode::NOT_MODIFIED);
    }
}

#[tokio::test]
async fn a_304_says_what_the_answer_varies_by() {
    let folder = TestFolder::of_rows(&rows());
    let answer =
        send(&folder.router(), Method::GET, &format!("{PROTEINS}/protein/12"), &[("if-none-match", "*")]).await;
    assert_eq!((answer.status, answer.header("vary")), (StatusCode::NOT_MODIFIED, "accept-encoding"));
}

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
                assert_eq!(status_if_none_match(&router, path, other).await, 200, "{path}");
            }
            assert!(tags.insert(tag), "{path}");
        }
        folder.publish_rows(&rows());
    }
}

#[tokio::test]
async fn errors_have_no_tag_and_are_not_kept() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    for (path, status) in [
        ("/protein/16", 404),
        ("/protein/x", 404),
        ("/protein/search", 422),
        ("/protein/search?biome_lineage=x", 422),
        ("/protein/21", 302),
    ] {
        for shown in ["\"a\"", "*"] {
            let answer = send(&router, Method::GET, &format!("{PROTEINS}{path}"), &[("if-none-match", shown)]).await;
            assert_eq!((answer.status.as_u16(), answer.header("etag")), (status, ""), "{path}");
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        }
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
