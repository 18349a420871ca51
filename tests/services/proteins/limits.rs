//! Requests that exceed a limit are refused, and internal errors are reported without details.

use std::fs::{self, OpenOptions};
use std::io::Write;

use api::ServiceConfig;
use axum::body::Body;
use axum::http::{Request, StatusCode};

use crate::services::proteins::{detail, rows};
use support::generation::segment_file;
use support::{PROTEINS, TestFolder, get, get_protein};

#[tokio::test]
async fn uris_over_the_limit_are_414_in_json() {
    let folder = TestFolder::of_rows(&rows());
    let uri = |num_bytes: usize| {
        let start = format!("{PROTEINS}/protein/search?biome_id=132&x=");
        format!("{start}{}", "a".repeat(num_bytes - start.len()))
    };
    let small = ServiceConfig { uri_bytes_max: 100, ..ServiceConfig::default() };
    for (router, max) in [(folder.router(), 8192), (folder.router_with(&small), 100)] {
        assert_eq!(get(&router, &uri(max)).await.status, StatusCode::OK);
        let text = detail(&get(&router, &uri(max + 1)).await, StatusCode::URI_TOO_LONG);
        assert!(text.contains(&max.to_string()), "{text}");
    }
    let long_path = format!("/{}", "a".repeat(9000));
    detail(&get(&folder.router(), &long_path).await, StatusCode::URI_TOO_LONG);
}

#[tokio::test]
async fn limits_of_requests_are_separate_for_each_service() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router_with(&ServiceConfig { requests_max: 1, ..ServiceConfig::default() });
    let request = Request::get(format!("{PROTEINS}/protein/12")).header("host", "mgdex.test");
    let unread = router.answer(request.body(Body::empty()).expect("a request")).await;
    assert_eq!(unread.status(), StatusCode::OK);
    assert_eq!(get_protein(&router, "/protein/12").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(get(&router, "/metagenomics/api/v1/openapi.json").await.status, StatusCode::OK);
    assert_eq!(get(&router, "/profiles/openapi.json").await.status, StatusCode::OK);
    drop(unread);
    assert_eq!(get_protein(&router, "/protein/12").await.status, StatusCode::OK);
}

#[tokio::test]
async fn damaged_data_get_an_error_without_details() {
    for (extension, path) in [("store", "/protein/12"), ("fast", "/protein/search?biome_id=132")] {
        let folder = TestFolder::of_rows(&rows());
        let router = folder.router();
        let file = segment_file(&folder, extension);
        let damaged: Vec<u8> = fs::read(&file).expect("readable").iter().map(|byte| !byte).collect();
        // Written in place, as by a failing disk, because the router has the file mapped.
        OpenOptions::new().write(true).open(&file).and_then(|mut file| file.write_all(&damaged)).expect("writable");
        let answer = get_protein(&router, path).await;
        assert_eq!(detail(&answer, StatusCode::INTERNAL_SERVER_ERROR), "Internal server error.");
        assert_eq!((answer.header("etag"), answer.header("x-request-id").len()), ("", 36));
        assert_eq!(get(&router, "/healthz").await.status, StatusCode::OK);
    }
}
