//! Answers are compressed as the client wants, and each has an id.

use std::collections::BTreeSet;
use std::io::Read;

use api::ServiceConfig;
use axum::http::{Method, StatusCode};
use flate2::read::GzDecoder;

use crate::proteins::folder_with_replacements;
use support::{PROTEINS, TestFolder, get, send};

#[tokio::test]
async fn answers_are_compressed_as_the_client_wants() {
    let folder = TestFolder::of_sample();
    let router = folder.router();
    let path = format!("{PROTEINS}/protein/search?biome_lineage=root&limit=1000");
    let plain = get(&router, &path).await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"));
    for (accepted, expected) in [
        ("gzip", "gzip"),
        ("br", "br"),
        ("zstd", "zstd"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("identity", ""),
        ("compress", ""),
    ] {
        let answer = send(&router, Method::GET, &path, &[("accept-encoding", accepted)]).await;
        assert_eq!((answer.status, answer.header("content-encoding")), (StatusCode::OK, expected), "{accepted}");
        assert_eq!(answer.header("vary"), "accept-encoding", "{accepted}");
        assert_eq!(answer.header("etag"), plain.header("etag"), "{accepted}");
        let body = match expected {
            "gzip" => {
                let mut body = Vec::new();
                GzDecoder::new(&answer.body[..]).read_to_end(&mut body).expect("gzip");
                body
            }
            "zstd" => zstd::decode_all(&answer.body[..]).expect("zstd"),
            "br" => {
                // Nothing here reads it; that it is another and a smaller body must do.
                assert!(answer.body.len() * 4 < plain.body.len());
                continue;
            }
            _ => answer.body,
        };
        assert_eq!(body, plain.body, "{accepted}");
    }
}

#[tokio::test]
async fn every_answer_carries_an_id_of_its_own() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    let overloaded = folder.router_with(&ServiceConfig { requests_max: 0, ..ServiceConfig::default() });
    let mut ids = BTreeSet::new();
    let mut num_answers = 0;
    for router in [&router, &overloaded] {
        for path in ["/protein/12", "/protein/12", "/protein/16", "/protein/21", "/protein/search", "/nothing"] {
            for method in [Method::GET, Method::HEAD, Method::POST] {
                // An id that the client brings is not believed: it would stand in the log.
                let headers = [("x-request-id", "mine"), ("if-none-match", "*")];
                let answer = send(router, method, &format!("{PROTEINS}{path}"), &headers).await;
                let id = answer.header("x-request-id");
                assert!(uuid::Uuid::parse_str(id).is_ok(), "{id:?}");
                ids.insert(id.to_owned());
                num_answers += 1;
            }
        }
    }
    assert_eq!(ids.len(), num_answers);
}
