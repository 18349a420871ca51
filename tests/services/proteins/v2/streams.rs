//! Streams: media types, limits, cursors, compression, and clients that disconnect.

use std::fmt::Write as _;
use std::io::Write as _;

use api::{Api, ServiceConfig};
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use flate2::write::GzDecoder;
use http_body_util::BodyExt;
use serde_json::Value;

use crate::services::proteins::OCEANIC;
use crate::services::proteins::v2::{router_of_rows, search, when_free};
use support::{Answer, TestFolder, get, send};

/// Enough for a stream of several parts.
const NUM_PROTEINS: usize = 5000;

fn folder() -> TestFolder {
    let mut rows = String::new();
    for number in 1..=NUM_PROTEINS {
        writeln!(rows, "{number},{},true,{},{{}}", "MKVLAARSTW".repeat(1 + number % 9), 1 + number % 5)
            .expect("in memory");
    }
    TestFolder::of_rows(&rows)
}

const FORMATS: [(&str, &str); 3] = [
    ("ndjson", "application/x-ndjson"),
    ("tsv", "text/tab-separated-values; charset=utf-8"),
    ("fasta", "text/x-fasta; charset=utf-8"),
];

/// Returns the text of a stream, after checking its headers.
fn text_of(answer: &Answer, (format, content_type): (&str, &str)) -> String {
    let text = answer.text().to_owned();
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, content_type), "{text}");
    assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"proteins.{format}\""));
    assert_eq!(answer.header("vary"), "Accept, Accept-Encoding");
    assert!(answer.header("link").ends_with("rel=\"cite-as\"") && !text.contains("mgyp"));
    text
}

#[tokio::test]
async fn formats_are_as_their_readers_expect() {
    let (_folder, router) = router_of_rows();
    let [ndjson, tsv, fasta] = FORMATS;
    let ask = async |format: (&str, &str), fields: &[(&str, &str)]| {
        let parameters = [&[("format", format.0), ("accession", "[13 TO 15]")], fields].concat();
        text_of(&get(&router, &search(&parameters)).await, format)
    };
    let last = format!("MKVL{}", "A".repeat(126));
    let expected = format!(
        ">MGYP000000000013 FL=0 CLUSTER=1\nMKVL{}\n>MGYP000000000014 CLUSTER=1\nMKVLAA\n>MGYP000000000015 FL=1 CLUSTER=20\n{}\n{}\n{}\n",
        "A".repeat(56),
        &last[..60],
        &last[60..120],
        &last[120..]
    );
    assert_eq!(ask(fasta, &[]).await, expected);
    let nothing = |format| search(&[("format", format), ("q", "NOT *")]);
    for (format, expected) in [(ndjson, ""), (tsv, "accession\tlength\tfull_length\tcluster_size\n"), (fasta, "")] {
        assert_eq!(text_of(&get(&router, &nothing(format.0)).await, format), expected);
    }
}

#[tokio::test]
async fn full_headers_of_fasta_have_families_and_biomes() {
    let (_folder, router) = router_of_rows();
    let ask = async |parameters: &[(&str, &str)]| {
        let parameters = [&[("accession", "[12 TO 15]"), ("header", "full")], parameters].concat();
        get(&router, &search(&parameters)).await
    };
    let fasta = ("format", "fasta");
    let heads = |answer: &Answer| {
        let text = text_of(answer, FORMATS[2]);
        text.lines().filter(|line| line.starts_with('>')).map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = [
        ">MGYP000000000012 FL=1 CLUSTER=7 PFAM=PF00005 BIOMES=root:Environmental:Aquatic:Marine".to_owned(),
        format!(">MGYP000000000013 FL=0 CLUSTER=1 PFAM=PF00664 BIOMES={OCEANIC}"),
        ">MGYP000000000014 CLUSTER=1".to_owned(),
        ">MGYP000000000015 FL=1 CLUSTER=20 PFAM=PF00005;PF04659 BIOMES=root:Engineered:Wastewater".to_owned(),
    ];
    assert_eq!(heads(&ask(&[fasta]).await), expected);
    let short = search(&[fasta, ("accession", "12"), ("header", "short")]);
    assert_eq!(heads(&get(&router, &short).await), [">MGYP000000000012 FL=1 CLUSTER=7"]);
    for refused in [&[("format", "tsv"), ("header", "full")][..], &[("header", "full")], &[fasta, ("header", "long")]] {
        let answer = get(&router, &search(refused)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{refused:?}");
        assert_eq!(answer.json()["detail"][0]["loc"][1], "header", "{refused:?}");
    }
    let path = format!("{}/proteins/batch?format=fasta&header=full", support::PROTEINS_V2);
    let answer = support::post(&router, &path, "text/plain", "15\n12\n").await;
    assert_eq!(heads(&answer), [&*expected[3], &*expected[0]]);
}

#[tokio::test]
async fn formats_are_named_or_accepted() {
    let (_folder, router) = router_of_rows();
    for (accept, format) in [
        ("application/x-ndjson", FORMATS[0]),
        ("application/json;q=0.5, application/jsonl", FORMATS[0]),
        ("text/tab-separated-values", FORMATS[1]),
        ("text/x-fasta", FORMATS[2]),
    ] {
        let answer = send(&router, Method::GET, &search(&[]), &[("accept", accept)]).await;
        let by_parameter = get(&router, &search(&[("format", format.0)])).await;
        assert_eq!(text_of(&answer, format), text_of(&by_parameter, format), "{accept}");
    }
    for accept in ["application/json", "*/*", "text/html, */*;q=0.8", ""] {
        let answer = send(&router, Method::GET, &search(&[]), &[("accept", accept)]).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/json"), "{accept}");
        assert_eq!(answer.header("vary"), "Accept, Accept-Encoding");
    }
    let refused = send(&router, Method::GET, &search(&[]), &[("accept", "image/png")]).await;
    assert_eq!((refused.status, refused.header("etag")), (StatusCode::NOT_ACCEPTABLE, ""));
    assert!(refused.json()["detail"].as_str().is_some_and(|text| text.contains("tsv, fasta")), "{refused:?}");
    // A named format takes precedence over `Accept`.
    let by_parameter = send(&router, Method::GET, &search(&[("format", "tsv")]), &[("accept", "image/png")]).await;
    text_of(&by_parameter, FORMATS[1]);
}

/// Returns the accessions of a stream.
fn accessions(text: &str, format: &str) -> Vec<String> {
    let of_line = |line: &str| match format {
        "ndjson" => serde_json::from_str::<Value>(line).expect("JSON")["accession"].as_str().map(str::to_owned),
        "tsv" => line.split('\t').next().filter(|cell| *cell != "accession").map(str::to_owned),
        _ => line.strip_prefix('>').and_then(|line| line.split(' ').next()).map(str::to_owned),
    };
    text.lines().filter_map(of_line).collect()
}

#[tokio::test]
async fn streams_have_all_hits_and_can_be_continued() {
    let folder = folder();
    let router = folder.router();
    let all: Vec<String> = (1..=NUM_PROTEINS).map(|number| format!("MGYP{number:012}")).collect();
    for format in FORMATS {
        let found = async |parameters: &[(&str, &str)]| {
            let parameters = [&[("format", format.0)], parameters].concat();
            accessions(&text_of(&get(&router, &search(&parameters)).await, format), format.0)
        };
        assert_eq!(found(&[]).await, all, "{format:?}");
        for limit in [1, 1023, 1024, 1025, 3000, 4999, 5000, 5001] {
            let expected = &all[..limit.min(NUM_PROTEINS)];
            assert_eq!(found(&[("limit", &limit.to_string())]).await, expected, "{format:?}, {limit}");
        }
        assert_eq!(found(&[("after", &all[2499])]).await, all[2500..]);
        assert_eq!(found(&[("after", &all[2499]), ("limit", "1500")]).await, all[2500..4000]);
        assert_eq!(found(&[("after", &all[NUM_PROTEINS - 1])]).await.len(), 0);
    }
}

/// Sends a request, and does not read the body.
async fn unread(router: &Api, path: &str, encoding: &str) -> Response<Body> {
    let request = Request::get(path).header("host", "mgdex.test").header("accept-encoding", encoding);
    router.answer(request.body(Body::empty()).expect("a request")).await
}

#[tokio::test]
async fn compressed_streams_can_be_read_while_they_are_written() {
    let folder = folder();
    let router = folder.router();
    let path = search(&[("format", "tsv")]);
    let plain = text_of(&get(&router, &path).await, FORMATS[1]);
    // The offsets at which the parts of the stream end.
    let lines: Vec<&str> = plain.split_inclusive('\n').collect();
    let ends: Vec<usize> = (1..=NUM_PROTEINS / 1024).map(|part| lines[..=part * 1024].concat().len()).collect();

    let response = unread(&router, &path, "gzip").await;
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert!(!response.headers().contains_key("content-length"));
    let mut body = response.into_body();
    let mut decoder = GzDecoder::new(Vec::new());
    let mut is_flushed = false;
    while let Some(frame) = body.frame().await {
        decoder.write_all(&frame.expect("sound").into_data().expect("data")).expect("gzip");
        decoder.flush().expect("in memory");
        // Without flushing, the bytes from the compressor would end anywhere.
        is_flushed |= ends.contains(&decoder.get_ref().len());
    }
    assert!(is_flushed);
    assert_eq!(decoder.finish().expect("whole"), plain.as_bytes());

    let zstd = send(&router, Method::GET, &path, &[("accept-encoding", "zstd")]).await;
    assert_eq!(zstd.header("content-encoding"), "zstd");
    assert_eq!(zstd::decode_all(&zstd.body[..]).expect("zstd"), plain.as_bytes());
}

#[tokio::test]
async fn streams_stop_when_their_clients_leave() {
    let folder = folder();
    // One of the four may be a stream.
    let router = folder.router_with(&ServiceConfig { requests_max: 4, ..ServiceConfig::default() });
    let path = search(&[("format", "fasta")]);
    for encoding in ["identity", "gzip"] {
        let mut response = unread(&router, &path, encoding).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert!(response.body_mut().frame().await.is_some());
        let refused = get(&router, &path).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "the place is taken");
        assert!(!refused.header("retry-after").is_empty());
        assert_eq!(get(&router, &search(&[])).await.status, StatusCode::OK, "pages have places of their own");
        drop(response);
        // The part that is being read when the client disconnects is the last one.
        when_free(&router, &path).await;
    }
}
