//! Properties of all paths of the services that read, and the state of the process.

mod paths;

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use support::{Answer, PROTEINS, PROTEINS_V2, TestFolder, send};

use paths::{API, CATALOGUE, CATALOGUE_V2, REFGET, cached, other_statuses, overloaded, unknown};

/// Returns the text of an error, after checking that it has the format of the service.
fn error_text(answer: &Answer, service: &str, status: StatusCode) -> String {
    assert_eq!(answer.status, status, "{:?}", String::from_utf8_lossy(&answer.body));
    if service == "/portal" {
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        return answer.text().to_owned();
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
