//! Methods, unknown paths, limits, tags, and compression of pages and records.

use std::collections::BTreeSet;

use api::ServiceConfig;
use axum::http::{Method, StatusCode};

use crate::proteins::v2::{ask, router_of_rows, rows, search};
use crate::proteins::{detail, folder_with_replacements};
use support::{PROTEINS_V2, TestFolder, get, send};

/// Paths below the prefix with answers of all kinds.
const PATHS: [&str; 10] = [
    "/proteins",
    "/proteins/?limit=1",
    "/proteins?q=pfam:5%20AND%20biome:132&count=exact&format=json",
    "/proteins?format=ndjson",
    "/proteins?format=tsv&fields=accession,sequence",
    "/proteins?format=fasta",
    "/proteins/12",
    "/proteins/12/",
    "/proteins/12.fasta",
    "/openapi.json",
];

#[tokio::test]
async fn head_is_get_without_body() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    for path in
        PATHS.into_iter().chain(["/proteins?limit=0", "/proteins/99", "/proteins/21", "/proteins/21.fasta", "/docs/"])
    {
        for encoding in ["identity", "gzip"] {
            let ask = async |method| {
                let mut answer =
                    send(&router, method, &format!("{PROTEINS_V2}{path}"), &[("accept-encoding", encoding)]).await;
                assert!(answer.headers.remove("x-request-id").is_some(), "{path}");
                answer
            };
            let (get, head) = (ask(Method::GET).await, ask(Method::HEAD).await);
            assert!(!get.body.is_empty() && head.body.is_empty(), "{path}");
            assert_eq!((head.status, head.headers), (get.status, get.headers), "{path}");
        }
    }
}

#[tokio::test]
async fn a_wrong_method_is_405_and_told_the_right_ones() {
    let (_folder, router) = router_of_rows();
    for path in PATHS {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = send(&router, method.clone(), &format!("{PROTEINS_V2}{path}"), &[]).await;
            assert!(detail(&answer, StatusCode::METHOD_NOT_ALLOWED).contains(method.as_str()), "{path}");
            let allowed: BTreeSet<&str> = answer.header("allow").split(',').map(str::trim).collect();
            assert!(allowed.is_superset(&BTreeSet::from(["GET", "HEAD"])), "{path}: {allowed:?}");
        }
    }
}

#[tokio::test]
async fn an_unknown_path_is_404_as_json() {
    let (_folder, router) = router_of_rows();
    for path in [
        "",
        "/",
        "/protein",
        "/protein/12",
        "/protein/search",
        "/proteins//",
        "/proteins/12/x",
        "/proteinss",
        "/docs/nothing.js",
    ] {
        let text = detail(&ask(&router, path).await, StatusCode::NOT_FOUND);
        assert!(text.contains(path), "{text}");
    }
}

#[tokio::test]
async fn limits_of_requests_hold_here_too() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let long = search(&[("q", &vec!["pfam:5"; 1000].join(" OR "))]);
    assert!(detail(&get(&router, &long).await, StatusCode::URI_TOO_LONG).contains("8192"));
    let unacceptable = [("accept-encoding", "identity;q=0, compress")];
    detail(&send(&router, Method::GET, &search(&[]), &unacceptable).await, StatusCode::NOT_ACCEPTABLE);
    let overloaded = folder.router_with(&ServiceConfig { requests_max: 0, ..ServiceConfig::default() });
    for path in PATHS {
        let answer = ask(&overloaded, path).await;
        detail(&answer, StatusCode::SERVICE_UNAVAILABLE);
        assert!(!answer.header("retry-after").is_empty(), "{path}");
    }
    let without_data = ask(&TestFolder::empty().router(), "/proteins").await;
    assert!(detail(&without_data, StatusCode::SERVICE_UNAVAILABLE).contains("mgdex index"), "{without_data:?}");
}

#[tokio::test]
async fn whoever_shows_the_tag_is_told_that_nothing_has_changed() {
    let folder = TestFolder::of_rows(&rows());
    let mut tags = BTreeSet::new();
    for _ in 0..2 {
        let router = folder.router();
        for path in PATHS {
            for accept in ["*/*", "text/x-fasta"] {
                let ask = async |method, shown: &str| {
                    let headers = [("accept", accept), ("if-none-match", shown)];
                    send(&router, method, &format!("{PROTEINS_V2}{path}"), &headers).await
                };
                let answer = ask(Method::GET, "\"a\"").await;
                assert_eq!(
                    (answer.status, answer.header("vary")),
                    (StatusCode::OK, "Accept, Accept-Encoding"),
                    "{path}"
                );
                assert_eq!(answer.header("cache-control"), "public, max-age=60", "{path}");
                let tag = answer.header("etag").to_owned();
                for (method, shown) in [(Method::GET, &*tag), (Method::HEAD, &tag), (Method::GET, "*")] {
                    let unchanged = ask(method, shown).await;
                    assert_eq!((unchanged.status, unchanged.body.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
                    let kept =
                        ["etag", "vary", "cache-control"].map(|name| unchanged.header(name) == answer.header(name));
                    assert_eq!(kept, [true; 3], "{path}");
                }
                if path != "/openapi.json" {
                    assert!(tags.insert(tag), "{path} in {accept} has a tag of its own");
                }
            }
        }
        folder.publish_rows(&rows());
    }
    let router = folder.router();
    for (path, status) in [("/proteins/99", 404), ("/proteins?limit=0", 422)] {
        let answer = send(&router, Method::GET, &format!("{PROTEINS_V2}{path}"), &[("if-none-match", "*")]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("etag"), answer.header("cache-control")),
            (status, "", "no-store")
        );
    }
}
