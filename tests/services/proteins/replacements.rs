//! A replaced accession redirects to the record that replaces it.

use api::ServiceConfig;
use axum::http::{Method, StatusCode};

use crate::services::proteins::{detail, folder_with_replacements};
use support::{PROTEINS, get_protein, send};

#[tokio::test]
async fn missing_replacements_are_named() {
    let folder = folder_with_replacements("21\t22\n22\t99\n");
    for requested in ["21", "22"] {
        let answer = get_protein(&folder.router(), &format!("/protein/{requested}")).await;
        let text = detail(&answer, StatusCode::NOT_FOUND);
        assert!(text.contains("MGYP000000000099"), "{text}");
        assert_eq!(answer.header("location"), "");
    }
}

#[tokio::test]
async fn locations_begin_with_the_public_address() {
    let folder = folder_with_replacements("21\t12\n");
    let plain = ServiceConfig::default();
    let trusting = ServiceConfig { trust_proxy: true, ..plain.clone() };
    let configured = ServiceConfig { base_url: "https://public.org/mgdex".parse().ok(), ..trusting.clone() };
    let forwarded = [("x-forwarded-proto", "https"), ("x-forwarded-host", "proxy.org")];
    for (config, headers, expected) in [
        (&plain, &[][..], "http://mgdex.test"),
        (&plain, &forwarded[..], "http://mgdex.test"),
        (&trusting, &forwarded[..], "https://proxy.org"),
        (&trusting, &[][..], "http://mgdex.test"),
        (&trusting, &forwarded[..1], "https://mgdex.test"),
        (&configured, &forwarded[..], "https://public.org/mgdex"),
    ] {
        let path = format!("{PROTEINS}/protein/21");
        let answer = send(&folder.router_with(config), Method::GET, &path, headers).await;
        assert_eq!(answer.header("location"), format!("{expected}{PROTEINS}/protein/MGYP000000000012"), "{headers:?}");
    }
}
