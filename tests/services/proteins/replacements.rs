//! A replaced accession leads to the record that replaces it.

use api::ServiceConfig;
use axum::http::{Method, StatusCode};
use serde_json::json;

use crate::services::proteins::{detail, folder_with_replacements};
use support::{PROTEINS, get, get_protein, send};

#[tokio::test]
async fn a_replaced_accession_leads_to_the_end_of_its_chain() {
    let folder = folder_with_replacements("# old\tnew\n21\t22\nMGYP000000000022\t23\n23\tmgyp12\n");
    let router = folder.router();
    for asked in ["21", "MGYP000000000022", "mgyp23"] {
        let answer = get_protein(&router, &format!("/protein/{asked}")).await;
        let text = detail(&answer, StatusCode::FOUND);
        assert!(text.contains(asked) && text.contains("MGYP000000000012"), "{text}");
        let location = answer.header("location");
        assert_eq!(location, format!("http://mgdex.test{PROTEINS}/protein/MGYP000000000012"));
        let path = location.strip_prefix("http://mgdex.test").expect("absolute");
        assert_eq!(get(&router, path).await.json()["mgyp"], "MGYP000000000012");
    }
}

#[tokio::test]
async fn circles_of_replacements_are_dropped() {
    let folder = folder_with_replacements("31\t32\n32\t31\n33\t31\n34\t34\n35\t12\n");
    let router = folder.router();
    for asked in ["31", "32", "33", "34"] {
        detail(&get_protein(&router, &format!("/protein/{asked}")).await, StatusCode::NOT_FOUND);
    }
    detail(&get_protein(&router, "/protein/35").await, StatusCode::FOUND);
}

#[tokio::test]
async fn a_replacement_that_is_not_here_is_named() {
    let folder = folder_with_replacements("21\t22\n22\t99\n");
    for asked in ["21", "22"] {
        let answer = get_protein(&folder.router(), &format!("/protein/{asked}")).await;
        let text = detail(&answer, StatusCode::NOT_FOUND);
        assert!(text.contains("MGYP000000000099"), "{text}");
        assert_eq!(answer.header("location"), "");
    }
}

#[tokio::test]
async fn a_live_record_wins_over_its_replacement() {
    let folder = folder_with_replacements("13\t12\n");
    let answer = get_protein(&folder.router(), "/protein/13").await;
    assert_eq!((answer.status, &answer.json()["mgyp"]), (StatusCode::OK, &json!("MGYP000000000013")));
    assert_eq!(answer.header("location"), "");
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
