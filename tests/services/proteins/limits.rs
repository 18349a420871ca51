//! What is refused over a limit, and what is said of faults of the server.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use api::SourceError;
use api::proteins::{ProteinSnapshot, ProteinSource};
use api::{Api, ServiceConfig, Services};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use store::{Filter, GenerationName, Protein, ProteinAccession, SearchAnswer, Statistics};

use crate::proteins::{detail, rows};
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
async fn an_overloaded_server_says_when_to_come_again() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router_with(&ServiceConfig { requests_max: 0, ..ServiceConfig::default() });
    for path in ["/protein/12", "/protein/search?biome_id=132", "/openapi.json"] {
        let answer = get_protein(&router, path).await;
        detail(&answer, StatusCode::SERVICE_UNAVAILABLE);
        assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
        assert_eq!(answer.header("etag"), "");
    }
    assert_eq!(get(&router, "/healthz").await.status, StatusCode::OK);
    assert_eq!(get(&router, "/readyz").await.status, StatusCode::OK);
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

/// An engine that takes its time for a record, and fails at every search.
struct BadEngine;

impl ProteinSource for BadEngine {
    fn snapshot(&self) -> Option<Arc<dyn ProteinSnapshot>> {
        Some(Arc::new(Self))
    }

    fn problem(&self) -> Option<&'static str> {
        None
    }
}

impl ProteinSnapshot for BadEngine {
    fn generation(&self) -> GenerationName {
        "gen-00000000-0000-7000-8000-000000000000".parse().expect("a name")
    }

    fn statistics(&self) -> Statistics {
        Statistics { num_proteins: 0, num_replacements: 0, first: None, last: None }
    }

    fn search(&self, _filter: &Filter, _limit: usize) -> Result<SearchAnswer, SourceError> {
        let fault: Box<dyn Error + Send + Sync> = "cannot read /secret/place".into();
        Err(fault.into())
    }

    fn fetch(&self, _accession: ProteinAccession) -> Result<Option<Protein>, SourceError> {
        thread::sleep(Duration::from_millis(200));
        Ok(None)
    }

    fn replacement(&self, _accession: ProteinAccession) -> Option<ProteinAccession> {
        None
    }
}

/// Returns services whose proteins come from an engine.
fn services_with(proteins: BadEngine) -> Services {
    Services { proteins: Arc::new(proteins), catalogue: TestFolder::empty().catalogue(), profiles: None }
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_ended() {
    let config = ServiceConfig { request_timeout: Duration::from_millis(1), ..ServiceConfig::default() };
    let router = Api::new(&services_with(BadEngine), &config);
    let answer = get_protein(&router, "/protein/12").await;
    detail(&answer, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
    assert_eq!(answer.header("etag"), "");
}

#[tokio::test]
async fn a_fault_of_the_engine_tells_nothing() {
    let router = Api::new(&services_with(BadEngine), &ServiceConfig::default());
    let answer = get_protein(&router, "/protein/search?biome_id=132").await;
    assert_eq!(detail(&answer, StatusCode::INTERNAL_SERVER_ERROR), "Internal server error.");
    assert_eq!((answer.header("etag"), answer.header("x-request-id").len()), ("", 36));
}

#[tokio::test]
async fn a_damaged_record_is_a_fault_that_tells_nothing() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let records = segment_file(&folder, "store");
    let start: Vec<u8> = fs::read(&records).expect("readable")[..60].iter().map(|byte| !byte).collect();
    // In place, as a failing disk would: the router has the file mapped.
    OpenOptions::new().write(true).open(&records).and_then(|mut file| file.write_all(&start)).expect("writable");
    let answer = get_protein(&router, "/protein/12").await;
    assert_eq!(detail(&answer, StatusCode::INTERNAL_SERVER_ERROR), "Internal server error.");
    assert_eq!((answer.header("etag"), answer.header("x-request-id").len()), ("", 36));
    assert_eq!(get(&router, "/healthz").await.status, StatusCode::OK);
}
