//! All recorded answers that mgdex gives differently, with the reason.

use axum::http::{Method, StatusCode};
use serde_json::json;
use support::Answer;

use super::replay::Recorded;

/// The answer that is expected in place of a recorded one.
pub(crate) enum Expected {
    /// The answer to another path.
    Like(String),
    /// An answer that passes a check.
    Answer(fn(&Answer) -> bool),
}

use Expected::{Answer as Passing, Like};

/// Returns the expected answer to a request whose recorded answer is not wanted, and the reason.
pub(crate) fn expected(recorded: &Recorded) -> Option<(&'static str, Expected)> {
    single(recorded)
        .or_else(|| method_exception(recorded))
        .or_else(|| header_exception(recorded))
        .or_else(|| slash_exception(recorded))
}

fn is_detail(answer: &Answer, status: StatusCode, text: &str) -> bool {
    answer.status == status && answer.json() == json!({ "detail": text })
}

fn is_not_found(answer: &Answer) -> bool {
    is_detail(answer, StatusCode::NOT_FOUND, "Not Found")
}

/// Requests that are answered differently for individual reasons.
fn single(recorded: &Recorded) -> Option<(&'static str, Expected)> {
    if recorded.method() != Method::GET || !recorded.request_headers.is_empty() {
        return None;
    }
    Some(match &*recorded.path {
        "/studies/MGYS90000000/samples/" | "/studies/MGYS90000000/analyses/" => (
            "a private study is answered as an unknown one",
            Passing(|answer| {
                is_detail(answer, StatusCode::NOT_FOUND, "Study with accession = MGYS90000000  was not found")
            }),
        ),
        "/super-studies/tara-oceans" => (
            "the biomes of embedded studies have their lineages",
            Passing(|answer| answer.json()["flagship_studies"][0]["biome"]["lineage"].is_string()),
        ),
        "/runs/?search=ERR&page_size=2" => (
            "the filters of version 1 are an addition",
            Passing(|answer| answer.json() == json!({"count": 0, "items": []})),
        ),
        "/biomes/?format=csv&page_size=1" => (
            "tables are an addition",
            Passing(|answer| {
                answer.header("content-type") == "text/csv"
                    && answer.body.starts_with(b"\"biome_name\",\"lineage\"\r\n")
            }),
        ),
        "/auth/verify" => (
            "errors are JSON",
            Passing(|answer| is_detail(answer, StatusCode::METHOD_NOT_ALLOWED, "Method not allowed")),
        ),
        "/nope/"
        | "/biomes/root"
        | "/publications/29312205/studies/"
        | "/samples/F1/studies/"
        | "/assemblies/ERZ9990001/runs"
        | "/super-studies/tara-oceans/studies/" => ("unknown paths are JSON", Passing(is_not_found)),
        _ => return None,
    })
}

/// Methods: `HEAD` and `OPTIONS` answer, errors are JSON, and there are no users.
fn method_exception(recorded: &Recorded) -> Option<(&'static str, Expected)> {
    let (method, path) = (recorded.method(), &*recorded.path);
    let is_preflight = recorded.request_headers.contains_key("Access-Control-Request-Method");
    if method == Method::GET || is_preflight {
        return None;
    }
    if path.starts_with("/auth/") {
        let is_refused = |answer: &Answer| answer.status == StatusCode::NOT_IMPLEMENTED;
        return Some(("there are no users", Passing(is_refused)));
    }
    if path == "/nope" {
        let reason = "unknown paths are JSON, for any method";
        let is_head = method == Method::HEAD;
        // A recorded 404 without a body is correct.
        return (!is_head).then_some((reason, Passing(is_not_found)));
    }
    Some(match method {
        Method::HEAD if path == "/" => ("the root leads to the page of the documentation", Passing(is_see_other)),
        Method::HEAD if path == "/openapi.json" => return None,
        Method::HEAD => ("HEAD answers", Passing(|answer| answer.status == StatusCode::OK && answer.body.is_empty())),
        Method::OPTIONS if path == "/" || path == "/openapi.json" => return None,
        Method::OPTIONS => (
            "OPTIONS answers",
            Passing(|answer| answer.status == StatusCode::OK && answer.header("allow") == "GET, HEAD, OPTIONS"),
        ),
        _ => (
            "errors are JSON",
            Passing(|answer| is_detail(answer, StatusCode::METHOD_NOT_ALLOWED, "Method not allowed")),
        ),
    })
}

fn is_see_other(answer: &Answer) -> bool {
    answer.status == StatusCode::SEE_OTHER && answer.header("location") == "/metagenomics/api/v2/docs/"
}

/// Headers: tokens change nothing, and answers have tags.
fn header_exception(recorded: &Recorded) -> Option<(&'static str, Expected)> {
    let header = |name: &str| recorded.request_headers.get(name).map(String::as_str);
    if header("If-None-Match") == Some("*") {
        return Some(("answers have tags", Passing(|answer| answer.status == StatusCode::NOT_MODIFIED)));
    }
    let has_token = header("Authorization").is_some_and(|value| value.starts_with("Bearer "));
    if !has_token || recorded.status != 401 {
        return None;
    }
    let reason = "there are no users, so that tokens change nothing";
    Some(match &*recorded.path {
        "/my-data/studies/" => (reason, Passing(|answer| is_detail(answer, StatusCode::UNAUTHORIZED, "Unauthorized"))),
        path if path.contains("catalogue_id") => (reason, Passing(is_not_found)),
        _ => (reason, Passing(|answer| answer.status == StatusCode::OK)),
    })
}

/// A missing or additional slash at the end of a path changes nothing.
fn slash_exception(recorded: &Recorded) -> Option<(&'static str, Expected)> {
    let (path, query) = recorded.path.split_once('?').map_or((&*recorded.path, ""), |(path, query)| (path, query));
    let with_query = |path: &str| if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    let reason = "a slash at the end changes nothing";
    let is_page = recorded.body.as_str().is_some_and(|body| body.contains("<!doctype html>"));
    match recorded.status {
        301 => Some((reason, Like(with_query(&format!("{path}/"))))),
        404 if is_page => path.strip_suffix('/').map(|path| (reason, Like(with_query(path)))),
        _ => None,
    }
}
