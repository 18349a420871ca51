//! The previous generation is served while the current one is damaged or missing.

use std::fs;

use axum::http::StatusCode;
use store::Error;
use support::{TestFolder, get, get_protein};

use super::{publish, router, served, state_of_record, state_of_search, tagged_generation};

/// Overwrites the file that names the current generation, and checks that the old one is served until
/// there is a complete one.
async fn check_not_taken_over(current: &str, is_expected: fn(&Error) -> bool) {
    let folder = TestFolder::empty();
    let old = publish(&folder, 1);
    let proteins = folder.proteins();
    let router = router(&folder, &proteins);
    publish(&folder, 2);
    fs::write(folder.generations().root().join("CURRENT"), current).expect("writable");
    for _ in 0..3 {
        assert!(proteins.refresh().is_err_and(|error| is_expected(&error)), "{current:?}");
    }
    let answer = get_protein(&router, "/protein/search?biome_id=2&limit=1000").await;
    assert_eq!((tagged_generation(&answer), state_of_search(&answer.json(), 1000)), (old.to_string(), 1));
    let readiness = get(&router, "/readyz").await;
    let served = readiness.json()["proteins"].clone();
    assert_eq!((readiness.status, &served["generation"]), (StatusCode::OK, &old.to_string().into()));
    let kind = proteins.refresh().expect_err("it cannot be served").kind();
    assert_eq!(served["problem"], kind, "{served}");

    let new = publish(&folder, 3);
    assert_eq!(proteins.refresh().expect("whole"), Some(new));
    let answer = get_protein(&router, "/protein/101").await;
    assert_eq!((tagged_generation(&answer), state_of_record(&answer.json(), 101)), (new.to_string(), 3));
    assert!(get(&router, "/readyz").await.json()["proteins"].get("problem").is_none());
}

#[tokio::test]
async fn malformed_current_files_are_ignored() {
    for malformed in ["", "nonsense\n", "../gen-00000000-0000-0000-0000-000000000000\n"] {
        check_not_taken_over(malformed, |error| matches!(error, Error::Altered { .. })).await;
    }
    let missing = "gen-00000000-0000-0000-0000-000000000000\n";
    check_not_taken_over(missing, |error| matches!(error, Error::Torn { .. })).await;
}

#[test]
fn old_generation_is_served_if_current_is_lost() {
    let folder = TestFolder::empty();
    let old = publish(&folder, 1);
    let proteins = folder.proteins();
    fs::remove_file(folder.generations().root().join("CURRENT")).expect("there");
    assert_eq!(proteins.refresh().expect("nothing to open"), None);
    assert_eq!(served(&proteins), Some(old.to_string()));
}
