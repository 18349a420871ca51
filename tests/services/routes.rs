//! Properties of all paths of the services that read, and the state of the process.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use api::{Api, ServiceConfig, Services};
use axum::http::{Method, StatusCode};
use serde_json::json;
use support::{Answer, PROTEINS, PROTEINS_V2, TestFolder, send};

use crate::services::proteins::folder_with_replacements;

const CATALOGUE: &str = "/metagenomics/api/v1";

const CATALOGUE_V2: &str = "/metagenomics/api/v2";

const REFGET: &str = "/metagenomics/proteins/refget";

/// The services, by the prefixes of their paths.
const SERVICES: [&str; 6] = [PROTEINS, PROTEINS_V2, REFGET, CATALOGUE, CATALOGUE_V2, "/portal"];

/// Paths below each prefix whose answers may be cached.
const KEPT: [&[&str]; 6] = [
    &[
        "/protein/12",
        "/protein/12/",
        "/protein/search?biome_id=132",
        "/protein/search?biome_id=100000",
        "/openapi.json",
        "/docs/",
    ],
    &[
        "/proteins",
        "/proteins/?limit=1",
        "/proteins?q=pfam:5%20AND%20biome:132&count=exact&format=json",
        "/proteins?format=ndjson",
        "/proteins?format=tsv&fields=accession,sequence",
        "/proteins?format=fasta",
        "/proteins/12",
        "/proteins/12/",
        "/proteins/12.fasta",
        "/suggest?kind=biome&text=marine",
        "/facets?by=biome&q=pfam:5",
        "/facets?by=biome&format=tsv",
        "/enrichment?by=pfam&biome=62",
        "/openapi.json",
        "/docs/",
    ],
    &[
        "/sequence/12",
        "/sequence/12/",
        "/sequence/12?start=1&end=3",
        "/sequence/service-info",
        "/openapi.json",
        "/docs/",
    ],
    &["", "/", "/samples", "/samples/ERS1", "/studies/MGYS00000001/samples", "/samples.csv", "/openapi.json", "/docs/"],
    &[
        "/studies/",
        "/studies",
        "/studies/?page_size=1&order=-updated_at",
        "/studies/?format=csv",
        "/studies/MGYS00000001",
        "/studies/MGYS00000001/samples/",
        "/studies/insdc/PRJEB1",
        "/rss/studies/",
        "/openapi.json",
        "/docs/",
    ],
    &["", "/", "/search?pfam=5", "/proteins/12", "/samples", "/samples/ERS1", "/biomes"],
];

/// Paths that are known and answered with another status.
const OTHERS: [&[(&str, u16)]; 6] = [
    &[
        ("/protein/16", 404),
        ("/protein/x", 404),
        ("/protein/search", 422),
        ("/protein/search/", 422),
        ("/protein/search?biome_lineage=x", 422),
        ("/protein/21", 302),
    ],
    &[
        ("/proteins/99", 404),
        ("/proteins?limit=0", 422),
        ("/suggest", 422),
        ("/proteins/21", 302),
        ("/proteins/21.fasta", 302),
    ],
    &[
        ("/sequence/16", 404),
        ("/sequence/21", 302),
        ("/sequence/21/metadata", 302),
        ("/sequence/12?start=x", 400),
        ("/sequence/12?start=99", 416),
        ("/sequence/12?start=3&end=1", 501),
        ("/sequence/f1f8f4bf413b16ad135722aa4591043e", 501),
    ],
    &[("/samples/x", 404), ("/samples?page=99", 404), ("/samples?latitude_gte=x", 400)],
    &[("/samples/x", 404), ("/studies/?page=0", 422), ("/samples/?latitude_gte=x", 422), ("/my-data/studies/", 401)],
    &[("/proteins/99", 404), ("/samples/x", 404), ("/biomes/x", 404)],
];

/// Paths that are unknown.
const UNKNOWN: [&[&str]; 6] = [
    &["", "/", "/protein", "/protein/", "/protein/12/13", "//protein/12", "/protein/%2e%2e/x", "/docs/nothing.js"],
    &["", "/", "/protein/12", "/protein/search", "/proteins//", "/proteins/12/x", "/proteinss", "/docs/nothing.js"],
    &[
        "",
        "/",
        "/sequence",
        "/sequence/",
        "/sequence/12/x",
        "/sequence/12/metadata/x",
        "/service-info",
        "/docs/nothing.js",
    ],
    &["/nothing", "//samples", "/samples/ERS1/nothing/more/of/it", "/docs/nothing.js"],
    &["/nothing", "//samples", "/biomes/root", "/samples/ERS1/nothing", "/docs/nothing.js"],
    &["/nothing", "//", "/proteins//x", "/%FF"],
];

/// Proteins, of which some were replaced, a study and a sample.
static SITE: LazyLock<(TestFolder, Services)> = LazyLock::new(|| {
    let folder = folder_with_replacements("21\t12\n");
    let study = json!({"type": "studies", "id": "MGYS00000001", "attributes": {"bioproject": "PRJEB1"}});
    let relationships = json!({"studies": {"data": [{"type": "studies", "id": "MGYS00000001"}]}});
    let attributes = json!({"species": "a".repeat(2000)});
    let sample = json!({"type": "samples", "id": "ERS1", "attributes": attributes, "relationships": relationships});
    folder.publish_catalogue(vec![folder.input("resources.jsonl", format!("{study}\n{sample}\n"))]);
    let services = folder.services();
    (folder, services)
});

static API: LazyLock<Api> = LazyLock::new(|| Api::new(&SITE.1, &ServiceConfig::default()));

/// Returns a router without a free place for a request.
fn overloaded() -> Api {
    Api::new(&SITE.1, &ServiceConfig { requests_max: 0, ..ServiceConfig::default() })
}

/// Returns the whole paths of all services, each with its service.
fn all<T: Copy>(paths: [&[T]; 6], path: fn(T) -> &'static str) -> Vec<(&'static str, String, T)> {
    let of_service = |(prefix, paths): (&'static str, &[T])| {
        paths.iter().map(|row| (prefix, format!("{prefix}{}", path(*row)), *row)).collect::<Vec<_>>()
    };
    SERVICES.into_iter().zip(paths).flat_map(of_service).collect()
}

fn cached() -> Vec<(&'static str, String, &'static str)> {
    all(KEPT, |path| path)
}

fn other_statuses() -> Vec<(&'static str, String, (&'static str, u16))> {
    all(OTHERS, |(path, _)| path)
}

fn unknown() -> Vec<(&'static str, String, &'static str)> {
    all(UNKNOWN, |path| path)
}

/// Returns the text of an error, after checking that it has the format of the service.
fn error_text(answer: &Answer, service: &str, status: StatusCode) -> String {
    assert_eq!(answer.status, status, "{:?}", String::from_utf8_lossy(&answer.body));
    if service == "/portal" {
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        return String::from_utf8(answer.body.clone()).expect("text");
    }
    assert_eq!(answer.header("content-type"), "application/json");
    let body = answer.json();
    assert_eq!(body.as_object().expect("an object").len(), 1, "{body}");
    let detail = if service == CATALOGUE { &body["errors"][0]["detail"] } else { &body["detail"] };
    detail.as_str().map_or_else(|| detail.to_string(), str::to_owned)
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let rest = ["/healthz", "/readyz", "/nothing", "/favicon.ico"].map(str::to_owned);
    let of_services =
        cached().into_iter().map(|(_, path, _)| path).chain(other_statuses().into_iter().map(|(_, path, _)| path));
    for path in of_services.chain(unknown().into_iter().map(|(_, path, _)| path)).chain(rest) {
        for encoding in ["identity", "gzip"] {
            let headers = [("accept-encoding", encoding)];
            let ask = async |method| {
                let mut answer = send(&API, method, &path, &headers).await;
                assert!(answer.headers.remove("x-request-id").is_some(), "{path}");
                if answer.header("content-type").starts_with("text/html") && answer.status != StatusCode::OK {
                    // The page contains the id.
                    answer.headers.remove("content-length");
                }
                answer
            };
            let (get, head) = (ask(Method::GET).await, ask(Method::HEAD).await);
            assert!(!get.body.is_empty() && head.body.is_empty(), "{path}");
            assert_eq!((head.status, head.headers), (get.status, get.headers), "{path}");
        }
    }
}

#[tokio::test]
async fn wrong_methods_get_405_with_allow() {
    let health = ["/healthz", "/readyz"].map(|path| (PROTEINS, path.to_owned()));
    let of_services = cached().into_iter().map(|(service, path, _)| (service, path));
    for (service, path) in of_services.chain(health) {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = send(&API, method.clone(), &path, &[]).await;
            let text = error_text(&answer, service, StatusCode::METHOD_NOT_ALLOWED);
            // Version 2 has the texts of the real program.
            assert!(service == CATALOGUE_V2 || text.contains(method.as_str()), "{path}: {text}");
            let allowed: BTreeSet<&str> = answer.header("allow").split(',').map(str::trim).collect();
            assert!(allowed.is_superset(&BTreeSet::from(["GET", "HEAD"])), "{path}: {allowed:?}");
            assert!(!allowed.contains(method.as_str()), "{path}: {allowed:?}");
        }
    }
}

#[tokio::test]
async fn matching_tags_get_304() {
    let mut tags = BTreeSet::new();
    for (service, path, below) in cached() {
        for accept in ["*/*", "text/tab-separated-values"] {
            if accept != "*/*" && service != PROTEINS_V2 {
                continue;
            }
            let ask = async |method, shown: &str| {
                send(&API, method, &path, &[("accept", accept), ("if-none-match", shown)]).await
            };
            let answer = ask(Method::GET, "\"a\"").await;
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            let vary = if service == PROTEINS { "accept-encoding" } else { "Accept, Accept-Encoding" };
            assert_eq!((answer.header("vary"), answer.header("cache-control")), (vary, "public, max-age=60"), "{path}");
            let tag = answer.header("etag").to_owned();
            assert!(tag.starts_with("W/\"") && tag.ends_with('"') && tag.len() > 4, "{path}: {tag}");
            let list = format!("\"a\", W/\"b\",{tag} , \"c\"");
            for shown in [&*tag, &tag[2..], &list, "*"] {
                for method in [Method::GET, Method::HEAD] {
                    let unchanged = ask(method, shown).await;
                    assert_eq!((unchanged.status, unchanged.body.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
                    assert_eq!(unchanged.header("content-length"), "", "{path}");
                    for name in ["etag", "vary", "cache-control"] {
                        assert_eq!(unchanged.header(name), answer.header(name), "{path}");
                    }
                }
            }
            for shown in ["\"a\"", "W/\"\"", "", &tag[..tag.len() - 2]] {
                assert_eq!(ask(Method::GET, shown).await.status, StatusCode::OK, "{path}, {shown}");
            }
            let is_docs = below == "/openapi.json" || below == "/docs/";
            assert!(is_docs || tags.insert(tag), "{path} in {accept} has a tag of its own");
        }
    }
}

#[tokio::test]
async fn errors_have_no_tag_and_are_not_cached() {
    for (service, path, (_, status)) in other_statuses() {
        for shown in ["\"a\"", "*"] {
            let answer = send(&API, Method::GET, &path, &[("if-none-match", shown)]).await;
            error_text(&answer, service, StatusCode::from_u16(status).expect("a status"));
            assert_eq!((answer.header("etag"), answer.header("cache-control")), ("", "no-store"), "{path}");
        }
    }
}

#[tokio::test]
async fn unknown_paths_are_404_in_the_format_of_their_service() {
    let nowhere = ["/", "/nothing", "/metagenomics", "/metagenomics/proteins/api/v3/protein/12"];
    let nowhere = nowhere.map(|path| (PROTEINS, path.to_owned(), path));
    for (service, path, _) in unknown().into_iter().chain(nowhere) {
        let text = error_text(&send(&API, Method::GET, &path, &[]).await, service, StatusCode::NOT_FOUND);
        let is_named = [PROTEINS, PROTEINS_V2, REFGET].contains(&service);
        assert!(!is_named || text.contains(&path), "{text}");
    }
}

#[tokio::test]
async fn limits_of_requests_apply_to_all_services() {
    let overloaded = overloaded();
    for (service, path, _) in cached() {
        let separator = if path.contains('?') { '&' } else { '?' };
        let long = format!("{path}{separator}x={}", "a".repeat(9000));
        let text = error_text(&send(&API, Method::GET, &long, &[]).await, service, StatusCode::URI_TOO_LONG);
        assert!(text.contains("8192"), "{text}");
        let unacceptable = [("accept-encoding", "identity;q=0, compress")];
        error_text(&send(&API, Method::GET, &path, &unacceptable).await, service, StatusCode::NOT_ACCEPTABLE);
        let answer = send(&overloaded, Method::GET, &path, &[]).await;
        error_text(&answer, service, StatusCode::SERVICE_UNAVAILABLE);
        assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
        assert_eq!(answer.header("etag"), "", "{path}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(send(&overloaded, Method::GET, path, &[]).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn pages_of_any_origin_may_read_answers_and_errors_of_the_interfaces() {
    let (overloaded, empty) = (overloaded(), TestFolder::empty().router());
    let origin = ("origin", "https://example.org");
    let paths = cached().into_iter().map(|(service, path, _)| (service, path));
    let paths = paths.chain(other_statuses().into_iter().map(|(service, path, _)| (service, path)));
    for (service, path) in paths.chain(unknown().into_iter().map(|(service, path, _)| (service, path))) {
        let long = format!("{path}?{}", "a".repeat(9000));
        for (router, path) in [(&*API, &path), (&overloaded, &path), (&empty, &path), (&API, &long)] {
            let answer = send(router, Method::GET, path, &[origin]).await;
            let is_open = answer.header("access-control-allow-origin") == "*";
            assert_eq!(is_open, service != "/portal", "{path:.60}");
            let exposed = answer.header("access-control-expose-headers");
            assert!(!is_open || exposed.contains("etag") && exposed.contains("retry-after"), "{path:.60}: {exposed}");
        }
        let names = [("access-control-request-method", "GET"), ("access-control-request-headers", "if-none-match")];
        let preflight = send(&API, Method::OPTIONS, &path, &[origin, names[0], names[1]]).await;
        if service == "/portal" {
            assert_eq!(preflight.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
            continue;
        }
        assert_eq!(
            (preflight.status, preflight.header("access-control-allow-origin")),
            (StatusCode::OK, "*"),
            "{path}"
        );
        assert!(preflight.header("access-control-allow-methods").contains("GET"), "{preflight:?}");
        assert_eq!(preflight.header("access-control-allow-headers"), "*", "{path}");
    }
}

#[tokio::test]
async fn answers_have_unique_ids() {
    let overloaded = overloaded();
    let mut ids = BTreeSet::new();
    for path in cached().into_iter().chain(unknown()).map(|(_, path, _)| path) {
        for (router, method) in
            [(&*API, Method::GET), (&API, Method::HEAD), (&API, Method::POST), (&overloaded, Method::GET)]
        {
            // An id sent by the client is ignored, because it would be written to the log.
            let headers = [("x-request-id", "mine"), ("if-none-match", "*")];
            let answer = send(router, method, &path, &headers).await;
            let id = answer.header("x-request-id");
            assert!(uuid::Uuid::parse_str(id).is_ok() && ids.insert(id.to_owned()), "{id:?}");
        }
    }
}
