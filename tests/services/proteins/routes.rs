//! Which methods and paths there are, and what is said of others.

use std::collections::BTreeSet;

use api::Api;
use axum::http::{Method, StatusCode};

use crate::proteins::{detail, folder_with_replacements, rows};
use support::{PROTEINS, TestFolder, get, get_protein, send};

#[tokio::test]
async fn head_is_get_without_body() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    let below = |path: &str| format!("{PROTEINS}{path}");
    for path in [
        below("/protein/12"),
        below("/protein/12/"),
        below("/protein/16"),
        below("/protein/21"),
        below("/protein/search?biome_id=132"),
        below("/protein/search"),
        below("/openapi.json"),
        below("/docs/"),
        "/healthz".to_owned(),
        "/readyz".to_owned(),
        "/nothing".to_owned(),
    ] {
        for encoding in ["identity", "gzip"] {
            let headers = [("accept-encoding", encoding)];
            let mut get = send(&router, Method::GET, &path, &headers).await;
            let mut head = send(&router, Method::HEAD, &path, &headers).await;
            for answer in [&mut get, &mut head] {
                assert!(answer.headers.remove("x-request-id").is_some(), "{path}");
            }
            assert!(!get.body.is_empty() && head.body.is_empty(), "{path}");
            assert_eq!((head.status, head.headers), (get.status, get.headers), "{path}");
        }
    }
}

/// Checks that a path refuses all methods that change things.
async fn refuses_writes(router: &Api, path: &str) {
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        let answer = send(router, method.clone(), path, &[]).await;
        let text = detail(&answer, StatusCode::METHOD_NOT_ALLOWED);
        assert!(text.contains(method.as_str()), "{path}: {text}");
        let allowed: BTreeSet<&str> = answer.header("allow").split(',').map(str::trim).collect();
        assert!(allowed.is_superset(&BTreeSet::from(["GET", "HEAD"])), "{path}: {allowed:?}");
        assert!(!allowed.contains(method.as_str()), "{path}: {allowed:?}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_405_and_told_the_right_ones() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for path in ["/protein/12", "/protein/12/", "/protein/16", "/protein/search", "/openapi.json", "/docs/"] {
        refuses_writes(&router, &format!("{PROTEINS}{path}")).await;
    }
}

#[tokio::test]
async fn a_wrong_method_is_405_where_health_is_asked_for_too() {
    let router = TestFolder::empty().router();
    refuses_writes(&router, "/healthz").await;
    refuses_writes(&router, "/readyz").await;
}

#[tokio::test]
async fn a_slash_at_the_end_changes_nothing() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    for (path, with_slash) in [
        ("/protein/12", "/protein/12/"),
        ("/protein/search?biome_id=62&limit=1", "/protein/search/?biome_id=62&limit=1"),
        ("/protein/search", "/protein/search/"),
        ("/protein/16", "/protein/16/"),
        ("/protein/21", "/protein/21/"),
    ] {
        let (plain, slash) = (get_protein(&router, path).await, get_protein(&router, with_slash).await);
        assert_eq!((slash.status, &slash.body), (plain.status, &plain.body), "{path}");
        assert_eq!(slash.headers.get("location"), plain.headers.get("location"), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_path_is_404_as_json() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let below = |path: &str| format!("{PROTEINS}{path}");
    for path in [
        "/".to_owned(),
        "/nothing".to_owned(),
        "/metagenomics".to_owned(),
        "/metagenomics/proteins/api/v2/protein/12".to_owned(),
        below(""),
        below("/"),
        below("/protein"),
        below("/protein/"),
        below("/protein/12/13"),
        below("//protein/12"),
        below("/protein/%2e%2e/x"),
    ] {
        let text = detail(&get(&router, &path).await, StatusCode::NOT_FOUND);
        assert!(text.contains(&path), "{text}");
    }
}

#[tokio::test]
async fn an_unknown_file_of_the_documentation_is_404_as_json() {
    detail(&get_protein(&TestFolder::empty().router(), "/docs/nothing.js").await, StatusCode::NOT_FOUND);
}
