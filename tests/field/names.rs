//! Accessions of proteins and families, and digests, in the spellings that other tools give them.

use api::paths::REFGET;
use axum::http::{Method, StatusCode};
use store_proteins::DigestAlgorithm;
use support::{PROTEINS, PROTEINS_V2, TestFolder, get, send_body};

use super::printed;

const SEQUENCE: &str = "MKVLAARSTW";

fn folder() -> TestFolder {
    let hit = "{\"\"p\"\":[[\"\"PF00005\"\",1e-9,40.5,1,9,2,6]]}";
    TestFolder::with_checksums(&format!("12,{SEQUENCE},true,7,\"{hit}\"\n13,MKVL,false,1,\n"))
}

#[tokio::test]
async fn versions_of_families_are_ignored() {
    let folder = folder();
    let api = folder.router();
    for family in ["PF00005", "pf00005", "PF00005.31", "PF5.2"] {
        for query in [format!("pfam={family}"), format!("q=pfam:{family}")] {
            let answer = get(&api, &format!("{PROTEINS_V2}/proteins?{query}")).await;
            assert_eq!(answer.json()["results"].as_array().map(Vec::len), Some(1), "{query}: {answer:?}");
        }
        let answer = get(&api, &format!("{PROTEINS}/protein/search?pfam_accession={family}")).await;
        let body = answer.json().to_string();
        assert!(body.contains("MGYP000000000012") && !body.contains("MGYP000000000013"), "{family}: {body}");
        assert_eq!(printed(&folder, &["search", "--query", &format!("pfam:{family}"), "--count"]).1, "1\n");
        assert_eq!(get(&api, &format!("/portal/find?text={family}")).await.status, StatusCode::SEE_OTHER, "{family}");
    }
    for family in ["PF00005.", "PF00005.x", "PF.31"] {
        let answer = get(&api, &format!("{PROTEINS_V2}/proteins?pfam={family}")).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{family}");
    }
}

#[tokio::test]
async fn spellings_of_accessions_are_accepted_except_by_version_1() {
    let folder = folder();
    let api = folder.router();
    for written in ["MGYP000000000012/1-58", "MGYP000000000012.1", "MGYP000000000012.pdb.gz", "mgyp12:3-7"] {
        let encoded = written.replace('/', "%2F");
        let answer = get(&api, &format!("{PROTEINS_V2}/proteins/{encoded}")).await;
        assert_eq!((answer.status, &answer.json()["accession"]), (StatusCode::OK, &"MGYP000000000012".into()));
        assert_eq!(printed(&folder, &["show", written]).0, Some(0), "{written}");
        let found = get(&api, &format!("/portal/find?text={encoded}")).await;
        assert_eq!(found.header("location"), "/portal/proteins/MGYP000000000012", "{written}");
        let strict = get(&api, &format!("{PROTEINS}/protein/{encoded}")).await;
        assert_eq!(strict.status, StatusCode::NOT_FOUND, "{written}");
    }
}

#[tokio::test]
async fn queries_and_refget_accept_all_spellings_of_a_digest() {
    let folder = folder();
    let api = folder.router();
    let [md5, ga4gh] = DigestAlgorithm::ALL.map(|algorithm| algorithm.digest(SEQUENCE).to_string());
    let bare = ga4gh.trim_start_matches("SQ.");
    let of_md5 = [md5.clone(), md5.to_uppercase(), format!("md5:{md5}"), format!("MD5:{md5}")];
    let of_ga4gh = [
        ga4gh.clone(),
        bare.to_owned(),
        format!("ga4gh:{ga4gh}"),
        format!("sha512t24u:{bare}"),
        format!("ga4gh:{bare}"),
    ];
    for (field, digests) in [("md5", &of_md5[..]), ("sha512t24u", &of_ga4gh)] {
        for digest in digests {
            let answer = get(&api, &format!("{PROTEINS_V2}/proteins?q={field}:\"{digest}\"").replace('"', "%22")).await;
            assert_eq!(answer.json()["results"].as_array().map(Vec::len), Some(1), "{field}:{digest} {answer:?}");
            let sequence = get(&api, &format!("{REFGET}/sequence/{digest}")).await;
            assert_eq!((sequence.status, &*sequence.body), (StatusCode::OK, SEQUENCE.as_bytes()), "{digest}");
        }
    }
    let unquoted = get(&api, &format!("{PROTEINS_V2}/proteins?q=sha512t24u:ga4gh:{ga4gh}")).await;
    assert_eq!(unquoted.status, StatusCode::OK, "{unquoted:?}");
}

#[tokio::test]
async fn refusals_list_the_accepted_values() {
    let api = folder().router();
    let path = format!("{PROTEINS_V2}/proteins/batch");
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let refused = send_body(&api, Method::POST, &path, &form, "MGYP000000000012").await;
    assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let detail = refused.json()["detail"].to_string();
    assert!(detail.contains("`application/json` or `text/plain`") && !detail.contains("compressed"), "{detail}");
    let packed = [("content-type", "text/plain"), ("content-encoding", "gzip")];
    let refused = send_body(&api, Method::POST, &path, &packed, "MGYP000000000012").await;
    assert!(refused.json()["detail"].to_string().contains("not be compressed"), "{refused:?}");
    let long = get(&api, &format!("{PROTEINS_V2}/proteins?q={}", "a".repeat(9000))).await;
    assert_eq!(long.status, StatusCode::URI_TOO_LONG);
    assert!(long.json()["detail"].to_string().contains("POST"), "{long:?}");
}

#[tokio::test]
async fn own_studies_keep_their_letter_case_and_are_found_in_any() {
    let places = "{\"\"s\"\":[[108403,[[477576,[[7,1,30,1]]]]]]}";
    let folder = TestFolder::with_checksums(&format!("12,{SEQUENCE},true,7,\"{places}\"\n"));
    let studies = ["Étang 1", "étang 1", "My Soils", "MY soils", "erp108403"];
    let names: Vec<String> = (0..studies.len()).map(|number| format!("p{number}")).collect();
    let proteins: Vec<_> = names.iter().map(|name| format!(">{name}\nMKVLAARSTW\n")).collect();
    let rows: Vec<_> = names.iter().zip(studies).map(|(name, study)| format!("{name}\t{study}\n")).collect();
    folder.add_source("mine", &proteins.concat(), &format!("name\tstudy\n{}", rows.concat()));
    let api = folder.router();
    for query in ["*", "source:mine"] {
        let facets = get(&api, &format!("{PROTEINS_V2}/facets?by=study&top=1000&q={query}")).await.json();
        let facets = facets["facets"].as_array().expect("facets").iter();
        let values: Vec<(String, u64)> = facets
            .map(|facet| (facet["name"].as_str().expect("text").to_owned(), facet["count"].as_u64().expect("a number")))
            .collect();
        let of = |name: &str| values.iter().find(|(value, _)| value == name).map(|(_, count)| *count);
        assert_eq!((of("Étang 1"), of("My Soils"), of("ÉTANG 1"), of("MY SOILS")), (Some(2), Some(2), None, None));
        assert!(of("ERP108403").is_some() && of("erp108403").is_none(), "that of the release came first: {values:?}");
    }
    for study in ["%22ÉTANG%201%22", "%22étang%201%22", "%22my%20SOILS%22"] {
        let found = get(&api, &format!("{PROTEINS_V2}/proteins?q=study:{study}")).await.json();
        assert_eq!(found["results"].as_array().map(Vec::len), Some(2), "{study} {found}");
    }
}
