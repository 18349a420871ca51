//! Pages of any origin may read answers and errors.

use api::ServiceConfig;
use axum::http::Method;

use crate::proteins::{folder_with_replacements, rows};
use support::{PROTEINS, TestFolder, send};

#[tokio::test]
async fn pages_of_any_origin_may_read_answers() {
    let folder = folder_with_replacements("21\t12\n");
    let router = folder.router();
    for path in ["/protein/12", "/protein/search?biome_id=132", "/protein/21", "/openapi.json"] {
        for shown in ["\"a\"", "*"] {
            let headers = [("origin", "https://example.org"), ("if-none-match", shown)];
            let answer = send(&router, Method::GET, &format!("{PROTEINS}{path}"), &headers).await;
            assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
            let exposed = answer.header("access-control-expose-headers").to_ascii_lowercase();
            assert!(["etag", "location"].iter().all(|name| exposed.contains(name)), "{path}: {exposed}");
        }
    }
}

#[tokio::test]
async fn pages_of_any_origin_may_read_errors() {
    let folder = TestFolder::of_rows(&rows());
    let overloaded = folder.router_with(&ServiceConfig { requests_max: 0, ..ServiceConfig::default() });
    let router = folder.router();
    let too_long = format!("/protein/search?biome_id=1&x={}", "a".repeat(10_000));
    for (router, path, status) in [
        (&router, "/protein/16", 404),
        (&router, "/protein/search", 422),
        (&router, "/nothing", 404),
        (&router, &too_long, 414),
        (&overloaded, "/protein/12", 503),
        (&TestFolder::empty().router(), "/protein/12", 503),
    ] {
        let answer = send(router, Method::GET, &format!("{PROTEINS}{path}"), &[("origin", "https://a.org")]).await;
        assert_eq!(answer.status.as_u16(), status);
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{status} at {path:.40}");
    }
}

#[tokio::test]
async fn a_preflight_is_answered() {
    let folder = TestFolder::of_rows(&rows());
    for path in ["/protein/12", "/protein/search?biome_id=132", "/openapi.json"] {
        let headers = [
            ("origin", "https://example.org"),
            ("access-control-request-method", "GET"),
            ("access-control-request-headers", "if-none-match"),
        ];
        let answer = send(&folder.router(), Method::OPTIONS, &format!("{PROTEINS}{path}"), &headers).await;
        assert!(answer.status.is_success(), "{path}: {answer:?}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert!(answer.header("access-control-allow-methods").contains("GET"), "{answer:?}");
        let allowed = answer.header("access-control-allow-headers").to_ascii_lowercase();
        assert!(allowed == "*" || allowed.contains("if-none-match"), "{allowed}");
    }
}
