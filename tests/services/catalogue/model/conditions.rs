//! Random conditions in the language of queries, each with an independent implementation.

use std::ops::Bound;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use store_catalogue::model::same_keys;
use store_catalogue::{MetadataEntry, Period};
use support::encoded;
use support::machine::rounds;

use super::SEED;
use super::filters::Model;
use super::values::{attribute_or_metadata, entries, id, is_within, number, related_ids, text};
use crate::services::catalogue::real::{get_json, ids};

/// A condition, and the function that checks it for a sample.
type Condition<'a> = (String, Box<dyn Fn(&Value) -> bool + 'a>);

/// Quotes a text for a query.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a range with a bound, and the function that checks whether a number is in it.
#[expect(clippy::float_cmp, reason = "numbers are compared as they are written")]
fn range(bound: f64, random: &mut StdRng) -> (String, Box<dyn Fn(f64) -> bool>) {
    let end = bound + f64::from(random.random_range(1..50));
    match random.random_range(0..6) {
        0 => (format!(">{bound}"), Box::new(move |number| number > bound)),
        1 => (format!(">={bound}"), Box::new(move |number| number >= bound)),
        2 => (format!("<{bound}"), Box::new(move |number| number < bound)),
        3 => (format!("{{* TO {bound}]"), Box::new(move |number| number <= bound)),
        4 => (format!("[{bound} TO {end}}}"), Box::new(move |number| number >= bound && number < end)),
        _ => (bound.to_string(), Box::new(move |number| number == bound)),
    }
}

impl Model {
    /// Returns a sample that satisfies a condition.
    fn sample_with(&self, random: &mut StdRng, is_it: impl Fn(&Value) -> bool) -> &Value {
        loop {
            let sample = self.samples.choose(random).expect("samples");
            if is_it(sample) {
                return sample;
            }
        }
    }

    /// Returns a condition on one field.
    fn leaf(&self, random: &mut StdRng) -> Condition<'_> {
        match random.random_range(0..9) {
            0 | 1 => {
                let is_number = |entry: &MetadataEntry| number(entry).is_some();
                let sample = self.sample_with(random, |sample| entries(sample).iter().any(is_number));
                let of_numbers: Vec<_> = entries(sample).into_iter().filter(is_number).collect();
                let entry = of_numbers.choose(random).expect("one").clone();
                let (range, is_in) = range(number(&entry).expect("a number"), random);
                let query = format!("{}:{range}[{}]", quoted(&entry.key), entry.unit);
                let check = move |sample: &Value| {
                    let fits = |other: &MetadataEntry| other.unit == entry.unit && number(other).is_some_and(&is_in);
                    entries(sample).iter().any(|other| same_keys(&entry.key).contains(&&*other.key) && fits(other))
                };
                (query, Box::new(check))
            }
            2 => {
                let is_text = |entry: &MetadataEntry| entry.value.is_some() && number(entry).is_none();
                let sample = self.sample_with(random, |sample| entries(sample).iter().any(is_text));
                let entry = entries(sample).into_iter().find(is_text).expect("one");
                let query = format!("{}:{}", quoted(&entry.key), quoted(entry.value.as_deref().expect("a text")));
                let check = move |sample: &Value| {
                    let is_it = |other: &MetadataEntry| {
                        same_keys(&entry.key).contains(&&*other.key) && other.value == entry.value
                    };
                    entries(sample).iter().any(is_it)
                };
                (query, Box::new(check))
            }
            3 => {
                let key = *["pH", "temperature", "geographic location (depth)", "age"].choose(random).expect("some");
                let check =
                    move |sample: &Value| entries(sample).iter().any(|entry| same_keys(key).contains(&&*entry.key));
                (format!("{}:*", quoted(key)), Box::new(check))
            }
            4 => {
                let attribute = *["geo-loc-name", "species", "environment-material"].choose(random).expect("some");
                let sample = self.sample_with(random, |sample| attribute_or_metadata(sample, attribute).is_some());
                let value = attribute_or_metadata(sample, attribute).expect("a text");
                let query = format!("{attribute}:{}", quoted(&value));
                (query, Box::new(move |sample| attribute_or_metadata(sample, attribute).as_ref() == Some(&value)))
            }
            5 => {
                let attribute = *["collection-date", "last-update"].choose(random).expect("some");
                let year = random.random_range(2005..2022);
                let (range, years) = match random.random_range(0..3) {
                    0 => (format!(">{year}"), year + 1..9999),
                    1 => (format!("<={year}"), 0..year + 1),
                    _ => (format!("[{year} TO {}]", year + 2), year..year + 3),
                };
                let query = format!("{}:{range}", attribute.replace('-', "_"));
                let [first, last] = [years.start, years.end].map(|year| format!("{year:04}"));
                let is_in =
                    move |date: String| Period::is_within(&date, (Bound::Included(&*first), Bound::Excluded(&*last)));
                (query, Box::new(move |sample| attribute_or_metadata(sample, attribute).is_some_and(&is_in)))
            }
            6 => {
                let attribute = *["latitude", "longitude"].choose(random).expect("some");
                let (range, is_in) = range(f64::from(random.random_range(-900..900)) / 10.0, random);
                let check = move |sample: &Value| sample["attributes"][attribute].as_f64().is_some_and(&is_in);
                (format!("{attribute}:{range}"), Box::new(check))
            }
            7 => {
                let lineage = self.lineage(random);
                let query = format!("biome:{}", quoted(&lineage));
                (query, Box::new(move |sample| is_within(&related_ids(sample, "biome")[0], &lineage)))
            }
            _ => {
                let study = self.studies.choose(random).expect("studies");
                let centre = text(study, "centre-name").map(str::to_owned);
                let is_of = move |other: &Value| text(other, "centre-name") == centre.as_deref();
                let of_centre: Vec<&str> = self.studies.iter().filter(|study| is_of(study)).map(id).collect();
                let query = match text(study, "centre-name") {
                    Some(centre) => format!("study:(centre_name:{})", quoted(centre)),
                    None => "study:(NOT centre_name:*)".to_owned(),
                };
                let check = move |sample: &Value| {
                    related_ids(sample, "studies").iter().any(|study| of_centre.contains(&study.as_str()))
                };
                (query, Box::new(check))
            }
        }
    }

    /// Returns a combination of conditions.
    fn conditions(&self, random: &mut StdRng, depth: usize) -> Condition<'_> {
        let kind = if depth == 0 { 0 } else { random.random_range(0..4) };
        match kind {
            0 => self.leaf(random),
            1 => {
                let (text, check) = self.conditions(random, depth - 1);
                (format!("NOT ({text})"), Box::new(move |sample| !check(sample)))
            }
            kind => {
                let [(left, of_left), (right, of_right)] = [(); 2].map(|()| self.conditions(random, depth - 1));
                if kind == 2 {
                    (format!("({left}) AND ({right})"), Box::new(move |sample| of_left(sample) && of_right(sample)))
                } else {
                    (format!("({left}) OR ({right})"), Box::new(move |sample| of_left(sample) || of_right(sample)))
                }
            }
        }
    }

    /// Requests the resources that some conditions select, and compares them.
    async fn compare(&self, collection: &str, query: &str, expected: &[&str]) {
        let parameter = encoded(query);
        let answer = get_json(&format!("/{collection}?where={parameter}&page_size=250&strict=1")).await;
        assert_eq!(answer["meta"]["pagination"]["count"], json!(expected.len()), "{query}");
        assert_eq!(ids(&answer), expected[..expected.len().min(250)], "{query}");
    }
}

#[tokio::test]
async fn conditions_on_samples_and_runs_select_the_same_as_a_plain_scan() {
    let (model, mut random) = (Model::new(), StdRng::seed_from_u64(SEED));
    let (mut num_some, mut num_empty) = (0, 0);
    for _ in 0..rounds(40, 200) {
        let (query, check) = model.conditions(&mut random, 3);
        let expected: Vec<&str> = model.samples.iter().filter(|sample| check(sample)).map(id).collect();
        model.compare("samples", &query, &expected).await;
        if expected.is_empty() {
            num_empty += 1;
        } else {
            num_some += 1;
        }
        if expected.len() < 500 {
            let is_of =
                |run: &&Value| related_ids(run, "sample").iter().any(|sample| expected.contains(&sample.as_str()));
            let of_runs: Vec<&str> = model.runs.iter().filter(is_of).map(id).collect();
            model.compare("runs", &format!("sample:({query})"), &of_runs).await;
        }
    }
    assert!(num_some > rounds(40, 200) / 4, "{num_some} queries with samples, {num_empty} without");
}
