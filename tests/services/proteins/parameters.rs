//! The parameters of a search, and the errors about faulty ones.

use axum::http::StatusCode;
use serde_json::json;

use crate::services::proteins::{detail, found, lineage_search, row, rows};
use support::{TestFolder, get_protein};

#[tokio::test]
async fn all_errors_of_parameters_are_listed() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let int_parsing = |name: &str| {
        json!({
            "type": "int_parsing", "loc": ["query", name],
            "msg": "Input should be a valid integer, unable to parse string as an integer",
        })
    };
    let too_low = |name: &str| {
        json!({
            "type": "greater_than_equal", "loc": ["query", name],
            "msg": "Input should be greater than or equal to 1", "ctx": {"ge": 1},
        })
    };
    let too_high = json!({
        "type": "less_than_equal", "loc": ["query", "limit"],
        "msg": "Input should be less than or equal to 1000", "ctx": {"le": 1000},
    });
    let not_one_filter = json!({
        "type": "value_error", "loc": ["query"],
        "msg": "Provide exactly one of biome_id or pfam_accession or biome_lineage",
    });
    for (query, expected) in [
        ("biome_id=132&limit=0", json!([too_low("limit")])),
        ("biome_id=132&limit=-1", json!([too_low("limit")])),
        ("biome_id=132&limit=1001", json!([too_high])),
        ("biome_id=132&limit=1e3", json!([int_parsing("limit")])),
        ("biome_id=x&limit=1001", json!([int_parsing("biome_id"), too_high])),
        ("limit=0", json!([too_low("limit"), not_one_filter])),
        (
            "biome_id=x&pfam_accession=0&limit=z",
            json!([int_parsing("biome_id"), too_low("pfam_accession"), int_parsing("limit"), not_one_filter]),
        ),
        ("biome_id=9223372036854775808", json!([int_parsing("biome_id")])),
        ("biome_id=-9223372036854775809", json!([int_parsing("biome_id")])),
        ("pfam_accession=9223372036854775808", json!([int_parsing("pfam_accession")])),
        ("pfam_accession=PF000O5", json!([int_parsing("pfam_accession")])),
        ("pfam_accession=CL0023", json!([int_parsing("pfam_accession")])),
        ("pfam_accession=PF", json!([int_parsing("pfam_accession")])),
        ("pfam_accession=PF-5", json!([int_parsing("pfam_accession")])),
        ("pfam_accession=-5", json!([too_low("pfam_accession")])),
        ("pfam_accession=PF00000", json!([too_low("pfam_accession")])),
        ("", json!([not_one_filter])),
        // An empty parameter counts as present.
        ("biome_id=", json!([int_parsing("biome_id")])),
        ("biome_id", json!([int_parsing("biome_id")])),
        ("pfam_accession=", json!([int_parsing("pfam_accession")])),
        ("biome_id=132&limit=", json!([int_parsing("limit")])),
        ("biome_id=132&biome_lineage=", json!([not_one_filter])),
        ("biome_id=132&pfam_accession=", json!([int_parsing("pfam_accession"), not_one_filter])),
    ] {
        let answer = get_protein(&router, &format!("/protein/search?{query}")).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (422, json!({"detail": expected})), "{query}");
    }
    let text = detail(&get_protein(&router, &lineage_search("")).await, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text.starts_with("No biome matches lineage ''."), "{text}");
}

#[tokio::test]
async fn last_of_repeated_parameters_counts_and_unknown_ones_are_ignored() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for query in [
        "biome_id=x&biome_id=62",
        "biome_id=62&limit=0&limit=50",
        "biome_id=132&biome_id=62",
        "biome_id=62&format=csv&page=7&Limit=0&BIOME_ID=1",
        "=&&biome_id=62&",
        "biome%5Fid=%36%32",
    ] {
        assert_eq!(found(&router, &format!("/protein/search?{query}")).await, [13, 15], "{query}");
    }
    assert_eq!(found(&router, "/protein/search?biome_id=62&limit=50&limit=1").await, [13]);
    let repeated = get_protein(&router, "/protein/search?biome_id=62&biome_id=x").await;
    assert_eq!(repeated.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn limits_cap_the_only_page() {
    let mut all = String::new();
    for number in 1..=1005 {
        all += &row(number, "true", 1, &json!({"b": [[132, 1]]}));
    }
    let folder = TestFolder::of_rows(&all);
    let router = folder.router();
    for (query, expected) in [("", 50), ("&limit=1", 1), ("&limit=50", 50), ("&limit=999", 999), ("&limit=1000", 1000)]
    {
        let found = found(&router, &format!("/protein/search?biome_id=132{query}")).await;
        assert_eq!(found, (1..=expected).collect::<Vec<_>>(), "{query}");
    }
}
