//! The resource of version 1 for a document of version 2.

mod types;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, EXPERIMENT_TYPES, GENOME_CATALOGUES, GENOMES, PUBLICATIONS, RUNS, SAMPLES,
    STUDIES, SUPER_STUDIES, document_members, experiment_type,
};

use super::context::Context;
use super::metadata::{is_empty, text};
use super::times::naive_time;
use crate::read::objects::{is_id, texts};
use crate::read::{Members, Resource};

const BASE: &str = "{base_url}/metagenomics/api/v1";

/// All characters but those that real links have unescaped in a path segment.
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
            linked = linked_studies(context.studies.clone());
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

/// Returns the attributes that a document lacks, or that only several documents together give: a
/// row has better values.
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
    let path = store_catalogue::model::ResourceType::rules_of(kind).path;
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

    /// Sets an attribute for each member that documents of the type may have, with some exceptions.
    fn copy_all_but(&mut self, exceptions: &[&str]) {
        for name in document_members(self.kind).iter().filter(|name| !exceptions.contains(name)) {
            self.set(&name.replace('_', "-"), self.member(name));
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
}

/// Returns references to the members of a relationship.
pub(super) fn members(kind: &str, ids: &[String]) -> Vec<Value> {
    let ids = ids.iter().filter(|id| is_id(id));
    ids.map(|id| json!({"type": kind, "id": id, "links": {"self": url(kind, id)}})).collect()
}

/// Returns the references of a resource to its related studies.
pub(super) fn linked_studies(studies: Vec<String>) -> Vec<(String, String, String)> {
    studies.into_iter().map(|id| ("studies".to_owned(), STUDIES.to_owned(), id)).collect()
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
