//! Requests that a page of another site makes a browser send.

use axum::http::{Method, StatusCode};
use support::{PROTEINS_V2, TestFolder, send_body};

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn cross_site_requests_change_and_start_nothing() {
    let folder = TestFolder::of_sample();
    let router = folder.router();
    let (searches, search) = (format!("{PROTEINS_V2}/searches"), "00000000-0000-4000-8000-000000000000");
    let removed = format!("{searches}/{search}");
    for (method, path, content_type, own) in [
        (Method::POST, "/portal/find", FORM, 303),
        (Method::POST, "/portal/compare", FORM, 303),
        (Method::POST, "/portal/similar", FORM, 422),
        (Method::POST, &format!("/portal/similar/{search}"), FORM, 503),
        (Method::POST, &searches, FORM, 503),
        (Method::DELETE, &removed, FORM, 503),
    ] {
        for (site, expected) in [("cross-site", 403), ("same-origin", own), ("same-site", own), ("none", own)] {
            let headers = [("content-type", content_type), ("sec-fetch-site", site)];
            let answer = send_body(&router, method.clone(), path, &headers, "text=7&query=MKV&proteins=7").await;
            assert_eq!(answer.status, expected, "{method} {path} {site}");
        }
    }
    // Browsers ask first whether a page of another site may send JSON.
    let headers = [("content-type", "application/json"), ("sec-fetch-site", "cross-site")];
    let answer = send_body(&router, Method::POST, &searches, &headers, "{}").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    for path in ["/portal/find?text=7", "/portal/compare?proteins=7", &format!("{PROTEINS_V2}/proteins")] {
        let answer = support::send(&router, Method::GET, path, &[("sec-fetch-site", "cross-site")]).await;
        assert!(answer.status.is_success() || answer.status.is_redirection(), "{path}: {}", answer.status);
    }
}
