//! The results of a search, and the answer if nothing can be found.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::json;

use crate::services::proteins::{detail, lineage_search, rows};
use support::{TestFolder, data_text, get_protein};

#[tokio::test]
async fn unused_and_unknown_values_have_no_hits() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for query in [
        "biome_id=100000",
        "biome_id=-5",
        "biome_id=9223372036854775807",
        // In the table, but without proteins.
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
async fn unknown_lineages_are_answered_with_suggestions() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let table = data_text("proteins/biomes_id_lineage.tsv");
    let lineages: BTreeSet<&str> = table.lines().skip(1).filter_map(|line| line.split('\t').nth(5)).collect();
    for (requested, num_suggested) in [
        ("Wastewater", 2),
        ("Oceanic", 1),
        ("root:Sediment", 3),
        ("Engineered:Wastewater", 2),
        ("root:Engineered:Wastewater:", 0),
        ("root:Engineered:Waste", 0),
        ("root:Nowhere", 0),
        ("root'<b>\u{e9}", 0),
    ] {
        let text = detail(&get_protein(&router, &lineage_search(requested)).await, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(text.starts_with(&format!("No biome matches lineage '{requested}'.")), "{text}");
        let last_level = format!(":{}", requested.rsplit(':').next().expect("a level"));
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
