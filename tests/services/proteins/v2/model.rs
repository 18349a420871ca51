//! Random queries over a synthetic release, sent as a client does and compared with a plain scan of
//! the records: hits, order, counts, cursors, and the same results in all formats. The evaluation
//! itself is tested in the store.

mod fields;
mod queries;
mod streams;

use std::collections::HashSet;

use api::{Api, ServiceConfig};
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};
use rand::RngExt;
use serde_json::Value;
use store_proteins::{Protein, ProteinGeneration, ProteinQuery};
use support::TestFolder;
use support::machine::{rounds, seeded};

use crate::loading::release::plan::plan;
use crate::loading::release::synthetic::synth_plan;
use crate::services::proteins::v2::{next_of, page, search};
use fields::{FIELDS, field};
use queries::{Condition, condition, query};
use streams::check_streams;

/// A third of them are representatives, which are indexed. These are more than a part of a stream
/// has.
const NUM_PROTEINS: u64 = 4000;

/// The depth to which a query is nested.
const DEPTH_MAX: u32 = 3;

fn index() -> TestFolder {
    let folder = TestFolder::empty();
    let release = folder.path().join("release");
    let synthetic = SynthPlan { out: release.clone(), seed: 15, ..synth_plan(SynthLayout::Parquet, NUM_PROTEINS) };
    synthetic.run().expect("room");
    let plan = ReleasePlan { checksums: true, max_rejects: 0, ..plan(&folder, &release) };
    plan.run().expect("a release");
    folder
}

/// Returns all records, as they are fetched one by one.
fn records(folder: &TestFolder) -> Vec<Protein> {
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    let hits = generation.search(&ProteinQuery::Everything, usize::MAX).expect("sound");
    let proteins: Vec<_> = hits
        .iter()
        .map(|hit| generation.fetch(hit.accession).expect("sound").expect("what is found is there"))
        .collect();
    assert_eq!(proteins.len() as u64, generation.statistics().num_proteins);
    assert!(proteins.len() > 1024 && proteins.is_sorted_by_key(|protein| protein.accession));
    proteins
}

/// Returns the results of all pages.
async fn paged(router: &Api, mut path: String, num_found: usize) -> Vec<Value> {
    let mut results = Vec::new();
    loop {
        let mut page = page(router, &path).await;
        let total = &page["total"];
        let value = total["value"].as_u64().and_then(|value| usize::try_from(value).ok()).expect("a number");
        match total["relation"].as_str() {
            Some("eq") => assert_eq!(value, num_found, "{path}"),
            Some("gte") => assert!(value <= num_found && !path.contains("count=exact"), "{path}"),
            other => panic!("{other:?}"),
        }
        let next = next_of(&page).map(str::to_owned);
        results.append(page["results"].as_array_mut().expect("a list"));
        match next {
            None => return results,
            Some(next) => path = next,
        }
    }
}

#[tokio::test]
async fn queries_agree_with_a_scan_in_all_formats() {
    let folder = index();
    let proteins = records(&folder);
    // Some queries are long.
    let router = folder.router_with(&ServiceConfig { uri_bytes_max: 60 << 10, ..ServiceConfig::default() });
    let (mut random, seed) = seeded();
    let mut num_found = 0;
    for number in 0..rounds(12, 40) {
        let (text, is_match) = query(DEPTH_MAX, &proteins, &mut random);
        let mut known = HashSet::new();
        let further: Vec<Condition> = (0..random.random_range(0..3))
            .map(|_| condition(&proteins, &mut random))
            .filter(|_| number % 3 == 0)
            // Only lists may be repeated.
            .filter(|condition| condition.field == "pfam" || known.insert(condition.field))
            .collect();
        let mut conditions: Vec<(&str, &str)> =
            further.iter().map(|condition| (condition.field, &*condition.value)).collect();
        conditions.push(("q", &text));
        let is_found =
            |protein: &&Protein| is_match(protein) && further.iter().all(|condition| (condition.is_match)(protein));
        let expected: Vec<&Protein> = proteins.iter().filter(is_found).collect();
        num_found += expected.len();

        // A few pages at most, except for those that end within a hit of the last.
        let limit = random.random_range(expected.len() / 5 + 1..=expected.len() + 2).min(1000);
        let limit = limit.to_string();
        let mut parameters = [&conditions[..], &[("limit", &*limit)]].concat();
        if random.random() {
            parameters.push(("count", "exact"));
        }
        let results = paged(&router, search(&parameters), expected.len()).await;
        let defaults: Vec<Value> = expected
            .iter()
            .map(|protein| FIELDS[..4].iter().map(|name| ((*name).to_owned(), field(protein, name))).collect())
            .map(Value::Object)
            .collect();
        assert_eq!(results, defaults, "seed {seed}, query {number}: {conditions:?}, {limit}");
        check_streams(&router, &conditions, &expected, &mut random).await;
    }
    assert!(num_found > 0, "seed {seed}");
}
