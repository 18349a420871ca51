//! The attributes and relationships of each type.

use serde_json::{Value, json};
use store_catalogue::Period;
use store_catalogue::model::{ASSEMBLIES, BIOMES, GENOME_CATALOGUES, PIPELINES, RUNS, SAMPLES, STUDIES, pipeline};

use super::{Row, members};
use crate::merge::documents::context::Context;
use crate::merge::documents::metadata::{self, text};
use crate::merge::documents::times::naive_time;
use crate::read::objects::{is_ena, texts};
use crate::read::{LATITUDE, LONGITUDE, both_degrees, degrees};

impl Row<'_> {
    fn lineage(&self) -> Option<String> {
        self.document.get("biome")?.get("lineage")?.as_str().map(str::to_owned)
    }

    pub(super) fn biome(&mut self, context: &Context) {
        self.set("samples-count", context.num_samples);
        self.copy(&["biome-name", "lineage"]);
        self.link(&["samples", "studies", "children", "genomes"]);
    }

    pub(super) fn study(&mut self, context: &Context) {
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

    pub(super) fn sample(&mut self, context: &Context) {
        let place = ["lat_lon", "location"].into_iter().find_map(|name| both_degrees(&text(&self.metadata(name))));
        let number = |name: &str| text(&self.metadata(name)).trim().parse::<f64>().ok().filter(|it| it.is_finite());
        let read = |name: &str, axis| number(name).or_else(|| degrees(&text(&self.metadata(name)), axis));
        let latitude = read("lat", LATITUDE).or(place.map(|(latitude, _)| latitude));
        let longitude = read("lon", LONGITUDE).or(place.map(|(_, longitude)| longitude));
        let date = Some(text(&self.metadata("collection_date")))
            .filter(|date| Period::parse(date).is_some_and(|period| period.canonical() == *date));
        let host = text(&self.metadata("host_tax_id")).trim().parse::<u64>().ok();
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

    pub(super) fn run(&mut self, context: &Context) {
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

    pub(super) fn assembly(&mut self, context: &Context) {
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

    pub(super) fn analysis(&mut self, context: &Context) {
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

    pub(super) fn publication(&mut self, context: &Context) {
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

    pub(super) fn super_study(&mut self, context: &Context) {
        self.set("super-study-id", context.rank);
        self.copy(&["title"]);
        self.set("url-slug", self.member("slug"));
        self.copy(&["description"]);
        self.set("biomes-count", 0);
        self.set("image-url", self.text("logo_url").unwrap_or_default());
        self.link(&["biomes", "flagship-studies", "related-studies", "related-genome-catalogues"]);
    }

    pub(super) fn genome(&mut self) {
        let digits = self.id.strip_prefix("MGYG").and_then(|digits| digits.parse::<u64>().ok());
        self.set("genome-id", digits);
        self.copy_all_but(&["updated_at", "catalogue_id", "biome", "downloads"]);
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

    pub(super) fn catalogue(&mut self) {
        self.copy_all_but(&["catalogue_id", "status", "updated_at", "biome", "downloads", "result_directory"]);
        self.set_time("last-update");
        self.link_to_one("biome", BIOMES, self.lineage());
        self.link(&["genomes", "downloads"]);
    }
}
