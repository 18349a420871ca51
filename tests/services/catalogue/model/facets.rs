//! Facets against a plain count over the same resources, with random filters.

use std::collections::{BTreeMap, BTreeSet};
use support::machine::rounds;

use form_urlencoded::Serializer;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use store::is_missing_value;
use store_catalogue::Period;
use store_catalogue::model::same_keys;

use super::SEED;
use super::filters::{Filter, Model};
use super::values::{attribute_or_metadata, entries, number, related_ids, text};
use crate::services::catalogue::real::get_json;

/// The values that resources have in a field: texts, and numbers by unit.
#[derive(Default)]
struct Values {
    texts: BTreeSet<String>,
    numbers: Vec<(Option<String>, f64)>,
}

impl Values {
    fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|text| text.into().trim().to_owned());
        Self { texts: texts.filter(|text| !is_missing_value(text)).collect(), numbers: Vec::new() }
    }

    fn of_number(number: Option<f64>) -> Self {
        Self { texts: BTreeSet::new(), numbers: number.map(|number| (None, number)).into_iter().collect() }
    }

    fn of_metadata(sample: &Value, key: &str) -> Self {
        let mut values = Self::default();
        for entry in entries(sample).into_iter().filter(|entry| same_keys(key).contains(&&*entry.key)) {
            match (number(&entry), entry.value) {
                (Some(number), _) => values.numbers.push((Some(entry.unit).filter(|unit| !unit.is_empty()), number)),
                (None, Some(text)) if !is_missing_value(&text) => _ = values.texts.insert(text),
                _ => {}
            }
        }
        values
    }
}

fn first_levels(lineage: &str, num_levels: usize) -> String {
    lineage.split(':').take(num_levels).collect::<Vec<_>>().join(":")
}

/// Returns the values of a sample in a field.
fn values_of_sample(sample: &Value, field: &str) -> Values {
    match field {
        "biome" => Values::texts(related_ids(sample, "biome")),
        "biome:2" => Values::texts(related_ids(sample, "biome").iter().map(|lineage| first_levels(lineage, 2))),
        "country" => Values::texts(
            attribute_or_metadata(sample, "geo-loc-name").filter(|place| !is_missing_value(place)).map(|place| {
                let place = place.strip_prefix("GAZ:").unwrap_or(&place);
                place.split([':', ';']).next().unwrap_or_default().to_owned()
            }),
        ),
        "year" => {
            let date = attribute_or_metadata(sample, "collection-date").and_then(|date| Period::parse(&date));
            Values::texts(date.map(|date| date.year().to_owned()))
        }
        "year:last_update" => Values::texts(text(sample, "last-update").map(|date| &date[..4])),
        "latitude" | "longitude" => Values::of_number(sample["attributes"][field].as_f64()),
        _ => match field.strip_prefix("metadata:") {
            Some(key) => Values::of_metadata(sample, key),
            None => Values::texts(attribute_or_metadata(sample, &field.replace('_', "-"))),
        },
    }
}

/// Compares a facet with a plain count of the values.
fn compare(facet: &Value, values: &[Values], limit: usize, num_ranges: usize) {
    assert_eq!(facet["total"], values.len(), "{facet}");
    let is_empty = |values: &&Values| values.texts.is_empty() && values.numbers.is_empty();
    assert_eq!(facet["without"], values.iter().filter(is_empty).count(), "{facet}");
    let mut counts = BTreeMap::<&str, u64>::new();
    values.iter().flat_map(|values| &values.texts).for_each(|text| *counts.entry(text).or_default() += 1);
    assert_eq!(facet["distinct"], counts.len(), "{facet}");
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(text, count)| (std::cmp::Reverse(*count), *text));
    let most: Vec<Value> =
        counts.iter().take(limit).map(|(value, count)| json!({"value": value, "count": count})).collect();
    assert_eq!(facet["values"], json!(most), "{facet}");

    let units: BTreeSet<&Option<String>> =
        values.iter().flat_map(|values| &values.numbers).map(|(unit, _)| unit).collect();
    let groups = facet["numbers"].as_array().expect("a list");
    assert_eq!(groups.len(), units.len(), "{facet}");
    assert!(groups.is_sorted_by_key(|group| std::cmp::Reverse(group["count"].as_u64())), "{facet}");
    for group in groups {
        let unit = group["unit"].as_str().map(str::to_owned);
        assert!(units.contains(&unit), "{facet}");
        let having = |holds: &dyn Fn(f64) -> bool| {
            let is_in = |(of_unit, number): &(Option<String>, f64)| *of_unit == unit && holds(*number);
            values.iter().filter(|values| values.numbers.iter().any(is_in)).count()
        };
        let all = || values.iter().flat_map(|values| &values.numbers).filter(|(of_unit, _)| *of_unit == unit);
        let number = |of: &Value, name: &str| of[name].as_f64().expect("a number");
        assert_eq!(group["count"], having(&|_| true), "{facet}");
        let (min, max) = (number(group, "minimum"), number(group, "maximum"));
        assert!(all().all(|(_, number)| (min..=max).contains(number)), "{facet}");
        assert!(all().any(|(_, number)| *number <= min) && all().any(|(_, number)| *number >= max), "{facet}");
        let ranges = group["ranges"].as_array().expect("a list");
        assert!(!ranges.is_empty() && ranges.len() <= num_ranges, "{facet}");
        let [first, last] = [&ranges[0], &ranges[ranges.len() - 1]];
        assert!(number(first, "from") <= min && number(last, "to") >= max, "{facet}");
        assert!(ranges.windows(2).all(|pair| pair[0]["to"] == pair[1]["from"]), "{facet}");
        for range in ranges {
            let (from, to) = (number(range, "from"), number(range, "to"));
            let is_last = range == last;
            let is_in = |number: f64| number >= from && (number < to || is_last && number <= to);
            assert_eq!(range["count"], having(&is_in), "{range} of {facet}");
        }
    }
}

/// Counts random selections of a collection by random fields.
async fn check<'a>(
    collection: &str,
    all: &[Value],
    fields: &[String],
    mut filter: impl FnMut(&mut StdRng) -> Filter<'a>,
    values: impl Fn(&Value, &str) -> Values,
) {
    let mut random = StdRng::seed_from_u64(SEED);
    let mut num_selecting = 0;
    for _ in 0..rounds(40, 200) {
        let filters: Vec<Filter> = (0..random.random_range(0..=1)).map(|_| filter(&mut random)).collect();
        let mut parameters: Vec<(&str, String)> =
            filters.iter().flat_map(|(given, _)| given.iter().map(|(name, value)| (*name, value.clone()))).collect();
        // Unknown parameters are refused here.
        if parameters.iter().any(|(name, _)| *name == "zzz") {
            continue;
        }
        let selected: Vec<&Value> =
            all.iter().filter(|resource| filters.iter().all(|(_, holds)| holds(resource))).collect();
        let limit = *[1, 3, 1_000].choose(&mut random).expect("some");
        let num_ranges = random.random_range(1..=20);
        let chosen: Vec<&String> = fields.sample(&mut random, 3).collect();
        parameters.extend([("limit", limit.to_string()), ("ranges", num_ranges.to_string())]);
        parameters.extend(chosen.iter().map(|field| ("by", (*field).clone())));
        let query = Serializer::new(String::new()).extend_pairs(&parameters).finish();
        let answer = get_json(&format!("/{collection}/facets?{query}")).await;
        assert_eq!(answer["data"].as_array().map(Vec::len), Some(chosen.len()), "{query}");
        for (facet, field) in answer["data"].as_array().expect("a list").iter().zip(chosen) {
            assert_eq!((&facet["type"], &facet["id"]), (&json!("facets"), &json!(field)));
            let plain: Vec<Values> = selected.iter().map(|resource| values(resource, field)).collect();
            compare(&facet["attributes"], &plain, limit, num_ranges);
        }
        num_selecting += usize::from(!selected.is_empty() && selected.len() < all.len());
    }
    assert!(num_selecting > rounds(40, 200) / 5, "{num_selecting}");
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[tokio::test]
async fn samples_are_counted_like_the_model() {
    let model = Model::new();
    let mut runs_of = BTreeMap::<String, Vec<&Value>>::new();
    for run in model.runs {
        for sample in related_ids(run, "sample") {
            runs_of.entry(sample).or_default().push(run);
        }
    }
    let mut fields = owned(&[
        "biome",
        "biome:2",
        "species",
        "country",
        "year",
        "year:last_update",
        "latitude",
        "longitude",
        "geo-loc-name",
        "experiment_type",
        "instrument_platform",
        "instrument_model",
    ]);
    let entries =
        model.samples.iter().flat_map(|sample| sample["attributes"]["sample-metadata"].as_array().expect("a list"));
    let keys: BTreeSet<&str> = entries.filter_map(|entry| entry["key"].as_str()).collect();
    fields.extend(keys.iter().map(|key| format!("metadata:{key}")));
    let values = |sample: &Value, field: &str| match field {
        "experiment_type" | "instrument_platform" | "instrument_model" => {
            let runs = runs_of.get(super::id(sample)).into_iter().flatten();
            Values::texts(runs.filter_map(|run| text(run, &field.replace('_', "-"))))
        }
        _ => values_of_sample(sample, field),
    };
    check("samples", model.samples, &fields, |random| model.sample_filter(random), values).await;
}

#[tokio::test]
async fn runs_are_counted_by_their_fields_and_those_of_their_samples() {
    let model = Model::new();
    let fields = owned(&["experiment_type", "biome:3", "species", "country", "year", "metadata:pH", "metadata:depth"]);
    let values = |run: &Value, field: &str| match field {
        "experiment_type" => Values::texts(text(run, "experiment-type")),
        _ => related_ids(run, "sample")
            .iter()
            .filter_map(|id| model.samples_by_id.get(id.as_str()))
            .map(|sample| match field {
                "biome:3" => Values::texts(related_ids(sample, "biome").iter().map(|lineage| first_levels(lineage, 3))),
                _ => values_of_sample(sample, field),
            })
            .next()
            .unwrap_or_default(),
    };
    check("runs", model.runs, &fields, |random| model.run_filter(model.runs, random), values).await;
}

#[tokio::test]
async fn studies_are_counted_like_the_model() {
    let model = Model::new();
    let fields = owned(&["biome", "centre_name", "samples_count", "year:last_update"]);
    let values = |study: &Value, field: &str| match field {
        "biome" => Values::texts(related_ids(study, "biomes")),
        "samples_count" => Values::of_number(study["attributes"]["samples-count"].as_f64()),
        "year:last_update" => Values::texts(text(study, "last-update").map(|date| &date[..4])),
        _ => Values::texts(text(study, "centre-name")),
    };
    check("studies", model.studies, &fields, |random| model.study_filter(random), values).await;
}

#[tokio::test]
async fn keys_of_metadata_are_those_of_the_samples() {
    let model = Model::new();
    let mut expected = BTreeMap::<String, (u64, BTreeMap<Option<String>, (u64, Vec<f64>)>)>::new();
    for sample in model.samples {
        let mut keys = BTreeSet::new();
        let mut units = BTreeSet::new();
        for entry in entries(sample) {
            let of_key = expected.entry(entry.key.clone()).or_default();
            of_key.0 += u64::from(keys.insert(entry.key.clone()));
            if entry.value.is_none() {
                continue;
            }
            let unit = Some(entry.unit.clone()).filter(|unit| !unit.is_empty());
            let of_unit = of_key.1.entry(unit.clone()).or_default();
            of_unit.0 += u64::from(units.insert((entry.key.clone(), unit)));
            of_unit.1.extend(number(&entry));
        }
    }
    let answer = get_json("/samples/metadata-keys").await;
    let data = answer["data"].as_array().expect("a list");
    assert_eq!(data.len(), expected.len());
    assert!(data.is_sorted_by_key(|key| std::cmp::Reverse(key["attributes"]["samples"].as_u64())));
    for found in data {
        let key = found["id"].as_str().expect("a text");
        let (num_samples, units) = &expected[key];
        let units: Vec<Value> = units
            .iter()
            .map(|(unit, (samples, numbers))| {
                let bound = |choose: fn(f64, f64) -> f64| numbers.iter().copied().reduce(choose);
                json!({"unit": unit, "samples": samples, "minimum": bound(f64::min), "maximum": bound(f64::max)})
            })
            .collect();
        assert_eq!(found["attributes"], json!({"key": key, "samples": num_samples, "units": units}), "{key}");
    }
    assert_eq!(get_json("/samples/metadata-keys?limit=3").await["data"], json!(data[..3]));
}
