//! Random conditions in the language of queries, each with an independent implementation.

use form_urlencoded::byte_serialize;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use support::machine::rounds;

use super::SEED;
use super::filters::{Model, id, is_within, named, text};
use crate::services::catalogue::real::{get_json, ids};

/// A condition, and what it asks of a sample.
type Condition<'a> = (String, Box<dyn Fn(&Value) -> bool + 'a>);

/// Returns a text as a query has it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn number(value: &Value) -> Option<f64> {
    value.as_str()?.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

fn unit(entry: &Value) -> String {
    entry["unit"].as_str().unwrap_or_default().replace("&deg;", "°").replace("&micro;", "µ")
}

fn entries(sample: &Value) -> &[Value] {
    sample["attributes"]["sample-metadata"].as_array().expect("a list")
}

/// Returns a range of numbers that begins or ends with one, and whether a number is in it.
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
    /// Returns a sample that satisfies something.
    fn sample_with(&self, random: &mut StdRng, is_it: impl Fn(&Value) -> bool) -> &Value {
        loop {
            let sample = self.samples.choose(random).expect("samples");
            if is_it(sample) {
                return sample;
            }
        }
    }

    /// Returns a condition on one thing.
    fn leaf(&self, random: &mut StdRng) -> Condition<'_> {
        match random.random_range(0..9) {
            0 | 1 => {
                let is_number = |entry: &&Value| number(&entry["value"]).is_some();
                let sample = self.sample_with(random, |sample| entries(sample).iter().any(|entry| is_number(&entry)));
                let of_numbers: Vec<&Value> = entries(sample).iter().filter(is_number).collect();
                let entry = of_numbers.choose(random).expect("one");
                let (key, of_unit) = (entry["key"].as_str().expect("a key").to_owned(), unit(entry));
                let (range, is_in) = range(number(&entry["value"]).expect("a number"), random);
                let query = format!("{}:{range}[{of_unit}]", quoted(&key));
                let check = move |sample: &Value| {
                    let fits = |entry: &Value| number(&entry["value"]).is_some_and(&is_in);
                    entries(sample).iter().any(|entry| entry["key"] == *key && unit(entry) == of_unit && fits(entry))
                };
                (query, Box::new(check))
            }
            2 => {
                let is_text = |entry: &&Value| entry["value"].is_string() && number(&entry["value"]).is_none();
                let sample = self.sample_with(random, |sample| entries(sample).iter().any(|entry| is_text(&entry)));
                let entry = entries(sample).iter().find(is_text).expect("one").clone();
                let value = entry["value"].as_str().expect("a text");
                let query = format!("{}:{}", quoted(entry["key"].as_str().expect("a key")), quoted(value));
                let query = if value == "*" { "\"pH\":*".to_owned() } else { query };
                let check = move |sample: &Value| {
                    let is_it = |other: &Value| other["key"] == entry["key"] && other["value"] == entry["value"];
                    entries(sample).iter().any(is_it)
                };
                (query, Box::new(check))
            }
            3 => {
                let key = *["pH", "temperature", "geographic location (depth)", "age"].choose(random).expect("some");
                let check = move |sample: &Value| entries(sample).iter().any(|entry| entry["key"] == key);
                (format!("{}:*", quoted(key)), Box::new(check))
            }
            4 => {
                let attribute = *["geo-loc-name", "species", "environment-material"].choose(random).expect("some");
                let sample = self.sample_with(random, |sample| text(sample, attribute).is_some());
                let value = text(sample, attribute).expect("a text").to_owned();
                let query = format!("{attribute}:{}", quoted(&value));
                (query, Box::new(move |sample| text(sample, attribute) == Some(&value)))
            }
            5 => {
                let attribute = *["collection-date", "last-update"].choose(random).expect("some");
                let year = random.random_range(2005..2022);
                let is_in = move |text: &str, years: std::ops::RangeInclusive<i32>| {
                    text.get(..4).and_then(|year| year.parse().ok()).is_some_and(|year| years.contains(&year))
                };
                let (range, years) = match random.random_range(0..3) {
                    0 => (format!(">{year}"), year + 1..=9999),
                    1 => (format!("<={year}"), 0..=year),
                    _ => (format!("[{year} TO {}]", year + 2), year..=year + 2),
                };
                let query = format!("{}:{range}", attribute.replace('-', "_"));
                (query, Box::new(move |sample| text(sample, attribute).is_some_and(|text| is_in(text, years.clone()))))
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
                (query, Box::new(move |sample| is_within(&named(sample, "biome")[0], &lineage)))
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
                    named(sample, "studies").iter().any(|study| of_centre.contains(&study.as_str()))
                };
                (query, Box::new(check))
            }
        }
    }

    /// Returns conditions that are put together.
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

    /// Asks for what some conditions select, and compares.
    async fn compare(&self, collection: &str, query: &str, expected: &[&str]) {
        let parameter: String = byte_serialize(query.as_bytes()).collect();
        let answer = get_json(&format!("/{collection}?where={parameter}&page_size=250&strict=1")).await;
        assert_eq!(answer["meta"]["pagination"]["count"], json!(expected.len()), "{query}");
        assert_eq!(ids(&answer), expected[..expected.len().min(250)], "{query}");
    }
}

#[tokio::test]
async fn conditions_on_samples_and_runs_select_what_a_plain_scan_does() {
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
            let is_of = |run: &&Value| named(run, "sample").iter().any(|sample| expected.contains(&sample.as_str()));
            let of_runs: Vec<&str> = model.runs.iter().filter(is_of).map(id).collect();
            model.compare("runs", &format!("sample:({query})"), &of_runs).await;
        }
    }
    assert!(num_some > rounds(40, 200) / 4, "{num_some} queries with samples, {num_empty} without");
}
