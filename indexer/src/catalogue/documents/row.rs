//! The resource of version 1 for a document of version 2.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use store::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, EXPERIMENT_TYPES, GENOME_CATALOGUES, GENOMES, PIPELINES, PUBLICATIONS, RUNS,
    SAMPLES, STUDIES, SUPER_STUDIES,
};

use super::context::Context;
use super::metadata::{self, is_empty, text};
use super::occurrences::{is_id, texts};
use super::words::{experiment_type, is_ena, naive_time, pipeline};
use crate::catalogue::date::is_date;
use crate::catalogue::resource::{Members, Resource};

const BASE: &str = "{base_url}/metagenomics/api/v1";

/// All but what real links have in a segment of a path as it is.
const SEGMENT_ESCAPES: AsciiSet = NON_ALPHANUMERIC
    .remove(b'.')
    .remove(b'-')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b'(')
    .remove(b')')
    .remove(b',')
    .remove(b'+');

/// Returns the resource of a type for a document, with the document.
pub(super) fn resource(kind: &str, id: &str, document: Members, context: &Context) -> Resource {
    let mut row = Row { kind, id, document: &document, attributes: Members::new(), relationships: Members::new() };
    let mut linked = Vec::new();
    match kind {
        BIOMES => row.biome(context),
        STUDIES => row.study(context),
        SAMPLES => row.sample(context),
        RUNS => row.run(context),
        ASSEMBLIES => row.assembly(context),
        ANALYSIS_JOBS => row.analysis(context),
        PUBLICATIONS => {
            row.publication(context);
            linked.extend(context.studies.iter().map(|id| ("studies".to_owned(), STUDIES.to_owned(), id.clone())));
        }
        SUPER_STUDIES => {
            row.super_study(context);
            for (relation, member, kind) in [
                ("flagship-studies", "flagship_studies", STUDIES),
                ("related-studies", "related_studies", STUDIES),
                ("related-genome-catalogues", "genome_catalogues", GENOME_CATALOGUES),
            ] {
                let ids = texts(document.get(member)).into_iter();
                linked.extend(ids.map(|id| (relation.to_owned(), kind.to_owned(), id)));
            }
        }
        GENOMES => row.genome(),
        GENOME_CATALOGUES => row.catalogue(),
        _ => {
            let document = Some(document);
            return Resource { kind: kind.to_owned(), id: id.to_owned(), document, ..Resource::default() };
        }
    }
    let links = json!({"self": url(kind, id)});
    let Row { attributes, relationships, .. } = row;
    let mut resource = Resource {
        kind: kind.to_owned(),
        id: id.to_owned(),
        attributes: Some(attributes),
        relationships: Some(relationships),
        links: links.as_object().cloned(),
        document: Some(document),
        ..Resource::default()
    };
    resource.origin.linked = linked;
    resource
}

/// Returns the attributes that a document says nothing of, or only together with others: a row of the resource knows better.
pub(super) fn guessed(kind: &str) -> &'static [&'static str] {
    match kind {
        BIOMES => &["samples-count"],
        STUDIES => &["samples-count", "last-update", "is-private"],
        SAMPLES => &["last-update", "sample-metadata"],
        RUNS => &["secondary-accession", "ena-study-accession", "is-private"],
        ASSEMBLIES | PUBLICATIONS => &["is-private", "studies-count", "samples-count", "experiment-type"],
        ANALYSIS_JOBS => &["analysis-status", "last-update", "is-private", "instrument-platform", "instrument-model"],
        SUPER_STUDIES => &["super-study-id", "biomes-count"],
        GENOMES => &["genome-id", "first-created", "last-update"],
        GENOME_CATALOGUES => &["last-update"],
        _ => &[],
    }
}

/// Returns the link to a resource.
fn url(kind: &str, id: &str) -> String {
    let path = store::model::ResourceType::rules_of(kind).path;
    format!("{BASE}/{path}/{}", utf8_percent_encode(id, &SEGMENT_ESCAPES))
}

struct Row<'a> {
    kind: &'a str,
    id: &'a str,
    document: &'a Members,
    attributes: Members,
    relationships: Members,
}

impl Row<'_> {
    fn member(&self, name: &str) -> Value {
        self.document.get(name).filter(|value| !is_empty(value)).cloned().unwrap_or_default()
    }

    fn text(&self, name: &str) -> Option<String> {
        self.document.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    fn metadata(&self, name: &str) -> Value {
        let value = self.document.get("metadata").and_then(|metadata| metadata.get(name));
        value.filter(|value| !is_empty(value)).cloned().unwrap_or_default()
    }

    fn metadata_text(&self, names: &[&str]) -> Value {
        let found = names.iter().map(|name| self.metadata(name)).find(|value| !value.is_null());
        found.map_or(Value::Null, |value| text(&value).into())
    }

    fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.attributes.insert(name.to_owned(), value.into());
    }

    /// Sets attributes that have the name of a member with dashes.
    fn copy(&mut self, names: &[&str]) {
        for name in names {
            self.set(name, self.member(&name.replace('-', "_")));
        }
    }

    fn set_time(&mut self, name: &str) {
        let time = self.text("updated_at").map(|time| naive_time(&time));
        self.set(name, time);
    }

    fn experiment(&mut self) {
        let name = self.text("experiment_type").map(|label| experiment_type(&label));
        self.set("experiment-type", name);
    }

    fn relate(&mut self, relation: &str, relationship: Value) {
        self.relationships.insert(relation.to_owned(), relationship);
    }

    fn related(&self, relation: &str) -> Value {
        format!("{}/{relation}", url(self.kind, self.id)).into()
    }

    /// Adds relationships that are links to the members alone.
    fn link(&mut self, relations: &[&str]) {
        for relation in relations {
            let related = match *relation {
                "taxonomy-itsunite" => self.related("taxonomy/unite"),
                relation => self.related(&relation.replacen("taxonomy-", "taxonomy/", 1)),
            };
            self.relate(relation, json!({"links": {"related": related}}));
        }
    }

    fn link_to_one(&mut self, relation: &str, kind: &str, id: Option<String>) {
        let relationship = id.filter(|id| is_id(id)).map_or(
            json!({"data": null}),
            |id| json!({"data": {"type": kind, "id": id}, "links": {"related": url(kind, &id)}}),
        );
        self.relate(relation, relationship);
    }

    fn link_to_all(&mut self, relation: &str, kind: &str, ids: &[String]) {
        let related = self.related(relation);
        self.relate(relation, json!({"links": {"related": related}, "data": members(kind, ids)}));
    }

    fn lineage(&self) -> Option<String> {
        self.document.get("biome")?.get("lineage")?.as_str().map(str::to_owned)
    }

    fn biome(&mut self, context: &Context) {
        self.set("samples-count", context.num_samples);
        self.copy(&["biome-name", "lineage"]);
        self.link(&["samples", "studies", "children", "genomes"]);
    }

    fn study(&mut self, context: &Context) {
        let accessions = texts(self.document.get("ena_accessions"));
        let first = |is_it: &dyn Fn(&str) -> bool| accessions.iter().find(|text| is_it(text)).cloned();
        let secondary = first(&|text| is_ena(text, "RP", 1));
        let bioproject = first(&|text| text.starts_with("PRJ"));
        let neither = if bioproject.is_none() { first(&|_| true) } else { None };
        self.set("accession", self.id);
        self.set("bioproject", bioproject);
        self.set("samples-count", Some(context.num_samples).filter(|number| *number > 0));
        self.set("is-private", false);
        self.set_time("last-update");
        self.set("secondary-accession", secondary.or(neither));
        self.set("centre-name", self.metadata("center_name"));
        self.set("public-release-date", self.metadata("first_public"));
        self.set("study-abstract", self.metadata("study_description"));
        self.set("study-name", self.member("title"));
        self.set("data-origination", Value::Null);
        self.link(&["samples"]);
        self.link_to_all("biomes", BIOMES, self.lineage().as_slice());
        self.link(&["downloads", "publications", "geocoordinates", "analyses"]);
    }

    fn sample(&mut self, context: &Context) {
        let degrees = |name: &str| text(&self.metadata(name)).trim().parse::<f64>().ok().filter(|it| it.is_finite());
        let (longitude, latitude) = (degrees("lon"), degrees("lat"));
        let is_day = |text: &String| text.len() == "2026-11-24".len() && is_date(text);
        let date = Some(text(&self.metadata("collection_date"))).filter(is_day);
        let host = text(&self.metadata("host_tax_id")).parse::<u64>().ok();
        let is_attribute = |key: &str| match key {
            "lon" => longitude.is_some(),
            "lat" => latitude.is_some(),
            "collection_date" => date.is_some(),
            "host_tax_id" => host.is_some(),
            _ => true,
        };
        let entries = self.document.get("metadata").and_then(Value::as_object);
        let entries = entries.map(|metadata| metadata::entries(metadata, is_attribute));
        let accessions = texts(self.document.get("ena_accessions"));
        let biosample = accessions.into_iter().chain(self.text("accession")).find(|it| it.starts_with("SAM"));
        self.set("longitude", longitude);
        self.set("biosample", biosample.unwrap_or_default());
        self.set("latitude", latitude);
        self.set("sample-metadata", entries.unwrap_or_default());
        self.set("accession", self.id);
        self.set("analysis-completed", Value::Null);
        self.set("collection-date", date);
        self.set("geo-loc-name", self.metadata_text(&["country"]));
        self.set("sample-desc", self.metadata_text(&["sample_description"]));
        self.set("environment-biome", self.metadata_text(&["environment_biome", "broad_scale_environmental_context"]));
        self.set("environment-feature", self.metadata_text(&["environment_feature", "local_environmental_context"]));
        self.set("environment-material", self.metadata_text(&["environment_material", "environmental_medium"]));
        let name = self.member("sample_title");
        self.set("sample-name", if name.is_null() { self.metadata_text(&["sample_title"]) } else { name });
        self.set("sample-alias", self.metadata_text(&["sample_alias"]));
        self.set("host-tax-id", host);
        self.set("species", self.metadata_text(&["host_scientific_name", "scientific_name"]));
        self.set_time("last-update");
        self.link_to_all("studies", STUDIES, &context.studies);
        self.link(&["runs"]);
        // Few samples have a biome of their own.
        self.link_to_one("biome", BIOMES, self.lineage().or_else(|| context.study.lineage.clone()));
    }

    fn run(&mut self, context: &Context) {
        self.experiment();
        self.set("is-private", false);
        self.set("accession", self.id);
        self.set("secondary-accession", self.id);
        self.set("ena-study-accession", context.study.ena_accession.clone());
        self.copy(&["instrument-platform", "instrument-model"]);
        self.link_to_one("study", STUDIES, self.text("study_accession"));
        self.link_to_all("assemblies", ASSEMBLIES, &context.assemblies);
        self.relate("pipelines", json!({"data": members(PIPELINES, &context.versions)}));
        self.link_to_one("sample", SAMPLES, context.sample.clone());
        self.link(&["analyses", "extra-annotations"]);
    }

    fn assembly(&mut self, context: &Context) {
        self.set("experiment-type", "assembly");
        self.set("is-private", false);
        self.set("accession", self.id);
        self.set("wgs-accession", Value::Null);
        self.set("legacy-accession", Value::Null);
        let coverage = text(&self.metadata("coverage")).parse::<f64>().ok().filter(|it| it.is_finite());
        #[expect(clippy::cast_possible_truncation, reason = "a coverage is far below 2^63")]
        self.set("coverage", coverage.map(|coverage| coverage.round() as i64));
        self.set("min-gap-length", Value::Null);
        self.relate("samples", json!({"data": members(SAMPLES, &context.samples)}));
        self.relate("pipelines", json!({"data": members(PIPELINES, &context.versions)}));
        self.link_to_all("runs", RUNS, &context.runs);
        self.link(&["extra-annotations", "analyses"]);
    }

    fn analysis(&mut self, context: &Context) {
        let version = self.text("pipeline_version").map(|version| pipeline(&version));
        self.set("analysis-summary", Value::Null);
        self.set("accession", self.id);
        self.experiment();
        self.set("analysis-status", "completed");
        self.set("pipeline-version", version);
        self.set("is-private", false);
        self.set("last-update", context.study.updated_at.as_deref().map(naive_time));
        self.set("mgx-accession", Value::Null);
        self.set("complete-time", Value::Null);
        self.set("instrument-platform", self.member("@instrument_platform"));
        self.set("instrument-model", self.member("@instrument_model"));
        self.link(&["antismash-gene-clusters"]);
        self.link_to_one("assembly", ASSEMBLIES, self.text("assembly"));
        self.link(&["go-terms"]);
        self.link_to_one("study", STUDIES, self.text("study_accession"));
        self.link(&["interpro-identifiers", "taxonomy-lsu"]);
        self.link_to_one("run", RUNS, self.text("run"));
        self.link(&["taxonomy-itsonedb", "go-slim", "genome-properties", "taxonomy"]);
        self.link_to_one("sample", SAMPLES, context.sample.clone());
        self.link(&["downloads", "taxonomy-itsunite", "taxonomy-ssu"]);
    }

    fn publication(&mut self, context: &Context) {
        self.copy(&["pubmed-id"]);
        self.set("pubmed-central-id", self.metadata("pubmed_central_id"));
        self.set("pub-title", self.member("title"));
        self.set("pub-abstract", Value::Null);
        self.set("authors", self.metadata("authors"));
        self.set("doi", self.metadata("doi"));
        self.set("isbn", self.metadata("isbn"));
        self.copy(&["published-year"]);
        self.set("pub-type", self.metadata("pub_type"));
        self.set("issue", Value::Null);
        self.set("volume", self.metadata("volume"));
        self.set("raw-pages", Value::Null);
        self.set("iso-journal", self.metadata("iso_journal"));
        self.set("medline-journal", Value::Null);
        self.set("pub-url", Value::Null);
        self.set("studies-count", context.studies.len());
        self.set("samples-count", context.num_samples);
        self.link(&["studies", "samples"]);
    }

    fn super_study(&mut self, context: &Context) {
        self.set("super-study-id", context.rank);
        self.copy(&["title"]);
        self.set("url-slug", self.member("slug"));
        self.copy(&["description"]);
        self.set("biomes-count", 0);
        self.set("image-url", self.text("logo_url").unwrap_or_default());
        self.link(&["biomes", "flagship-studies", "related-studies", "related-genome-catalogues"]);
    }

    fn genome(&mut self) {
        let digits = self.id.strip_prefix("MGYG").and_then(|digits| digits.parse::<u64>().ok());
        self.set("genome-id", digits);
        for name in super::kind::members(GENOMES) {
            if !["updated_at", "catalogue_id", "biome", "downloads"].contains(name) {
                self.set(&name.replace('_', "-"), self.member(name));
            }
        }
        let kind = self.text("type").map(|kind| kind.to_lowercase());
        self.set("type", kind);
        self.set_time("last-update");
        self.set_time("first-created");
        self.set("ncbi-sample-accession", Value::Null);
        self.set("busco-completeness", Value::Null);
        self.link_to_one("biome", BIOMES, self.lineage());
        self.link_to_one("catalogue", GENOME_CATALOGUES, self.text("catalogue_id"));
        self.link(&["downloads"]);
        for (relation, path) in [
            ("cog-matches", "cogs"),
            ("kegg-class-matches", "kegg-class"),
            ("kegg-modules-matches", "kegg-module"),
            ("antismash-geneclusters", "antismash-genecluster"),
        ] {
            self.relate(relation, json!({"links": {"related": self.related(path)}}));
        }
    }

    fn catalogue(&mut self) {
        for name in super::kind::members(GENOME_CATALOGUES) {
            if !["catalogue_id", "status", "updated_at", "biome", "downloads", "result_directory"].contains(name) {
                self.set(&name.replace('_', "-"), self.member(name));
            }
        }
        self.set_time("last-update");
        self.link_to_one("biome", BIOMES, self.lineage());
        self.link(&["genomes", "downloads"]);
    }
}

/// Returns the members of a relationship.
fn members(kind: &str, ids: &[String]) -> Vec<Value> {
    let ids = ids.iter().filter(|id| is_id(id));
    ids.map(|id| json!({"type": kind, "id": id, "links": {"self": url(kind, id)}})).collect()
}

/// Returns the row of an experiment type that some runs have.
pub(super) fn experiment_type_row(name: &str, num_runs: u64) -> Resource {
    let own = url(EXPERIMENT_TYPES, name);
    let related = |relation: &str| json!({"links": {"related": format!("{own}/{relation}")}});
    let row = json!({
        "type": EXPERIMENT_TYPES, "id": name,
        "attributes": {"samples-count": null, "runs-count": num_runs, "experiment-type": name},
        "relationships": {"runs": related("runs"), "samples": related("samples"), "analyses": related("analyses")},
        "links": {"self": own},
    });
    Resource::parse(&row.to_string()).expect("an experiment type is a resource")
}
