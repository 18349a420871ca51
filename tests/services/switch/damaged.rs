//! The previous generation is served while the current one is damaged or missing.

use std::fs;

use axum::http::StatusCode;
use store::{Error, GenerationName};
use support::{TestFolder, get, get_protein};

use super::{publish, router, served, state_of_record, state_of_search, tagged_generation};

/// Breaks the current generation, and checks that the old one is served until there is a complete
/// one.
async fn check_not_taken_over(
    damage: impl FnOnce(&TestFolder, GenerationName),
    is_expected: impl FnOnce(&Error) -> bool,
) {
    let folder = TestFolder::empty();
    let old = publish(&folder, 1);
    let proteins = folder.proteins();
    let router = router(&folder, &proteins);
    damage(&folder, publish(&folder, 2));
    for _ in 0..2 {
        let error = proteins.refresh().expect_err("it cannot be served");
        assert!(matches!(error, Error::Torn { .. } | Error::Altered { .. } | Error::UnknownFormat { .. }), "{error}");
    }
    assert!(proteins.refresh().is_err_and(|error| is_expected(&error)));
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
    for nonsense in [
        "",
        "nonsense
",
        "../gen-00000000-0000-0000-0000-000000000000
",
    ] {
        let write = |folder: &TestFolder, _| {
            fs::write(folder.generations().root().join("CURRENT"), nonsense).expect("writable");
        };
        check_not_taken_over(write, |error| matches!(error, Error::Altered { .. })).await;
    }
    let name_what_is_missing = |folder: &TestFolder, _| {
        let current = folder.generations().root().join("CURRENT");
        fs::write(
            current,
            "gen-00000000-0000-0000-0000-000000000000
",
        )
        .expect("writable");
    };
    check_not_taken_over(name_what_is_missing, |error| matches!(error, Error::Torn { .. })).await;
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
