//! Random lists against a plain evaluation of the same resources: filters, orders, page sizes and
//! pages.

mod conditions;
mod facets;
mod filters;
mod sample_filter;
mod values;

use std::collections::BTreeMap;
use support::machine::rounds;

use form_urlencoded::Serializer;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::services::catalogue::real::{get_json, ids};
use filters::{Filter, Model};
pub(crate) use values::entries;
use values::{id, text};

/// The seed. The lists are the same in every run, so that a failure can be reproduced.
const SEED: u64 = 20_261_120;

/// Sorts by `ordering`: nulls first, text by code point, ties by `tie`.
fn sort(resources: &mut [&Value], ordering: &[(&str, bool)], tie: &str) {
    resources.sort_by(|left, right| {
        let comparisons = ordering.iter().map(|(attribute, is_descending)| {
            let (left, right) = (&left["attributes"][*attribute], &right["attributes"][*attribute]);
            let order = match (left.as_i64(), right.as_i64()) {
                (None, None) => left.as_str().cmp(&right.as_str()),
                (left, right) => left.cmp(&right),
            };
            if *is_descending { order.reverse() } else { order }
        });
        let ties = text(left, tie).cmp(&text(right, tie));
        comparisons.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then).then(ties)
    });
}

/// Requests random lists of a collection, and compares one page of each, or all, with the model.
async fn compare<'a>(
    collection: &str,
    all: &[Value],
    orders: &[(&'static str, &'static str)],
    mut filter: impl FnMut(&mut StdRng) -> Filter<'a>,
) {
    let mut random = StdRng::seed_from_u64(SEED);
    let (mut num_matching, mut num_empty) = (0, 0);
    for _ in 0..rounds(50, 250) {
        let filters: Vec<Filter> = (0..random.random_range(0..=2)).map(|_| filter(&mut random)).collect();
        let mut parameters = BTreeMap::new();
        for (name, value) in filters.iter().flat_map(|(parameters, _)| parameters) {
            parameters.insert(*name, value.clone());
        }
        // The last value of a repeated parameter counts, so each parameter occurs once in a list.
        if parameters.len() != filters.iter().map(|(parameters, _)| parameters.len()).sum::<usize>() {
            continue;
        }
        let mut expected: Vec<&Value> =
            all.iter().filter(|resource| filters.iter().all(|(_, matches)| matches(resource))).collect();
        let num_orders = random.random_range(0..=2.min(orders.len()));
        let chosen: Vec<_> = orders.sample(&mut random, num_orders).copied().collect();
        let ordering: Vec<(&str, &str, bool)> =
            chosen.into_iter().map(|(name, attribute)| (name, attribute, random.random())).collect();
        if !ordering.is_empty() {
            let comparisons: Vec<_> =
                ordering.iter().map(|(_, attribute, is_descending)| (*attribute, *is_descending)).collect();
            sort(&mut expected, &comparisons, "accession");
            let names = ordering
                .iter()
                .map(|(name, _, is_descending)| if *is_descending { format!("-{name}") } else { (*name).to_owned() });
            parameters.insert("ordering", names.collect::<Vec<_>>().join(","));
        }
        let page_size = *[1, 7, 25, 100, 250].choose(&mut random).expect("some");
        parameters.insert("page_size", page_size.to_string());
        let query = Serializer::new(String::new()).extend_pairs(&parameters).finish();

        let num_pages = expected.len().div_ceil(page_size).max(1);
        let page = random.random_range(1..=num_pages);
        let answer = get_json(&format!("/{collection}?{query}&page={page}")).await;
        let pagination = &answer["meta"]["pagination"];
        assert_eq!(
            (pagination["count"].as_u64(), pagination["pages"].as_u64()),
            (Some(expected.len() as u64), Some(num_pages as u64)),
            "{query}"
        );
        let expected_ids: Vec<&str> = expected.iter().map(|resource| id(resource)).collect();
        let expected_page = expected_ids.chunks(page_size).nth(page - 1).unwrap_or_default();
        assert_eq!(ids(&answer), expected_page, "{query}, page {page}");
        if num_pages <= 12 {
            let mut walked = Vec::new();
            for page in 1..=num_pages {
                let answer = get_json(&format!("/{collection}?{query}&page={page}")).await;
                walked.extend(ids(&answer).into_iter().map(str::to_owned));
            }
            assert_eq!(walked, expected_ids, "{query}");
        }
        if expected.is_empty() { num_empty += 1 } else { num_matching += 1 }
    }
    assert!(num_matching > rounds(50, 250) / 4, "{num_matching} lists with resources, {num_empty} without");
}

#[tokio::test]
async fn samples_are_filtered_ordered_and_paged_like_the_model() {
    let model = Model::new();
    let orders = [("accession", "accession"), ("sample_name", "sample-name"), ("last_update", "last-update")];
    compare("samples", model.samples, &orders, |random| model.sample_filter(random)).await;
}

#[tokio::test]
async fn studies_are_filtered_ordered_and_paged_like_the_model() {
    let model = Model::new();
    let orders = [
        ("study_id", "accession"),
        ("study_name", "study-name"),
        ("last_update", "last-update"),
        ("samples_count", "samples-count"),
        ("accession", "accession"),
    ];
    compare("studies", model.studies, &orders, |random| model.study_filter(random)).await;
}

#[tokio::test]
async fn assemblies_are_filtered_ordered_and_paged_like_the_model() {
    let model = Model::new();
    compare("assemblies", model.assemblies, &[("accession", "accession")], |random| model.assembly_filter(random))
        .await;
}

#[tokio::test]
async fn runs_are_filtered_ordered_and_paged_like_the_model() {
    let model = Model::new();
    compare("runs", model.runs, &[("accession", "accession")], |random| model.run_filter(model.runs, random)).await;
}

#[tokio::test]
async fn analyses_are_filtered_ordered_and_paged_like_the_model() {
    let model = Model::new();
    let orders = [
        ("job_id", "accession"),
        ("pipeline", "pipeline-version"),
        ("pipeline__release_version", "pipeline-version"),
        ("experiment_type__experiment_type", "experiment-type"),
    ];
    compare("analyses", model.analyses, &orders, |random| model.run_filter(model.analyses, random)).await;
}
