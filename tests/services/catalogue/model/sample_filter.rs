//! Random filters of samples.

use std::ops::Bound;

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::Value;
use store_catalogue::{MetadataEntry, Period};

use super::filters::{Filter, Model};
use super::values::{
    attribute_or_metadata, contains, distance_km, entries, id, is_within, number, place, related_ids, text, words,
};

impl Model {
    /// Returns a filter of samples.
    #[expect(clippy::too_many_lines, reason = "it is a table")]
    pub(super) fn sample_filter(&self, random: &mut StdRng) -> Filter<'static> {
        match random.random_range(0..14) {
            0 => {
                let lineage = self.lineage(random);
                let of = lineage.clone();
                (vec![("lineage", lineage)], Box::new(move |sample| is_within(&related_ids(sample, "biome")[0], &of)))
            }
            1 => {
                let part = ["soil", "MARINE", "root:Host", "ed:hu", "system"].choose(random).expect("some").to_owned();
                (
                    vec![("biome_name", part.to_owned())],
                    Box::new(move |sample| contains(Some(&related_ids(sample, "biome")[0]), part)),
                )
            }
            2 => {
                let attribute = *["geo-loc-name", "species"].choose(random).expect("some");
                // Letters only, because other characters have a meaning in expressions.
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
                    let is_in = |entry: &MetadataEntry| number(entry).is_some_and(|number| number >= least);
                    entries(sample).iter().any(|entry| entry.key == of.trim() && (!has_bound || is_in(entry)))
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
                let check = move |sample: &Value| related_ids(sample, "studies").contains(&of);
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
            9 => {
                let mut degrees = |most: i32| f64::from(random.random_range(-most..=most)) / 10.0;
                let (south, north, west, east) = (degrees(900), degrees(900), degrees(1_800), degrees(1_800));
                let (south, north) = (south.min(north), south.max(north));
                let check = move |sample: &Value| {
                    place(sample).is_some_and(|(latitude, longitude)| {
                        let is_east = longitude >= west;
                        let is_west = longitude <= east;
                        let is_between = if west > east { is_east || is_west } else { is_east && is_west };
                        (south..=north).contains(&latitude) && is_between
                    })
                };
                (vec![("bbox", format!("{west},{south},{east},{north}"))], Box::new(check))
            }
            10 => {
                let of = loop {
                    if let Some(place) = place(self.sample(random)) {
                        break place;
                    }
                };
                let km = [0.5, 30.0, 700.0, 4_000.0, 15_000.0].choose(random).expect("some").to_owned();
                let check = move |sample: &Value| place(sample).is_some_and(|place| distance_km(place, of) <= km);
                (vec![("near", format!("{},{},{km}", of.0, of.1))], Box::new(check))
            }
            11 | 12 => {
                let (attribute, names) = *[
                    ("collection-date", ["collection_date_gte", "collection_date_lte"]),
                    ("last-update", ["last_update_gte", "last_update_lte"]),
                ]
                .choose(random)
                .expect("some");
                let [first, last] = [(); 2].map(|()| {
                    let whole = self.value(attribute, random);
                    let length = *[4, 7, 10, 19].choose(random).expect("some");
                    whole[..whole.len().min(length)].to_owned()
                });
                let given = vec![(names[0], first.clone()), (names[1], last.clone())];
                let check = move |sample: &Value| {
                    let last = format!("{last}~");
                    let bounds = (Bound::Included(&*first), Bound::Excluded(&*last));
                    attribute_or_metadata(sample, attribute).is_some_and(|date| Period::is_within(&date, bounds))
                };
                (given, Box::new(check))
            }
            _ => (vec![("zzz", "ignored".to_owned())], Box::new(|_| true)),
        }
    }
}
