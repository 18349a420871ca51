//! Limits on the cost of a catalogue with long texts: slow filters, large answers, clients that do
//! not read.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use api::Api;
use api::{HttpServer, ServerConfig, ServiceConfig};
use axum::body::{Body, HttpBody};
use axum::http::{Request, Response, StatusCode};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use support::{Answer, TestFolder, get};

/// The prefix of the service.
const CATALOGUE: &str = "/metagenomics/api/v1";

/// The number of samples, and the length of their species in bytes.
type Size = (usize, usize);

/// Many samples with species so long that filters take long.
const MANY: Size = (4_000, 1_000);

/// Fewer samples than an answer may include.
const LARGE: Size = (1_000, 16_000);

/// A single sample.
const ONE: Size = (1, 10);

/// A data folder with a study of samples with long species, in which patterns have no short cut.
fn folder((num_samples, species_bytes): Size) -> TestFolder {
    let mut random = SmallRng::seed_from_u64(1);
    let study = json!({"type": "studies", "id": "MGYS00000001", "attributes": {"bioproject": "PRJEB1"}});
    let samples = (0..num_samples).map(|number| {
        let species: String = (0..species_bytes).map(|_| if random.random() { 'a' } else { 'b' }).collect();
        json!({
            "type": "samples",
            "id": format!("ERS{number:06}"),
            "attributes": {"species": species, "sample-metadata": null},
            "relationships": {"studies": {"data": [{"type": "studies", "id": "MGYS00000001"}]}},
        })
    });
    let folder = TestFolder::empty();
    folder.publish_resources([study].into_iter().chain(samples));
    folder
}

/// Sends a GET request to a path below the prefix.
async fn ask(router: &Api, path: &str) -> Answer {
    get(router, &format!("{CATALOGUE}{path}")).await
}

/// Repeats a request until a place is free.
async fn ask_until_answered(router: &Api, path: &str) -> Answer {
    loop {
        let answer = ask(router, path).await;
        if answer.status != StatusCode::SERVICE_UNAVAILABLE {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Returns the path of a slow request, which differs for each number.
fn slow(number: usize) -> String {
    format!("/samples?species=[ab]*a[ab]{{{number}}}[^ab]&page_size=1")
}

#[tokio::test]
async fn slow_requests_stop_when_their_clients_leave() {
    let folder = folder(MANY);
    let impatient = Duration::from_millis(200);
    let config = ServiceConfig { requests_max: 1, request_timeout: impatient, ..ServiceConfig::default() };
    let services = folder.services();
    let patience = ServiceConfig { request_timeout: Duration::from_mins(10), ..ServiceConfig::default() };
    let patient = Api::new(&services, &patience);
    let started = Instant::now();
    let answer = ask(&patient, &slow(15)).await;
    assert_eq!((answer.status, &answer.json()["meta"]["pagination"]["count"]), (StatusCode::OK, &json!(0)));
    let whole = started.elapsed();
    let router = Api::new(&services, &config);
    let started = Instant::now();
    assert_eq!(ask(&router, &slow(16)).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(ask_until_answered(&router, "/samples?page_size=1").await.status, StatusCode::OK);
    let given_up = started.elapsed();
    assert!(given_up < whole / 2, "{given_up:?}, and {whole:?} when it is answered");
}

#[tokio::test]
async fn included_bytes_are_limited() {
    let folder = folder(LARGE);
    let router = folder.router();
    for path in ["/studies/MGYS00000001?include=samples", "/studies?include=samples"] {
        let answer = ask(&router, path).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
        let detail = answer.json()["errors"][0]["detail"].to_string();
        assert!(detail.contains("8 MiB") && detail.contains("/studies/MGYS00000001/samples"), "{detail}");
    }
    assert_eq!(ask(&router, "/studies/MGYS00000001/samples").await.status, StatusCode::OK);
}

/// Requests all samples from a server, and returns the connection after reading only its first
/// bytes.
fn stalled(address: SocketAddr) -> TcpStream {
    let mut client = TcpStream::connect(address).expect("accepted");
    let request = format!("GET {CATALOGUE}/samples.ndjson HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    client.write_all(request.as_bytes()).expect("writable");
    let mut start = [0; 12];
    client.read_exact(&mut start).expect("answered");
    assert_eq!(&start, b"HTTP/1.1 200");
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_do_not_read_are_disconnected() {
    let folder = folder(LARGE);
    // One of the four may be a stream.
    let router = folder.router_with(&ServiceConfig { requests_max: 4, ..ServiceConfig::default() });
    let config = ServerConfig { write_timeout: Duration::from_secs(2), ..ServerConfig::default() };
    let server = HttpServer::bind(([127, 0, 0, 1], 0).into(), config).await.expect("a free port");
    let address = server.local_addr().expect("bound");
    tokio::spawn(server.serve(router.clone(), std::future::pending()));
    let mut client = stalled(address);
    assert_eq!(ask(&router, "/studies.ndjson").await.status, StatusCode::SERVICE_UNAVAILABLE, "the place is taken");
    for _ in 0..5 {
        assert_eq!(ask(&router, "/samples?page_size=1").await.status, StatusCode::OK);
    }
    assert_eq!(ask_until_answered(&router, "/studies.ndjson").await.status, StatusCode::OK, "the client was cut");
    let mut received = Vec::new();
    // It may end with an error or without one.
    let _ = client.read_to_end(&mut received);
    assert!(received.len() < LARGE.0 * LARGE.1);
}

/// Requests the largest page, and does not read the answer.
async fn unread(router: &Api) -> Response<Body> {
    let request = Request::get(format!("{CATALOGUE}/samples?page_size=250")).header("host", "mgdex.test");
    router.answer(request.body(Body::empty()).expect("a request")).await
}

#[tokio::test]
async fn memory_of_unread_answers_is_limited() {
    const BYTES_MAX: u64 = 40 << 20;
    let folder = folder(LARGE);
    let config = ServiceConfig { answer_bytes_max: BYTES_MAX.try_into().expect("small"), ..ServiceConfig::default() };
    let router = folder.router_with(&config);
    let mut held = Vec::new();
    let refused = loop {
        let response = unread(&router).await;
        if response.status() != StatusCode::OK {
            break response;
        }
        held.push(response);
    };
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key("retry-after"));
    let sum: u64 = held.iter().map(|response| response.body().size_hint().exact().expect("a length")).sum();
    assert!(held.len() > 2 && sum < BYTES_MAX, "{} of {sum} bytes", held.len());
    assert_eq!(ask(&router, "/studies").await.status, StatusCode::OK, "small ones are answered");
    assert_eq!(get(&router, "/readyz").await.status, StatusCode::OK);
    drop(held);
    assert_eq!(unread(&router).await.status(), StatusCode::OK);
}

/// The free space of the database must not be attributed to the few resources.
#[tokio::test]
async fn few_resources_need_little_memory() {
    let folder = folder(ONE);
    let router = folder.router_with(&ServiceConfig { answer_bytes_max: 16 << 20, ..ServiceConfig::default() });
    for path in ["/samples", "/samples.csv", "/samples.ndjson", "/studies?include=samples"] {
        assert_eq!(ask(&router, path).await.status, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn odd_resources_are_answered() {
    let folder = folder(ONE);
    let router = folder.router();
    assert_eq!(ask(&router, "/samples/ERS000000/metadata").await.json()["data"], json!([]));
    let sample = ask(&router, "/samples/ERS000000?include=biome&fields=studies").await.json();
    assert_eq!((&sample["included"], sample["data"]["relationships"].get("biome")), (&json!([]), None));
}
