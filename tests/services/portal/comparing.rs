//! Lists of proteins, in addresses and in posted forms.

use axum::http::{Method, StatusCode};
use support::{Answer, PROTEINS_V2, get, send_body};

use super::{SITE, page, text};

#[tokio::test]
async fn proteins_are_compared_and_unknown_words_are_listed() {
    let page = page("/portal/compare?proteins=MGYP004580811409+MGYP004580619181+nope+MGYP004580811409+nope").await;
    assert!(page.contains("Side by side</h2>") && page.contains("1 malformed: nope</li>"));
    assert!(page.contains("2 proteins; 2 given more than once"));
    assert!(page.contains("<td class=\"number heat-1\">1</td>") && page.contains("<td class=\"number heat-0\"></td>"));
}

/// Posts a form to a page.
async fn post(path: &str, fields: &[(&str, &str)]) -> Answer {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    post_body(path, "application/x-www-form-urlencoded", body).await
}

async fn post_body(path: &str, content_type: &str, body: String) -> Answer {
    send_body(&SITE.api, Method::POST, path, &[("content-type", content_type)], body).await
}

#[tokio::test]
async fn long_lists_are_counted_compared_and_downloaded() {
    let all = text(&get(&SITE.api, &format!("{PROTEINS_V2}/proteins?format=tsv&fields=accession")).await);
    let known: Vec<&str> = all.lines().skip(1).take(1500).collect();
    let list = format!("{} nonsense,MGYP999999999998;{}", known.join("\n"), known[0]);
    let page = post("/portal/compare", &[("proteins", &list)]).await;
    assert_eq!(page.status, StatusCode::OK);
    let page = text(&page);
    for message in [
        "1,500 proteins, of which the first 100 are shown; 1 given more than once",
        "1 unknown: MGYP999999999998",
        "1 malformed: nonsense",
        "This list is too long for a link",
    ] {
        assert!(page.contains(message), "{message}");
    }
    // The search box accepts the same, also as a part of a form with a file.
    assert!(text(&post("/portal/find", &[("text", &list)]).await).contains("1,500 proteins, of which"));
    let parts = format!(
        "--x\r\nContent-Disposition: form-data; name=\"proteins\"\r\n\r\n\r\n--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n{list}\r\n--x--\r\n"
    );
    let of_file = post_body("/portal/compare", "multipart/form-data; boundary=x", parts.clone()).await;
    assert!(text(&of_file).contains("1,500 proteins, of which"));
    let cut =
        post_body("/portal/compare", "multipart/form-data; boundary=x", parts[..parts.len() - 8].to_owned()).await;
    assert_eq!(cut.status, StatusCode::BAD_REQUEST);
    for (format, expected) in [("fasta", 1500), ("ndjson", 1500), ("tsv", 1501), ("list", 1503), ("missing", 3)] {
        let file = post("/portal/compare", &[("proteins", &list), ("format", format)]).await;
        let text = text(&file);
        let found = if format == "fasta" { text.matches('>').count() } else { text.lines().count() };
        assert_eq!(found, expected, "{format}");
        assert!(file.header("content-disposition").starts_with("attachment"), "{format}");
    }
    let parquet = post("/portal/compare", &[("proteins", &list), ("format", "parquet")]).await;
    assert!(parquet.body.starts_with(b"PAR1"));
    // Input that is short enough for an address gets one.
    let redirect = post("/portal/compare", &[("proteins", known[0]), ("proteins", known[1])]).await;
    assert_eq!(redirect.header("location"), format!("/portal/compare?proteins={}+{}", known[0], known[1]));
    let redirect = post("/portal/find", &[("text", "pf00005")]).await;
    assert_eq!(redirect.header("location"), "/portal/find?text=pf00005");
    let most = (1..=100_001).map(|number: u32| number.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(post("/portal/compare", &[("proteins", &most)]).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let longer = "A".repeat(5 << 20);
    assert_eq!(post("/portal/find", &[("text", &longer)]).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        post_body("/portal/find", "application/json", "{}".to_owned()).await.status,
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    );
    assert_eq!(post("/portal/search", &[]).await.status, StatusCode::METHOD_NOT_ALLOWED);
}
