//! New generations are used while requests are answered. Each answer is from one generation, and
//! none fails.

mod damaged;
mod held;
mod running;
mod under_load;

use std::sync::Arc;

use api::{Api, ServiceConfig};
use api_proteins::LocalProteins;
use indexer_release::PortalPlan;
use serde_json::Value;
use store::GenerationName;
use support::{Answer, TestFolder, services};

/// Publishes a state.
fn publish(folder: &TestFolder, number: u64) -> GenerationName {
    let plan = PortalPlan {
        biomes: folder.input("biomes.tsv", support::states::BIOMES),
        pfam: folder.input("clans.tsv", support::states::CLANS),
        ..folder.plan(vec![folder.input("rows.csv", support::states::rows(number))])
    };
    plan.run().expect("well-formed rows").generation
}

fn router(folder: &TestFolder, proteins: &Arc<LocalProteins>) -> Api {
    let services = services(Arc::clone(proteins), folder.catalogue());
    Api::new(&services, &ServiceConfig::default())
}

fn served(proteins: &LocalProteins) -> Option<String> {
    proteins.current().map(|generation| generation.name().to_string())
}

/// Returns the generation named by the tag of an answer.
fn tagged_generation(answer: &Answer) -> String {
    let tag = answer.header("etag");
    let opaque = tag.strip_prefix("W/\"").and_then(|rest| rest.strip_suffix('"'));
    let (generation, _) = opaque.and_then(|opaque| opaque.rsplit_once('-')).unwrap_or_else(|| panic!("{tag:?}"));
    generation.to_owned()
}

/// Returns the number of the state that a search was answered from, after checking that the whole
/// answer is from it.
fn state_of_search(hits: &Value, limit: usize) -> u64 {
    let number = hits[0]["cluster_size"].as_u64().expect("a number");
    let found: Vec<_> =
        hits.as_array().expect("a list").iter().map(|hit| (&hit["mgyp"], &hit["cluster_size"])).collect();
    let expected: Vec<_> = support::states::accessions(number)
        .take(limit)
        .map(|accession| (Value::from(format!("MGYP{accession:012}")), Value::from(number)))
        .collect();
    assert_eq!(found, expected.iter().map(|(mgyp, size)| (mgyp, size)).collect::<Vec<_>>());
    number
}

/// Returns the same for a record.
fn state_of_record(record: &Value, accession: u64) -> u64 {
    let number = record["cluster_size"].as_u64().expect("a number");
    assert_eq!(record["mgyp"], format!("MGYP{accession:012}"));
    assert_eq!(record["sequence"], support::states::sequence(number));
    assert!(
        support::states::accessions(number).any(|known| known == accession),
        "{accession} is not in state {number}"
    );
    number
}
