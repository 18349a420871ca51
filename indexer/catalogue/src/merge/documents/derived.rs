//! The document of version 2 for a resource that was loaded as a row of version 1.

use serde_json::{Value, json};
use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, GENOME_CATALOGUES, GENOMES, METADATA_ATTRIBUTES, PUBLICATIONS, RUNS, SAMPLES,
    STUDIES, SUPER_STUDIES, document_members, experiment_label, pipeline_label,
};

use super::metadata::{self, is_empty, text};
use super::times::zoned_time;
use crate::read::objects::first_accession;
use crate::read::{Members, Resource};

/// The members of the metadata of a publication.
const PUBLICATION_METADATA: [&str; 7] =
    ["authors", "doi", "isbn", "iso_journal", "pubmed_central_id", "volume", "pub_type"];

/// Returns the document of a resource, with null for members that the row lacks, or `None` if
/// version 2 has no such type.
pub(crate) fn derived(resource: &Resource) -> Option<Members> {
    let names = document_members(&resource.kind);
    if names.is_empty() {
        return None;
    }
    let row = Row(resource);
    let value = |name: &str| match (name, &*resource.kind) {
        ("accession", kind) if kind != SAMPLES => row.id(),
        ("biome", _) => row.biome(),
        ("updated_at", _) => row.time("last-update"),
        ("downloads", _) => json!([]),
        ("experiment_type", _) => row.experiment_type(),
        (_, BIOMES) => row.biome_member(name),
        (_, STUDIES) => row.study_member(name),
        (_, SAMPLES) => row.sample_member(name),
        (_, RUNS) => row.run_member(name),
        (_, ASSEMBLIES) => row.assembly_member(name),
        (_, ANALYSIS_JOBS) => row.analysis_member(name),
        (_, PUBLICATIONS) => row.publication_member(name),
        (_, SUPER_STUDIES) => row.super_study_member(name),
        (_, GENOMES) => row.genome_member(name),
        (_, GENOME_CATALOGUES) => row.catalogue_member(name),
        _ => Value::Null,
    };
    Some(names.iter().map(|name| ((*name).to_owned(), value(name))).collect())
}

#[derive(Clone, Copy)]
struct Row<'a>(&'a Resource);

impl Row<'_> {
    /// Returns an attribute, or null if it is empty.
    fn attribute(self, name: &str) -> Value {
        self.0.attribute(name).filter(|value| !is_empty(value)).cloned().unwrap_or_default()
    }

    /// Returns the attribute with the name of a member, with dashes.
    fn of_same_name(self, member: &str) -> Value {
        self.attribute(&member.replace('_', "-"))
    }

    fn id(self) -> Value {
        self.0.id.clone().into()
    }

    fn names(self, relation: &str) -> Vec<Value> {
        let named = self.0.references().filter(|reference| reference.relation == relation);
        named.map(|reference| reference.id.into()).collect()
    }

    fn named(self, relations: &[&str]) -> Value {
        relations.iter().find_map(|relation| self.names(relation).into_iter().next()).unwrap_or_default()
    }

    fn time(self, name: &str) -> Value {
        self.0.text(name).map(|time| zoned_time(time).into()).unwrap_or_default()
    }

    fn biome(self) -> Value {
        let lineage = self.named(&["biome", "biomes"]);
        let name = lineage.as_str().and_then(|lineage| lineage.rsplit(':').next());
        name.map_or(Value::Null, |name| json!({"biome_name": name, "lineage": lineage}))
    }

    fn accessions(self, names: &[&str]) -> Vec<Value> {
        names.iter().map(|name| self.attribute(name)).filter(|accession| !accession.is_null()).collect()
    }

    fn experiment_type(self) -> Value {
        self.0.text("experiment-type").map(|name| experiment_label(name).into()).unwrap_or_default()
    }

    fn biome_member(self, name: &str) -> Value {
        match name {
            "lineage" => self.id(),
            _ => self.0.id.rsplit(':').next().map(Value::from).unwrap_or_default(),
        }
    }

    fn study_member(self, name: &str) -> Value {
        let accessions = || self.accessions(&["secondary-accession", "bioproject"]);
        match name {
            "ena_accessions" => accessions().into(),
            "title" => self.attribute("study-name"),
            "first_accession" => first_accession(&accessions()),
            _ => without_nulls(&[
                ("study_title", self.attribute("study-name")),
                ("study_name", self.attribute("study-name")),
                ("study_description", self.attribute("study-abstract")),
                ("center_name", self.attribute("centre-name")),
                ("study_accession", self.attribute("bioproject")),
                ("secondary_study_accession", self.attribute("secondary-accession")),
            ]),
        }
    }

    fn sample_member(self, name: &str) -> Value {
        match name {
            "accession" if self.attribute("biosample").is_null() => self.id(),
            "accession" => self.attribute("biosample"),
            "ena_accessions" => {
                let mut accessions = vec![self.id()];
                accessions.extend(self.accessions(&["biosample"]).into_iter().filter(|it| *it != self.id()));
                accessions.into()
            }
            "sample_title" => self.attribute("sample-name"),
            _ => self.sample_metadata(),
        }
    }

    fn sample_metadata(self) -> Value {
        let attribute = |(key, name): (&'static str, &str)| {
            let value = self.attribute(name);
            // All values of version 2 are texts.
            (key, if value.is_null() { value } else { text(&value).into() })
        };
        let mut all = without_nulls(&METADATA_ATTRIBUTES.map(attribute));
        let entries = self.0.attribute("sample-metadata").and_then(Value::as_array);
        if let Some(members) = all.as_object_mut() {
            for (key, value) in metadata::from_entries(entries.map_or(&[], Vec::as_slice)) {
                members.entry(key).or_insert(value);
            }
        }
        all
    }

    fn run_member(self, name: &str) -> Value {
        match name {
            "sample_accession" => self.named(&["sample"]),
            "study_accession" => self.named(&["study"]),
            _ => self.of_same_name(name),
        }
    }

    fn assembly_member(self, name: &str) -> Value {
        match name {
            "run_accession" => self.named(&["runs"]),
            "sample_accession" => self.named(&["samples", "sample"]),
            "metadata" => without_nulls(&[("coverage", self.attribute("coverage"))]),
            "status" => json!({}),
            _ => Value::Null,
        }
    }

    fn analysis_member(self, name: &str) -> Value {
        match name {
            "study_accession" => self.named(&["study"]),
            "run" | "sample" | "assembly" => self.named(&[name]),
            "pipeline_version" => {
                self.0.text("pipeline-version").map(|it| pipeline_label(it).into()).unwrap_or_default()
            }
            "read_run" => self.names("run").into(),
            "quality_control_summary" | "metadata" => json!({}),
            _ => Value::Null,
        }
    }

    fn publication_member(self, name: &str) -> Value {
        match name {
            "pubmed_id" => self.0.id.parse::<u64>().map_or_else(|_| self.id(), Value::from),
            "title" => self.attribute("pub-title"),
            "published_year" => self.attribute("published-year"),
            _ => PUBLICATION_METADATA.iter().map(|&name| (name, self.of_same_name(name))).collect(),
        }
    }

    fn super_study_member(self, name: &str) -> Value {
        match name {
            "slug" => self.attribute("url-slug"),
            "title" => self.attribute("title"),
            "description" => self.attribute("description"),
            "logo_url" => self.attribute("image-url"),
            "flagship_studies" => self.names("flagship-studies").into(),
            "related_studies" => self.names("related-studies").into(),
            _ => self.names("related-genome-catalogues").into(),
        }
    }

    fn genome_member(self, name: &str) -> Value {
        match name {
            "catalogue_id" => self.named(&["catalogue"]),
            "type" => match self.0.text("type") {
                Some("mag") => "MAG".into(),
                Some("isolate") => "Isolate".into(),
                _ => self.attribute("type"),
            },
            _ => self.of_same_name(name),
        }
    }

    fn catalogue_member(self, name: &str) -> Value {
        match name {
            "catalogue_id" => self.id(),
            "status" => "published".into(),
            _ => self.of_same_name(name),
        }
    }
}

fn without_nulls(members: &[(&str, Value)]) -> Value {
    let present = members.iter().filter(|(_, value)| !value.is_null());
    Value::Object(present.map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}
