//! What a search finds, and what is said where nothing can be found.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::json;

use crate::services::proteins::{MARINE, OCEANIC, WASTEWATER, biome_id, detail, found, lineage_search, row, rows};
use support::{TestFolder, data_text, get_protein};

#[tokio::test]
async fn what_occurs_in_no_protein_has_no_hits() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for query in [
        "biome_id=100000",
        "biome_id=-5",
        "biome_id=9223372036854775807",
        // In the table, but no protein is.
        "biome_id=0",
        "biome_lineage=root:Engineered:Biogas%20plant",
        "pfam_accession=99999",
        "pfam_accession=PF04660",
        "pfam_accession=9223372036854775807",
    ] {
        let answer = get_protein(&router, &format!("/protein/search?{query}")).await;
        assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!([])), "{query}");
    }
}

#[tokio::test]
async fn an_id_is_one_biome_and_a_lineage_all_below_it() {
    let oil = format!("{OCEANIC}:Oil-contaminated");
    let sediments = format!("{OCEANIC}:Oil-contaminated sediments");
    let id = |lineage: &str| biome_id(lineage);
    let folder = TestFolder::of_rows(
        &[
            row(5, "", 1, &json!({"b": [[id(&sediments), 1]]})),
            row(4, "", 1, &json!({"b": [[id(&oil), 1]]})),
            row(3, "", 1, &json!({"b": [[id(OCEANIC), 1], [id(MARINE), 1], [62, 1]]})),
            row(2, "", 1, &json!({"b": [[id(MARINE), 1]]})),
            row(1, "", 1, &json!({"b": [[0, 1]]})),
            row(6, "", 1, &json!({})),
        ]
        .concat(),
    );
    let router = folder.router();
    for (lineage, alone, with_all_below) in [
        ("root", vec![1], vec![1, 2, 3, 4, 5]),
        ("root:Environmental", vec![], vec![2, 3, 4, 5]),
        (MARINE, vec![2, 3], vec![2, 3, 4, 5]),
        (OCEANIC, vec![3], vec![3, 4, 5]),
        // The text of this one starts the text of the next, yet neither is below the other.
        (&oil, vec![4], vec![4]),
        (&sediments, vec![5], vec![5]),
        (WASTEWATER, vec![3], vec![3]),
    ] {
        assert_eq!(found(&router, &format!("/protein/search?biome_id={}", id(lineage))).await, alone, "{lineage}");
        assert_eq!(found(&router, &lineage_search(lineage)).await, with_all_below, "{lineage}");
    }
}

#[tokio::test]
async fn a_lineage_of_no_biome_is_answered_with_what_may_have_been_meant() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let table = data_text("proteins/biomes_id_lineage.tsv");
    let lineages: BTreeSet<&str> = table.lines().skip(1).filter_map(|line| line.split('\t').nth(5)).collect();
    for (asked, num_suggested) in [
        ("Wastewater", 2),
        ("Oceanic", 1),
        ("root:Sediment", 3),
        ("Engineered:Wastewater", 2),
        ("root:Engineered:Wastewater:", 0),
        ("root:Engineered:Waste", 0),
        ("root:Nowhere", 0),
        ("root'<b>\u{e9}", 0),
    ] {
        let text = detail(&get_protein(&router, &lineage_search(asked)).await, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(text.starts_with(&format!("No biome matches lineage '{asked}'.")), "{text}");
        let last_level = format!(":{}", asked.rsplit(':').next().expect("a level"));
        let suggested: Vec<&str> = lineages
            .iter()
            .copied()
            .filter(|lineage| lineage.ends_with(&last_level) && text.contains(&format!("'{lineage}'")))
            .collect();
        assert_eq!(suggested.len(), num_suggested, "{text}");
        for lineage in suggested {
            assert_eq!(get_protein(&router, &lineage_search(lineage)).await.status, StatusCode::OK, "{lineage}");
        }
    }
}
