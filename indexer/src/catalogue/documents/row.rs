//! The resource of version 1 for a document of version 2.

use serde_json::{Value, json};
use store::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, GENOME_CATALOGUES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES,
    document_members,
};

use super::metadata::{self, is_empty, text};
use super::words::{experiment_type, is_ena, naive_time, pipeline};
use crate::catalogue::resource::{Members, Resource};

const BASE: &str = "{base_url}/metagenomics/api/v1";

/// What other documents tell of a resource.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// Of a sample or a publication: the studies that it is of.
    pub(super) studies: Vec<String>,
    /// Of an assembly: all its runs.
    pub(super) runs: Vec<String>,
    /// Of a study or a publication: its samples.
    pub(super) num_samples: u64,
    /// Of a super-study: its place among them by slug, 1-based.
    pub(super) rank: u64,
}

/// The other documents of a harvest.
pub(super) trait Others {
    /// Returns the id of the sample with an accession.
    fn sample(&self, accession: &str) -> String;

    /// Returns the document of a study, if it came.
    fn study(&self, accession: &str) -> Option<Members>;
}

/// Returns the resource of a type for a document.
pub(super) fn resource(kind: &str, id: &str, document: &Members, context: &Context, others: &impl Others) -> Resource {
    let mut row = Row { kind, id, document, attributes: Members::new(), relationships: Members::new() };
    let mut linked = Vec::new();
    match kind {
        BIOMES => row.biome(),
        STUDIES => row.study(context),
        SAMPLES => row.sample(context),
        RUNS => row.run(others),
        ASSEMBLIES => row.assembly(context, others),
        ANALYSIS_JOBS => row.analysis(others),
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
                linked.extend(row.texts(member).map(|id| (relation.to_owned(), kind.to_owned(), id)));
            }
        }
        GENOMES => row.genome(),
        GENOME_CATALOGUES => row.catalogue(),
        _ => return Resource { kind: kind.to_owned(), id: id.to_owned(), ..Resource::default() },
    }
    let links = json!({"self": format!("{BASE}/{}/{id}", path(kind))});
    let Row { attributes, relationships, .. } = row;
    let mut resource = Resource {
        kind: kind.to_owned(),
        id: id.to_owned(),
        attributes: Some(attributes),
        relationships: Some(relationships),
        links: links.as_object().cloned(),
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

fn path(kind: &str) -> &str {
    store::model::ResourceType::rules_of(kind).path
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

    fn texts(&self, name: &str) -> impl Iterator<Item = String> {
        let items = self.document.get(name).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(|item| item.as_str().map(str::to_owned))
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
        format!("{BASE}/{}/{}/{relation}", path(self.kind), self.id).into()
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
        let relationship = id.map_or(json!({"data": null}), |id| {
            let related = format!("{BASE}/{}/{id}", path(kind));
            json!({"data": {"type": kind, "id": id}, "links": {"related": related}})
        });
        self.relate(relation, relationship);
    }

    fn link_to_all(&mut self, relation: &str, kind: &str, ids: impl Iterator<Item = String>) {
        let member = |id| json!({"type": kind, "id": id, "links": {"self": format!("{BASE}/{}/{id}", path(kind))}});
        let members: Vec<Value> = ids.map(member).collect();
        let related = self.related(relation);
        self.relate(relation, json!({"links": {"related": related}, "data": members}));
    }

    fn lineage(&self) -> Option<String> {
        self.document.get("biome")?.get("lineage")?.as_str().map(str::to_owned)
    }

    fn biome(&mut self) {
        self.set("samples-count", Value::Null);
        self.copy(&["biome-name", "lineage"]);
        self.link(&["samples", "studies", "children", "genomes"]);
    }

    fn study(&mut self, context: &Context) {
        let first = |is_it: &dyn Fn(&str) -> bool| self.texts("ena_accessions").find(|text| is_it(text));
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
        let lineage = self.lineage();
        self.link_to_all("biomes", BIOMES, lineage.into_iter());
        self.link(&["downloads", "publications", "geocoordinates", "analyses"]);
    }

    fn sample(&mut self, context: &Context) {
        let number = |value: &Value| text(value).trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let date = text(&self.metadata("collection_date"));
        let biosample = self.texts("ena_accessions").chain(self.text("accession")).find(|it| it.starts_with("SAM"));
        self.set("longitude", number(&self.metadata("lon")));
        self.set("biosample", biosample.unwrap_or_default());
        self.set("latitude", number(&self.metadata("lat")));
        let entries = self.document.get("metadata").and_then(Value::as_object).map(metadata::entries);
        self.set("sample-metadata", entries.unwrap_or_default());
        self.set("accession", self.id);
        self.set("analysis-completed", Value::Null);
        self.set("collection-date", Some(date).filter(|date| crate::catalogue::date::is_date(date)));
        self.set("geo-loc-name", self.metadata_text(&["country"]));
        self.set("sample-desc", self.metadata_text(&["sample_description"]));
        self.set("environment-biome", self.metadata_text(&["environment_biome", "broad_scale_environmental_context"]));
        self.set("environment-feature", self.metadata_text(&["environment_feature", "local_environmental_context"]));
        self.set("environment-material", self.metadata_text(&["environment_material", "environmental_medium"]));
        self.set("sample-name", self.member("sample_title"));
        self.set("sample-alias", self.metadata_text(&["sample_alias"]));
        let host = text(&self.metadata("host_tax_id")).parse::<u64>().ok();
        self.set("host-tax-id", host);
        self.set("species", self.metadata_text(&["host_scientific_name", "scientific_name"]));
        self.set_time("last-update");
        self.link_to_all("studies", STUDIES, context.studies.iter().cloned());
        self.link(&["runs"]);
        self.link_to_one("biome", BIOMES, self.lineage());
    }

    fn run(&mut self, others: &impl Others) {
        self.experiment();
        self.set("is-private", false);
        self.set("accession", self.id);
        self.set("secondary-accession", self.id);
        let study = self.text("study_accession").and_then(|study| others.study(&study));
        let accessions = study.as_ref().and_then(|study| study.get("ena_accessions")?.as_array());
        let of_study = accessions.into_iter().flatten().find(|it| it.as_str().is_some_and(|it| is_ena(it, "RP", 1)));
        self.set("ena-study-accession", of_study.cloned());
        self.copy(&["instrument-platform", "instrument-model"]);
        self.link_to_one("study", STUDIES, self.text("study_accession"));
        self.link(&["assemblies"]);
        let own = self.text("@sample").or_else(|| self.text("sample_accession"));
        self.link_to_one("sample", SAMPLES, own.map(|accession| others.sample(&accession)));
        self.link(&["analyses", "extra-annotations"]);
    }

    fn assembly(&mut self, context: &Context, others: &impl Others) {
        self.set("experiment-type", "assembly");
        self.set("is-private", false);
        self.set("accession", self.id);
        self.set("wgs-accession", Value::Null);
        self.set("legacy-accession", Value::Null);
        #[expect(clippy::cast_possible_truncation, reason = "a coverage is far below 2^63")]
        let coverage = self.metadata("coverage").as_f64().map(|coverage| coverage.round() as i64);
        self.set("coverage", coverage);
        self.set("min-gap-length", Value::Null);
        let own = self.text("sample_accession").map(|accession| others.sample(&accession));
        self.link_to_all("samples", SAMPLES, own.into_iter());
        self.link_to_all("runs", RUNS, context.runs.iter().cloned());
        self.link(&["extra-annotations", "analyses"]);
    }

    fn analysis(&mut self, others: &impl Others) {
        let version = self.text("pipeline_version").map(|version| pipeline(&version));
        self.set("analysis-summary", Value::Null);
        self.set("accession", self.id);
        self.experiment();
        self.set("analysis-status", "completed");
        self.set("pipeline-version", version);
        self.set("is-private", false);
        let study = self.text("study_accession").and_then(|study| others.study(&study));
        let time = study.as_ref().and_then(|study| study.get("updated_at")?.as_str()).map(naive_time);
        self.set("last-update", time);
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
        self.link_to_one("sample", SAMPLES, self.text("sample").map(|accession| others.sample(&accession)));
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
        for name in document_members(GENOMES) {
            if !["updated_at", "catalogue_id", "biome", "downloads"].contains(name) {
                self.set(&name.replace('_', "-"), self.member(name));
            }
        }
        self.set_time("last-update");
        self.set_time("first-created");
        self.link_to_one("biome", BIOMES, self.lineage());
        self.link_to_one("catalogue", GENOME_CATALOGUES, self.text("catalogue_id"));
        self.link(&["downloads", "cogs", "kegg-class", "kegg-module", "antismash-genecluster"]);
    }

    fn catalogue(&mut self) {
        for name in document_members(GENOME_CATALOGUES) {
            if !["catalogue_id", "status", "updated_at", "biome", "downloads", "result_directory"].contains(name) {
                self.set(&name.replace('_', "-"), self.member(name));
            }
        }
        self.set_time("last-update");
        self.link_to_one("biome", BIOMES, self.lineage());
        self.link(&["genomes", "downloads"]);
    }
}

/// Returns the rows of experiment types, and how many runs each has.
pub(super) fn experiment_type_row(name: &str, num_runs: u64) -> Resource {
    let own = format!("{BASE}/experiment-types/{name}");
    let related = |relation: &str| json!({"links": {"related": format!("{own}/{relation}")}});
    let row = json!({
        "type": "experiment-types", "id": name,
        "attributes": {"samples-count": null, "runs-count": num_runs, "experiment-type": name},
        "relationships": {"runs": related("runs"), "samples": related("samples"), "analyses": related("analyses")},
        "links": {"self": own},
    });
    Resource::parse(&row.to_string()).expect("an experiment type is a resource")
}
