//! Comparing all answers of the service with those that must be given.

use api::Api;
use axum::http::StatusCode;
use serde_json::Value;

use crate::loading::release::truth::{LIMIT, Truth, accession};
use support::machine::rounds;
use support::{TestFolder, get_protein};

/// One in this many accessions without a record is asked for.
const OTHERS_STEP: usize = 7;

/// One in this many biomes, lineages and families is asked for, and before a release each.
fn search_step() -> usize {
    rounds(3, 1)
}

/// Asks a server over a folder for everything, and compares all answers.
pub(crate) async fn assert_answers(folder: &TestFolder, truth: &Truth, context: &str) {
    let router = folder.router();
    assert!(!truth.records.is_empty() && !truth.by_family.is_empty(), "{context}: too little to compare");
    for (protein, expected) in &truth.records {
        let answer = get_protein(&router, &format!("/protein/{}", accession(*protein))).await;
        assert_eq!((answer.status, &answer.json()), (StatusCode::OK, expected), "{context}");
    }
    for other in truth.others.iter().step_by(OTHERS_STEP) {
        let answer = get_protein(&router, &format!("/protein/{}", accession(*other))).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{context}: {other} is not a representative");
    }
    assert_searches(&router, truth, context).await;
}

/// Compares the answers of all searches.
async fn assert_searches(router: &Api, truth: &Truth, context: &str) {
    for (id, proteins) in truth.by_biome.iter().step_by(search_step()) {
        let expected = truth.hits(proteins);
        assert_eq!(search(router, "biome_id", &id.to_string()).await, expected, "{context}: biome {id}");
    }
    for (lineage, proteins) in truth.by_lineage.iter().step_by(search_step()) {
        let expected = truth.hits(proteins);
        assert_eq!(search(router, "biome_lineage", lineage).await, expected, "{context}: {lineage}");
    }
    for (family, proteins) in truth.by_family.iter().step_by(search_step()) {
        let expected = truth.hits(proteins);
        assert_eq!(search(router, "pfam_accession", &family.to_string()).await, expected, "{context}: family {family}");
    }
}

/// Returns the hits of a search, as many as there may be.
async fn search(router: &Api, key: &str, value: &str) -> Value {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair(key, value).append_pair("limit", &LIMIT.to_string());
    let answer = get_protein(router, &format!("/protein/search?{}", query.finish())).await;
    assert_eq!(answer.status, StatusCode::OK, "{key}={value}: {:?}", String::from_utf8_lossy(&answer.body));
    answer.json()
}
