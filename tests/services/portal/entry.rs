//! Redirection of browsers to the portal.

use api::{Api, ServiceConfig};
use axum::http::{Method, StatusCode};
use support::{TestFolder, get, send};

use super::{BROWSER, SITE, services, text, visit};

#[tokio::test]
async fn browsers_are_redirected_to_the_portal_and_programs_are_not() {
    for path in ["/", "/metagenomics", "/metagenomics/", "/metagenomics/api", "/metagenomics/api/"] {
        let redirect = visit(path).await;
        assert_eq!((redirect.status, redirect.header("location")), (StatusCode::SEE_OTHER, "/portal/"), "{path}");
        for accept in ["*/*", "application/json", "application/json, text/html;q=0.5"] {
            let answer = send(&SITE.api, Method::GET, path, &[("accept", accept)]).await;
            assert_eq!(
                (answer.status, answer.header("content-type")),
                (StatusCode::NOT_FOUND, "application/json"),
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn paths_of_the_api_never_answer_with_pages() {
    for path in [
        "/metagenomics/api/v1",
        "/metagenomics/api/v1/studies",
        "/metagenomics/api/v1/studies/MGYS00000257",
        "/metagenomics/api/latest/samples",
        "/metagenomics/api/v1/nope",
        "/metagenomics/proteins/api/v1/protein/search?pfam_accession=5",
        "/metagenomics/proteins/api/v2/proteins/MGYP004580811409",
        "/my/profile",
        "/healthz",
        "/readyz",
    ] {
        for accept in [BROWSER, ("accept", "text/html")] {
            let answer = send(&SITE.api, Method::GET, path, &[accept]).await;
            assert!(!answer.status.is_redirection(), "{path}");
            assert!(answer.header("content-type").contains("json"), "{path}: {}", answer.header("content-type"));
        }
    }
}

#[tokio::test]
async fn paths_of_a_disabled_portal_are_unknown() {
    let folder = TestFolder::empty();
    let without = Api::new(&services(&folder), &ServiceConfig { has_portal: false, ..ServiceConfig::default() });
    for path in ["/", "/portal", "/portal/", "/portal/search", "/favicon.ico"] {
        let answer = send(&without, Method::GET, path, &[BROWSER]).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (StatusCode::NOT_FOUND, "application/json"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn portals_without_data_say_how_to_load_some() {
    let folder = TestFolder::empty();
    let home = get(&folder.router(), "/portal/").await;
    assert_eq!(home.status, StatusCode::OK);
    assert!(text(&home).contains("Nothing is loaded yet"));
    assert!(text(&get(&folder.router(), "/portal/status").await).contains("mgdex catalogue load"));
    for path in ["/portal/search", "/portal/studies", "/portal/proteins/1", "/portal/biomes", "/portal/compare"] {
        let answer = get(&folder.router(), path).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
        assert!(text(&answer).contains("mgdex "), "{path}");
    }
}

#[tokio::test]
async fn links_include_the_path_of_a_proxy() {
    let config = ServiceConfig { base_url: "https://example.org/mgdex/".parse().ok(), ..ServiceConfig::default() };
    let folder = TestFolder::of_sample();
    let api = folder.router_with(&config);
    let redirect = send(&api, Method::GET, "/", &[BROWSER]).await;
    assert_eq!(redirect.header("location"), "/mgdex/portal/");
    for path in
        ["/portal/", "/portal/search?pfam=PF00005", "/portal/proteins/MGYP004580811409", "/portal/families/PF00005"]
    {
        let page = text(&get(&api, path).await);
        for kind in ["href=\"/", "src=\"/", "action=\"/"] {
            for address in page.split(kind).skip(1) {
                assert!(address.starts_with("mgdex/"), "{path}: /{}", &address[..40]);
            }
        }
        assert!(page.contains("curl &#39;https://example.org/mgdex/metagenomics/"), "{path}");
    }
}
