//! The estimated memory of a posted body is at least the memory it uses: its bytes, the values read
//! from them, and their results.
//!
//! A test program of its own, since it counts all memory that is allocated.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use api::{Api, ServiceConfig, Services};
use api_proteins::Similarity;
use axum::body::{Body, Bytes};
use axum::http::{Method, StatusCode};
use peak_alloc::PeakAlloc;
use similarity::{Engine, JobLimits, Limits};
use support::profile_writers::Access;
use support::similarity::engine::{HEAD, programs};
use support::{PROTEINS_V2, TestFolder, embedded, send_body};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The memory that an answer may use without being counted.
const FREE_BYTES: usize = 64 << 10;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const PARTS: &str = "multipart/form-data; boundary=x";
const TEXT: &str = "text/plain";

struct Case {
    name: &'static str,
    path: String,
    content_type: &'static str,
    body: Bytes,
}

fn cases() -> Vec<Case> {
    let case = |name, path: &str, content_type, body: String| Case {
        name,
        path: path.to_owned(),
        content_type,
        body: body.into(),
    };
    let list = |name: &str, item: &str, number: usize| {
        format!("{{\"{name}\":[{}{item}]}}", format!("{item},").repeat(number - 1))
    };
    let samples = "/metagenomics/api/v1/samples/search";
    let [search, batch, searches, sequences] = ["proteins/search", "proteins/batch", "searches", "sequences/search"]
        .map(|path| format!("{PROTEINS_V2}/{path}"));
    let part = "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n";
    vec![
        case("short values of the catalogue", samples, JSON, list("accession", "1", 299_990)),
        case("long values of the catalogue", samples, JSON, list("accession", "\"ERS1234567\"", 290_000)),
        case("a long value of the catalogue", samples, JSON, format!("{{\"search\":\"{}\"}}", "a".repeat(1_000_000))),
        case("members of the catalogue", samples, JSON, members(140_000)),
        case("conditions", &search, JSON, list("pfam", "1", 2_040)),
        case("a query", &search, JSON, format!("{{\"q\":\"{}\"}}", "biome:nowhere OR ".repeat(30_000))),
        case("a long condition", &search, JSON, format!("{{\"biome\":\"{}\"}}", "+".repeat(520_000))),
        case("short items", &batch, JSON, format!("[{}1]", "1,".repeat(99_999))),
        case("long items", &batch, JSON, format!("[{}1]", format!("\"{}\",", "a".repeat(38)).repeat(99_999))),
        case("one item", &batch, JSON, format!("[\"{}\"]", "a".repeat(1_000_000))),
        case("lines", &batch, TEXT, "a\n".repeat(100_000)),
        case("a sequence to look up", &sequences, TEXT, format!(">a\n{}", "M".repeat(2_000_000))),
        case("sequences to look up", &sequences, TEXT, format!(">a\n{}\n", "M".repeat(200)).repeat(10_000)),
        case("a text to find", "/portal/find", FORM, format!("text={}", "a".repeat(1_000_000))),
        case("words to find", "/portal/find", FORM, format!("text={}", "a+".repeat(500_000))),
        case("a list", "/portal/compare", FORM, format!("proteins={}", "1+".repeat(99_000))),
        case("words", "/portal/compare", FORM, format!("proteins={}", "a+".repeat(99_000))),
        case("fields", "/portal/compare", FORM, "proteins=1&".repeat(1_090)),
        case("parts", "/portal/compare", PARTS, part.repeat(20_000)),
        case("a sequence", &searches, FORM, format!("sequence={}", "M".repeat(2_000_000))),
        case("a coded sequence", &searches, FORM, format!("sequence={}", "%4D".repeat(700_000))),
        case("a sequence in JSON", &searches, JSON, format!("{{\"sequence\":\"{}\"}}", "\\u004d".repeat(300_000))),
        case("a sequence in lines", &searches, JSON, format!("{{\"fasta\":\">a\\n{}\"}}", "M\\n".repeat(700_000))),
        case("a profile", &searches, JSON, format!("{{\"hmm\":\"HMMER3/f\\n{}\"}}", "NAME x\\n".repeat(250_000))),
        case("a sequence in the form", "/portal/similar", FORM, format!("query={}", "M".repeat(2_000_000))),
        case("attributes", "/profiles", JSON, profile(&long_members(199, 1))),
        case("other members of a profile", "/profiles", JSON, members(1_100)),
        case("long attributes", "/profiles", JSON, profile(&long_members(60, 4_000))),
        case(
            "an attribute of many levels",
            "/profiles",
            JSON,
            profile(&format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100))),
        ),
        case(
            "attributes of many values",
            "/profiles",
            JSON,
            profile(&format!("{{\"a\":[{}1]}}", "1,".repeat(100_000))),
        ),
        case("conditions in the form", "/portal/similar", FORM, format!("query=M&q={}", "a+OR+".repeat(400_000))),
    ]
}

/// Returns a new profile of a user with attributes.
fn profile(attributes: &str) -> String {
    format!(
        "{{\"user\":{{\"userReference\":\"usr-00000000-0000-4000-8000-000000000001\"}},\"attributes\":{attributes}}}"
    )
}

/// Returns an object of members with long values.
fn long_members(number: usize, length: usize) -> String {
    let members: Vec<_> = (0..number).map(|number| format!("\"a{number}\":\"{}\"", "a".repeat(length))).collect();
    format!("{{{}}}", members.join(","))
}

/// Returns an object with the given number of members.
fn members(number: usize) -> String {
    let mut text = "{\"a\":1".to_owned();
    for number in 0..number {
        let _ = write!(text, ",\"a{number}\":1");
    }
    text + "}"
}

fn services(folder: &TestFolder, programs: &Path, access: &Access) -> Services {
    let (proteins, catalogue) = (folder.proteins(), folder.catalogue());
    let (searches, engine) = (folder.path().join("searches"), Engine::find_in(programs.as_os_str(), None));
    let limits = JobLimits {
        num_running: 1,
        num_waiting: 100,
        num_waiting_of_client: 100,
        num_hits: 1_000,
        age: Duration::from_hours(1),
        disk_bytes: 1 << 30,
        shared_cpu_time: Duration::MAX,
        engine: Limits::default(),
    };
    let similarity = Similarity::open(&searches, engine, limits, 1_000_000, &proteins, &catalogue);
    let profiles = Some(embedded::services(folder.path(), &access.public_key()));
    Services { proteins, catalogue, profiles, similarity: Arc::new(similarity) }
}

async fn ask(api: &Api, case: &Case, access: &Access) -> StatusCode {
    let token = format!("Bearer {}", access.administrator);
    let headers = [("content-type", case.content_type), ("authorization", &token)];
    send_body(api, Method::POST, &case.path, &headers, Body::from(case.body.clone())).await.status
}

/// Returns the most memory used for an answer, apart from the client's copy of the body.
async fn peak_memory(api: &Api, case: &Case, access: &Access) -> usize {
    // Values that are made only once are made now.
    ask(api, case, access).await;
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let status = ask(api, case, access).await;
    let taken = MEMORY.peak_usage().saturating_sub(before);
    assert_ne!(status, StatusCode::SERVICE_UNAVAILABLE, "{}", case.name);
    taken
}

#[tokio::test]
async fn estimated_memory_covers_used_memory() {
    let (folder, programs) = (TestFolder::of_sample_with(true), programs(HEAD));
    folder.publish_documents(Vec::new());
    let access = Access::new();
    let services = services(&folder, programs.path(), &access);
    let wide = Api::new(&services, &ServiceConfig::default());
    let mut too_light = Vec::new();
    for case in cases() {
        let taken = peak_memory(&wide, &case, &access).await;
        let answer_bytes_max = taken.saturating_sub(FREE_BYTES + 1);
        let narrow = Api::new(&services, &ServiceConfig { answer_bytes_max, ..ServiceConfig::default() });
        let status = ask(&narrow, &case, &access).await;
        let length = case.body.len();
        #[expect(clippy::print_stderr, reason = "who changes what is weighed reads it")]
        {
            eprintln!("{:32} {length:8} bytes take {taken:9}, {:3} times as many: {status}", case.name, taken / length);
        }
        if taken > FREE_BYTES && status != StatusCode::SERVICE_UNAVAILABLE {
            too_light.push(case.name);
        }
    }
    assert!(too_light.is_empty(), "{too_light:?}");
}
