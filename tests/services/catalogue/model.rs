//! Random lists against a plain evaluation of the same resources: filters, orders, page sizes and pages.

use std::collections::BTreeMap;

use form_urlencoded::Serializer;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::catalogue::real::{get_json, ids, resources};

/// How many lists of each collection are asked for.
const NUM_LISTS: usize = 250;

/// The seed: the lists are the same in every run, so that a failure can be looked into.
const SEED: u64 = 20_261_120;

/// A parameter with what it asks of a resource.
type Filter<'a> = (Vec<(&'static str, String)>, Box<dyn Fn(&Value) -> bool + 'a>);

/// The resources that the model knows.
struct Model {
    samples: Vec<Value>,
    studies: Vec<Value>,
    assemblies: Vec<Value>,
    biomes: Vec<Value>,
    runs: Vec<Value>,
    analyses: Vec<Value>,
    /// The samples by id.
    samples_by_id: BTreeMap<String, Value>,
}

/// Returns an attribute as text.
fn text<'a>(resource: &'a Value, attribute: &str) -> Option<&'a str> {
    resource["attributes"][attribute].as_str()
}

/// Returns the id of a resource.
fn id(resource: &Value) -> &str {
    resource["id"].as_str().expect("a text")
}

/// Tells whether a text contains another, whatever the case.
fn contains(text: Option<&str>, part: &str) -> bool {
    text.is_some_and(|text| text.to_lowercase().contains(&part.to_lowercase()))
}

/// Tells whether a lineage is another one or below it.
fn is_within(lineage: &str, ancestor: &str) -> bool {
    lineage.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// Returns the ids that a resource names in a relationship.
fn named(resource: &Value, relationship: &str) -> Vec<String> {
    match &resource["relationships"][relationship]["data"] {
        Value::Array(entries) => entries.iter().map(|entry| id(entry).to_owned()).collect(),
        Value::Object(_) => vec![id(&resource["relationships"][relationship]["data"]).to_owned()],
        _ => Vec::new(),
    }
}

/// Returns all words that a full-text search finds a resource by.
fn words(resource: &Value) -> Vec<String> {
    let attributes = resource["attributes"].as_object().expect("an object");
    let texts = attributes.values().filter_map(Value::as_str);
    let metadata = attributes.get("sample-metadata").and_then(Value::as_array).into_iter().flatten();
    let values = metadata.filter_map(|entry| entry["value"].as_str());
    let texts = texts.chain(values).flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric()));
    texts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

impl Model {
    fn new() -> Self {
        let [samples, studies, assemblies, biomes, runs, analyses] =
            ["samples", "studies", "assemblies", "biomes", "runs", "analyses"].map(resources);
        let samples_by_id = samples.iter().map(|sample| (id(sample).to_owned(), sample.clone())).collect();
        Self { samples, studies, assemblies, biomes, runs, analyses, samples_by_id }
    }

    /// Returns some sample.
    fn sample(&self, random: &mut StdRng) -> &Value {
        self.samples.choose(random).expect("there are samples")
    }

    /// Returns the value of an attribute of some sample that has it.
    fn value(&self, attribute: &str, random: &mut StdRng) -> String {
        loop {
            if let Some(value) = text(self.sample(random), attribute).filter(|value| !value.is_empty()) {
                return value.to_owned();
            }
        }
    }

    /// Returns the lineage of some biome.
    fn lineage(&self, random: &mut StdRng) -> String {
        // Half of them are lineages that samples have, or their ancestors.
        let lineage = named(self.sample(random), "biome").remove(0);
        let num_levels = random.random_range(2..=lineage.split(':').count());
        let ancestor = lineage.split(':').take(num_levels).collect::<Vec<_>>().join(":");
        if random.random() { ancestor } else { id(self.biomes.choose(random).expect("biomes")).to_owned() }
    }

    /// Returns a filter of samples.
    fn sample_filter(&self, random: &mut StdRng) -> Filter<'static> {
        match random.random_range(0..10) {
            0 => {
                let lineage = self.lineage(random);
                let of = lineage.clone();
                (vec![("lineage", lineage)], Box::new(move |sample| is_within(&named(sample, "biome")[0], &of)))
            }
            1 => {
                let part = ["soil", "MARINE", "root:Host", "ed:hu", "system"].choose(random).expect("some").to_owned();
                (
                    vec![("biome_name", part.to_owned())],
                    Box::new(move |sample| contains(Some(&named(sample, "biome")[0]), part)),
                )
            }
            2 => {
                let attribute = *["geo-loc-name", "species"].choose(random).expect("some");
                // Letters only: other characters mean something in an expression.
                let part: String =
                    self.value("geo-loc-name", random).chars().take_while(|letter| letter.is_alphabetic()).collect();
                let name = if attribute == "species" { "species" } else { "geo_loc_name" };
                let filter = part.clone();
                let check = move |sample: &Value| filter.is_empty() || contains(text(sample, attribute), &filter);
                (vec![(name, part)], Box::new(check))
            }
            3 => {
                let (name, attribute) =
                    *[("latitude_gte", "latitude"), ("longitude_lte", "longitude")].choose(random).expect("some");
                let bound = f64::from(random.random_range(-900..900)) / 10.0;
                let is_least = name.ends_with("gte");
                let check = move |sample: &Value| {
                    let value = sample["attributes"][attribute].as_f64();
                    value.is_some_and(|value| if is_least { value >= bound } else { value <= bound })
                };
                (vec![(name, bound.to_string())], Box::new(check))
            }
            4 => {
                let sample = loop {
                    let sample = self.sample(random);
                    if !sample["attributes"]["sample-metadata"].as_array().expect("a list").is_empty() {
                        break sample;
                    }
                };
                let entry =
                    sample["attributes"]["sample-metadata"].as_array().expect("a list").choose(random).expect("some");
                let key = entry["key"].as_str().expect("a text").to_owned();
                let (of, least) = (key.clone(), f64::from(random.random_range(-20..60)));
                let has_bound: bool = random.random();
                let check = move |sample: &Value| {
                    let entries = sample["attributes"]["sample-metadata"].as_array().expect("a list");
                    entries.iter().filter(|entry| entry["key"] == *of).any(|entry| {
                        let number = entry["value"].as_str().and_then(|value| value.trim().parse::<f64>().ok());
                        !has_bound || number.is_some_and(|number| number >= least)
                    })
                };
                let mut parameters = vec![("metadata_key", key)];
                if has_bound {
                    parameters.push(("metadata_value_gte", least.to_string()));
                }
                (parameters, Box::new(check))
            }
            5 => {
                let material = self.value("environment-material", random);
                let of = material.clone();
                let check = move |sample: &Value| text(sample, "environment-material") == Some(&of);
                (vec![("environment_material", material)], Box::new(check))
            }
            6 => {
                let study = self.studies.choose(random).expect("studies");
                let accession = text(study, ["accession", "secondary-accession"].choose(random).expect("some"));
                let of = id(study).to_owned();
                let check = move |sample: &Value| named(sample, "studies").contains(&of);
                (vec![("study_accession", accession.expect("given").to_owned())], Box::new(check))
            }
            7 => {
                let some: Vec<String> =
                    (0..random.random_range(1..40)).map(|_| id(self.sample(random)).to_owned()).collect();
                let list = some.join(",");
                (vec![("accession", list)], Box::new(move |sample| some.iter().any(|of| of == id(sample))))
            }
            8 => {
                let all = words(self.sample(random));
                let some: Vec<String> =
                    (0..random.random_range(1..=3)).map(|_| all.choose(random).expect("some").clone()).collect();
                let search = some.join(" ");
                let check = move |sample: &Value| {
                    let all = words(sample);
                    some.iter().all(|word| all.contains(word))
                };
                (vec![("search", search)], Box::new(check))
            }
            _ => (vec![("zzz", "ignored".to_owned())], Box::new(|_| true)),
        }
    }

    /// Returns a filter of studies.
    fn study_filter(&self, random: &mut StdRng) -> Filter<'static> {
        match random.random_range(0..4) {
            0 => {
                let lineage = self.lineage(random);
                let of = lineage.clone();
                let check = move |study: &Value| named(study, "biomes").iter().any(|lineage| is_within(lineage, &of));
                (vec![("lineage", lineage)], Box::new(check))
            }
            1 => {
                let part = ["soil", "marine", "human"].choose(random).expect("some").to_owned();
                let check =
                    move |study: &Value| named(study, "biomes").iter().any(|lineage| contains(Some(lineage), part));
                (vec![("biome_name", part.to_owned())], Box::new(check))
            }
            2 => {
                let part = ["EMG", "bio", "univ", "of "].choose(random).expect("some").to_owned();
                (
                    vec![("centre_name", part.to_owned())],
                    Box::new(move |study| contains(text(study, "centre-name"), part)),
                )
            }
            _ => {
                let word = words(self.studies.choose(random).expect("studies")).choose(random).expect("some").clone();
                let of = word.clone();
                (vec![("search", word)], Box::new(move |study| words(study).contains(&of)))
            }
        }
    }

    /// Returns a filter of runs or analyses, some of which look at their samples.
    fn run_filter<'a>(&'a self, of: &'a [Value], random: &mut StdRng) -> Filter<'a> {
        let samples = move |resource: &Value, holds: &dyn Fn(&Value) -> bool| {
            named(resource, "sample").iter().filter_map(|id| self.samples_by_id.get(id)).any(holds)
        };
        let one = of.choose(random).expect("some");
        match random.random_range(0..7) {
            0 => {
                let lineage = self.lineage(random);
                let of = lineage.clone();
                let check =
                    move |resource: &Value| samples(resource, &|sample| is_within(&named(sample, "biome")[0], &of));
                (vec![("lineage", lineage)], Box::new(check))
            }
            1 => {
                let part = ["soil", "MARINE", "root:Host", "system"].choose(random).expect("some").to_owned();
                let check = move |resource: &Value| {
                    samples(resource, &|sample| contains(Some(&named(sample, "biome")[0]), part))
                };
                (vec![("biome_name", part.to_owned())], Box::new(check))
            }
            2 => {
                let types: Vec<String> = ["amplicon", "metagenomic", "assembly", "unknown"]
                    .sample(random, 2)
                    .map(|name| (*name).to_owned())
                    .collect();
                let list = types.join(",");
                let check =
                    move |resource: &Value| types.iter().any(|name| text(resource, "experiment-type") == Some(name));
                (vec![("experiment_type", list)], Box::new(check))
            }
            3 => {
                let part = ["hiseq", "454", "Illumina", "pgm"].choose(random).expect("some").to_owned();
                let check = move |resource: &Value| contains(text(resource, "instrument-model"), part);
                (vec![("instrument_model", part.to_owned())], Box::new(check))
            }
            4 => {
                let study = named(one, "study").pop().expect("each has one");
                let of = study.clone();
                (vec![("study_accession", study)], Box::new(move |resource| named(resource, "study").contains(&of)))
            }
            5 => {
                let some: Vec<String> = of.sample(random, 5).map(|one| id(one).to_owned()).collect();
                (
                    vec![("accession", some.join(","))],
                    Box::new(move |resource| some.iter().any(|of| of == id(resource))),
                )
            }
            _ => {
                let key = ["pH", "depth", "temperature"].choose(random).expect("some").to_owned();
                let least = f64::from(random.random_range(-5..40));
                let check = move |resource: &Value| {
                    samples(resource, &|sample| {
                        let entries = sample["attributes"]["sample-metadata"].as_array().expect("a list");
                        entries.iter().filter(|entry| entry["key"] == key).any(|entry| {
                            let number = entry["value"].as_str().and_then(|value| value.trim().parse::<f64>().ok());
                            number.is_some_and(|number| number >= least)
                        })
                    })
                };
                let parameters = vec![("metadata_key", key.to_owned()), ("metadata_value_gte", least.to_string())];
                (parameters, Box::new(check))
            }
        }
    }

    /// Returns a filter of assemblies.
    fn assembly_filter(&self, random: &mut StdRng) -> Filter<'static> {
        let lineages: BTreeMap<String, String> =
            self.samples.iter().map(|sample| (id(sample).to_owned(), named(sample, "biome").remove(0))).collect();
        if random.random() {
            let lineage = if random.random() { "root:Host-associated:Human".to_owned() } else { self.lineage(random) };
            let of = lineage.clone();
            let check = move |assembly: &Value| {
                named(assembly, "samples")
                    .iter()
                    .filter_map(|sample| lineages.get(sample))
                    .any(|lineage| is_within(lineage, &of))
            };
            (vec![("lineage", lineage)], Box::new(check))
        } else {
            let assembly = self.assemblies.choose(random).expect("assemblies");
            let sample = named(assembly, "samples").remove(0);
            let of = sample.clone();
            (vec![("sample_accession", sample)], Box::new(move |assembly| named(assembly, "samples").contains(&of)))
        }
    }
}

/// Sorts as `ordering` says: nulls first, text by code point, ties by `tie`.
fn sort(resources: &mut [&Value], ordering: &[(&str, bool)], tie: &str) {
    resources.sort_by(|left, right| {
        let by = ordering.iter().map(|(attribute, is_descending)| {
            let (left, right) = (&left["attributes"][*attribute], &right["attributes"][*attribute]);
            let order = match (left.as_i64(), right.as_i64()) {
                (None, None) => left.as_str().cmp(&right.as_str()),
                (left, right) => left.cmp(&right),
            };
            if *is_descending { order.reverse() } else { order }
        });
        let ties = text(left, tie).cmp(&text(right, tie));
        by.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then).then(ties)
    });
}

/// Asks for random lists of a collection, and compares any page of them, or all, with the model.
async fn compare<'a>(
    collection: &str,
    all: &[Value],
    orders: &[(&'static str, &'static str)],
    mut filter: impl FnMut(&mut StdRng) -> Filter<'a>,
) {
    let mut random = StdRng::seed_from_u64(SEED);
    let (mut num_matching, mut num_empty) = (0, 0);
    for _ in 0..NUM_LISTS {
        let filters: Vec<Filter> = (0..random.random_range(0..=2)).map(|_| filter(&mut random)).collect();
        let mut parameters = BTreeMap::new();
        for (name, value) in filters.iter().flat_map(|(parameters, _)| parameters) {
            parameters.insert(*name, value.clone());
        }
        // Of a repeated parameter the last value counts: a list has each once.
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
            let by: Vec<_> =
                ordering.iter().map(|(_, attribute, is_descending)| (*attribute, *is_descending)).collect();
            sort(&mut expected, &by, "accession");
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
        let of_page = expected_ids.chunks(page_size).nth(page - 1).unwrap_or_default();
        assert_eq!(ids(&answer), of_page, "{query}, page {page}");
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
    assert!(num_matching > NUM_LISTS / 4, "{num_matching} lists with resources, {num_empty} without");
}

#[tokio::test]
async fn samples_are_filtered_ordered_and_paged_like_the_model() {
    let model = Model::new();
    let orders = [("accession", "accession"), ("sample_name", "sample-name"), ("last_update", "last-update")];
    compare("samples", &model.samples, &orders, |random| model.sample_filter(random)).await;
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
    compare("studies", &model.studies, &orders, |random| model.study_filter(random)).await;
}

#[tokio::test]
async fn assemblies_are_filtered_ordered_and_paged_like_the_model() {
    let model = Model::new();
    compare("assemblies", &model.assemblies, &[("accession", "accession")], |random| model.assembly_filter(random))
        .await;
}

#[tokio::test]
async fn runs_are_filtered_ordered_and_paged_like_the_model() {
    let model = Model::new();
    compare("runs", &model.runs, &[("accession", "accession")], |random| model.run_filter(&model.runs, random)).await;
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
    compare("analyses", &model.analyses, &orders, |random| model.run_filter(&model.analyses, random)).await;
}
