//! Answers are compressed as the client wants.

use std::io::Read;

use axum::http::{Method, StatusCode};
use flate2::read::GzDecoder;
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
