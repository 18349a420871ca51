//! Random filters, each with an independent implementation.

use std::collections::BTreeMap;
use std::ops::Bound;

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::Value;
use store_catalogue::{MetadataEntry, Period};

use crate::services::catalogue::real::resources;

/// A parameter with the function that checks a resource.
pub(super) type Filter<'a> = (Vec<(&'static str, String)>, Box<dyn Fn(&Value) -> bool + 'a>);

/// The resources that the model knows.
pub(super) struct Model {
    pub(super) samples: &'static [Value],
    pub(super) studies: &'static [Value],
    pub(super) assemblies: &'static [Value],
    biomes: &'static [Value],
    pub(super) runs: &'static [Value],
    pub(super) analyses: &'static [Value],
    /// The samples by id.
    pub(super) samples_by_id: BTreeMap<&'static str, &'static Value>,
}

/// Returns an attribute as text.
pub(super) fn text<'a>(resource: &'a Value, attribute: &str) -> Option<&'a str> {
    resource["attributes"][attribute].as_str()
}

/// Returns the id of a resource.
/// Returns the entries of a sample's metadata as they are meant.
pub(crate) fn entries(sample: &Value) -> Vec<MetadataEntry> {
    let entries = sample["attributes"]["sample-metadata"].as_array().expect("a list").iter();
    let text = |entry: &Value, name: &str| entry[name].as_str().map(str::to_owned);
    let read = |entry: &Value| {
        let unit = text(entry, "unit").unwrap_or_default();
        MetadataEntry::new(entry["key"].as_str().expect("a key"), text(entry, "value").as_deref(), &unit)
    };
    entries.map(read).collect()
}

/// Returns the value of an attribute, or the value in the metadata of a sample if it is missing.
pub(super) fn attribute_or_metadata(sample: &Value, attribute: &str) -> Option<String> {
    let keys = match attribute {
        "collection-date" => &["collection date", "collection_date"][..],
        "geo-loc-name" => &["geographic location (country and/or sea,region)", "country"],
        "environment-material" => &["environment (material)", "environment_material"],
        "species" => &["host_scientific_name"],
        _ => &[],
    };
    let own = text(sample, attribute).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    own.or_else(|| {
        let is_it = |entry: &MetadataEntry| entry.value.is_some() && keys.contains(&&*entry.key);
        keys.first().and_then(|_| entries(sample).into_iter().find(is_it))?.value
    })
}

/// Reads the number of an entry.
pub(super) fn number(entry: &MetadataEntry) -> Option<f64> {
    entry.value.as_deref()?.parse().ok().filter(|number: &f64| number.is_finite())
}

pub(super) fn id(resource: &Value) -> &str {
    resource["id"].as_str().expect("a text")
}

/// Returns whether a text contains another, in any letter case.
fn contains(text: Option<&str>, part: &str) -> bool {
    text.is_some_and(|text| text.to_lowercase().contains(&part.to_lowercase()))
}

/// Returns whether a lineage is equal to another or below it.
pub(super) fn is_within(lineage: &str, ancestor: &str) -> bool {
    lineage.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// Returns the ids that a resource names in a relationship.
pub(super) fn related_ids(resource: &Value, relationship: &str) -> Vec<String> {
    match &resource["relationships"][relationship]["data"] {
        Value::Array(entries) => entries.iter().map(|entry| id(entry).to_owned()).collect(),
        Value::Object(_) => vec![id(&resource["relationships"][relationship]["data"]).to_owned()],
        _ => Vec::new(),
    }
}

/// Returns all words that a full-text search finds a resource by.
fn words(resource: &Value) -> Vec<String> {
    let attributes = resource["attributes"].as_object().expect("an object");
    let dates = ["last-update", "analysis-completed", "public-release-date", "complete-time"];
    let texts = attributes.iter().filter(|(name, _)| !dates.contains(&name.as_str()));
    let texts = texts.filter_map(|(_, value)| value.as_str());
    let metadata = attributes.get("sample-metadata").and_then(Value::as_array).into_iter().flatten();
    let values = metadata.filter_map(|entry| entry["value"].as_str());
    let texts = texts.chain(values).flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric()));
    texts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Returns the latitude and the longitude of a sample. Some samples have invalid latitudes.
fn place(sample: &Value) -> Option<(f64, f64)> {
    let latitude = sample["attributes"]["latitude"].as_f64().filter(|latitude| latitude.abs() <= 90.0)?;
    Some((latitude, sample["attributes"]["longitude"].as_f64()?))
}

/// Returns the distance of two points on a sphere, computed from the angle between the two
/// directions.
fn distance_km(left: (f64, f64), right: (f64, f64)) -> f64 {
    let direction = |(latitude, longitude): (f64, f64)| {
        let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    };
    let (left, right) = (direction(left), direction(right));
    let chord = left.iter().zip(right).map(|(left, right)| (left - right).powi(2)).sum::<f64>().sqrt();
    2.0 * 6371.0088 * (chord / 2.0).min(1.0).asin()
}

impl Model {
    pub(super) fn new() -> Self {
        let [samples, studies, assemblies, biomes, runs, analyses] =
            ["samples", "studies", "assemblies", "biomes", "runs", "analyses"].map(resources);
        let samples_by_id = samples.iter().map(|sample| (id(sample), sample)).collect();
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
    pub(super) fn lineage(&self, random: &mut StdRng) -> String {
        // Half of them are lineages that samples have, or their ancestors.
        let lineage = related_ids(self.sample(random), "biome").remove(0);
        let num_levels = random.random_range(2..=lineage.split(':').count());
        let ancestor = lineage.split(':').take(num_levels).collect::<Vec<_>>().join(":");
        if random.random() { ancestor } else { id(self.biomes.choose(random).expect("biomes")).to_owned() }
    }

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

    /// Returns a filter of studies.
    pub(super) fn study_filter(&self, random: &mut StdRng) -> Filter<'static> {
        match random.random_range(0..4) {
            0 => {
                let lineage = self.lineage(random);
                let of = lineage.clone();
                let check =
                    move |study: &Value| related_ids(study, "biomes").iter().any(|lineage| is_within(lineage, &of));
                (vec![("lineage", lineage)], Box::new(check))
            }
            1 => {
                let part = ["soil", "marine", "human"].choose(random).expect("some").to_owned();
                let check = move |study: &Value| {
                    related_ids(study, "biomes").iter().any(|lineage| contains(Some(lineage), part))
                };
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

    /// Returns a filter of runs or analyses, some of which examine their samples.
    pub(super) fn run_filter<'a>(&'a self, of: &'a [Value], random: &mut StdRng) -> Filter<'a> {
        let samples = move |resource: &Value, holds: &dyn Fn(&Value) -> bool| {
            related_ids(resource, "sample")
                .iter()
                .filter_map(|id| self.samples_by_id.get(id.as_str()).copied())
                .any(holds)
        };
        let one = of.choose(random).expect("some");
        match random.random_range(0..7) {
            0 => {
                let lineage = self.lineage(random);
                let of = lineage.clone();
                let check = move |resource: &Value| {
                    samples(resource, &|sample| is_within(&related_ids(sample, "biome")[0], &of))
                };
                (vec![("lineage", lineage)], Box::new(check))
            }
            1 => {
                let part = ["soil", "MARINE", "root:Host", "system"].choose(random).expect("some").to_owned();
                let check = move |resource: &Value| {
                    samples(resource, &|sample| contains(Some(&related_ids(sample, "biome")[0]), part))
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
                let study = related_ids(one, "study").pop().expect("each has one");
                let of = study.clone();
                (
                    vec![("study_accession", study)],
                    Box::new(move |resource| related_ids(resource, "study").contains(&of)),
                )
            }
            5 => {
                // One of them has two accessions with a comma between them, which a list cannot
                // contain.
                let some = of.sample(random, 5).map(|one| id(one).to_owned()).filter(|id| !id.contains(','));
                let some: Vec<String> = some.collect();
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
                        let is_in = |entry: &MetadataEntry| number(entry).is_some_and(|number| number >= least);
                        entries(sample).iter().any(|entry| entry.key == key && is_in(entry))
                    })
                };
                let parameters = vec![("metadata_key", key.to_owned()), ("metadata_value_gte", least.to_string())];
                (parameters, Box::new(check))
            }
        }
    }

    /// Returns a filter of assemblies.
    pub(super) fn assembly_filter(&self, random: &mut StdRng) -> Filter<'static> {
        let lineages: BTreeMap<String, String> =
            self.samples.iter().map(|sample| (id(sample).to_owned(), related_ids(sample, "biome").remove(0))).collect();
        if random.random() {
            let lineage = if random.random() { "root:Host-associated:Human".to_owned() } else { self.lineage(random) };
            let of = lineage.clone();
            let check = move |assembly: &Value| {
                related_ids(assembly, "samples")
                    .iter()
                    .filter_map(|sample| lineages.get(sample))
                    .any(|lineage| is_within(lineage, &of))
            };
            (vec![("lineage", lineage)], Box::new(check))
        } else {
            let assembly = self.assemblies.choose(random).expect("assemblies");
            let sample = related_ids(assembly, "samples").remove(0);
            let of = sample.clone();
            (
                vec![("sample_accession", sample)],
                Box::new(move |assembly| related_ids(assembly, "samples").contains(&of)),
            )
        }
    }
}
