//! Random filters, each with an independent implementation.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::Value;
use store_catalogue::MetadataEntry;

use super::values::{contains, entries, id, is_within, number, related_ids, text, words};
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

impl Model {
    pub(super) fn new() -> Self {
        let [samples, studies, assemblies, biomes, runs, analyses] =
            ["samples", "studies", "assemblies", "biomes", "runs", "analyses"].map(resources);
        let samples_by_id = samples.iter().map(|sample| (id(sample), sample)).collect();
        Self { samples, studies, assemblies, biomes, runs, analyses, samples_by_id }
    }

    /// Returns some sample.
    pub(super) fn sample(&self, random: &mut StdRng) -> &Value {
        self.samples.choose(random).expect("there are samples")
    }

    /// Returns the value of an attribute of some sample that has it.
    pub(super) fn value(&self, attribute: &str, random: &mut StdRng) -> String {
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
