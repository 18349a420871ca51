//! What is refused over a limit, and what is said of faults of the server.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::mpsc;
use std::time::Duration;

use api::ServiceConfig;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use tokio::runtime::Builder;

use crate::services::proteins::{detail, rows};
use support::generation::segment_file;
use support::{PROTEINS, TestFolder, get, get_protein};

#[tokio::test]
async fn a_uri_over_the_limit_is_414_as_json() {
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
async fn no_service_takes_the_places_of_another() {
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
async fn one_client_does_not_take_the_places_of_others() {
    let folder = TestFolder::of_rows(&rows());
    let config = ServiceConfig { requests_of_client_max: 1, trust_proxy: true, ..ServiceConfig::default() };
    let router = folder.router_with(&config);
    let ask = async |client: &str| {
        let request = Request::get(format!("{PROTEINS}/protein/12")).header("host", "mgdex.test");
        let request = request.header("x-forwarded-for", format!("10.9.9.9, {client}"));
        router.answer(request.body(Body::empty()).expect("a request")).await
    };
    let unread = ask("10.0.0.1").await;
    assert_eq!(unread.status(), StatusCode::OK);
    let refused = ask("10.0.0.1").await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(ask("10.0.0.2").await.status(), StatusCode::OK);
    drop(unread);
    assert_eq!(ask("10.0.0.1").await.status(), StatusCode::OK);
}

#[test]
fn a_request_that_takes_too_long_is_ended() {
    let folder = TestFolder::of_rows(&rows());
    let config = ServiceConfig { request_timeout: Duration::from_millis(1), ..ServiceConfig::default() };
    let router = folder.router_with(&config);
    let runtime = Builder::new_current_thread().enable_time().max_blocking_threads(1).build().expect("a runtime");
    let (done, is_done) = mpsc::channel::<()>();
    runtime.spawn_blocking(move || is_done.recv());
    let answer = runtime.block_on(get_protein(&router, "/protein/12"));
    detail(&answer, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
    assert_eq!(answer.header("etag"), "");
    drop(done);
}

#[tokio::test]
async fn damage_is_a_fault_that_tells_nothing() {
    for (extension, path) in [("store", "/protein/12"), ("fast", "/protein/search?biome_id=132")] {
        let folder = TestFolder::of_rows(&rows());
        let router = folder.router();
        let file = segment_file(&folder, extension);
        let damaged: Vec<u8> = fs::read(&file).expect("readable").iter().map(|byte| !byte).collect();
        // In place, as a failing disk would: the router has the file mapped.
        OpenOptions::new().write(true).open(&file).and_then(|mut file| file.write_all(&damaged)).expect("writable");
        let answer = get_protein(&router, path).await;
        assert_eq!(detail(&answer, StatusCode::INTERNAL_SERVER_ERROR), "Internal server error.");
        assert_eq!((answer.header("etag"), answer.header("x-request-id").len()), ("", 36));
        assert_eq!(get(&router, "/healthz").await.status, StatusCode::OK);
    }
}
