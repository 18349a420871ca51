//! Answers about parts of a resource: annotations, and genomes of assemblies.

use api_http::SourceError;
use api_http::limits::Permit;
use axum::response::Response;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use store_catalogue::model::{
    ANALYSIS_ANNOTATIONS, ANALYSIS_JOBS, ASSEMBLIES, GENOME_ANNOTATIONS, GENOMES, PUBLICATION_ANNOTATIONS, PUBLICATIONS,
};

use super::details::{check_catalogue, find, respond_with_fields};
use super::kinds::Kind;
use super::lists::{answer_parts, respond};
use super::refusal::{NOT_FOUND, Refusal};
use super::values::not_a_choice;
use super::{Context, documents};
use crate::render::raw_object::RawObject;

/// The types of annotations with lists of their own.
pub const ANNOTATION_TYPES: [&str; 8] = [
    "taxonomies__ssu",
    "taxonomies__lsu",
    "taxonomies__its_one_db",
    "taxonomies__unite",
    "taxonomies__pr2",
    "taxonomies__dada2_pr2",
    "taxonomies__dada2_silva",
    "pfams",
];

/// The copies of a part in memory while an answer is made: stored, as values, and in the answer.
const COPIES: usize = 4;

/// Reads the part of a resource that is stored as a hidden type, and reserves memory for it.
fn read_part(context: &Context, hidden_type: &str, id: &str) -> Result<Option<Vec<u8>>, Refusal> {
    let Some(ordinal) = context.snapshot.find(hidden_type, id)? else { return Ok(None) };
    let body = context.snapshot.resource(ordinal)?;
    let json = documents::document(&body)?.json();
    if !Permit::take_memory(json.len() * COPIES) {
        return Err(SourceError::Overloaded.into());
    }
    Ok(Some(json.to_vec()))
}

/// Reads a member of the part of a resource that is stored as a hidden type.
fn read_member(context: &Context, hidden_type: &str, id: &str, member: &str) -> Result<Option<Box<RawValue>>, Refusal> {
    let Some(json) = read_part(context, hidden_type, id)? else { return Ok(None) };
    Ok(RawObject::parse(&json)?.get(member).map(ToOwned::to_owned))
}

/// Answers with an analysis and its annotations.
pub(super) fn annotations(context: &Context, id: &str) -> Result<Response, Refusal> {
    let kind = Kind::of(ANALYSIS_JOBS);
    let body = find(context, kind, id)?;
    let mut json = documents::detail(&context.snapshot, kind, &body)?;
    let annotations = read_member(context, ANALYSIS_ANNOTATIONS, id, "annotations")?;
    let none = r#"{"pfams":[],"interpros":[],"taxonomies":[]}"#;
    json.pop();
    json.extend_from_slice(b",\"annotations\":");
    json.extend_from_slice(annotations.as_deref().map_or(none, RawValue::get).as_bytes());
    json.push(b'}');
    respond_with_fields(context, json)
}

/// An item of a list of annotations.
#[derive(Deserialize)]
struct Annotation<'a> {
    #[serde(borrow, default)]
    count: Option<&'a RawValue>,
    #[serde(borrow, default)]
    description: Option<&'a RawValue>,
    #[serde(borrow, default)]
    organism: Option<&'a RawValue>,
}

impl Annotation<'_> {
    fn json(&self) -> String {
        let text = |value: Option<&RawValue>| value.map_or("null", RawValue::get).to_owned();
        let (count, description, organism) = (text(self.count), text(self.description), text(self.organism));
        format!(r#"{{"count":{count},"description":{description},"organism":{organism}}}"#)
    }
}

/// Answers with a page of the annotations of a type that an analysis has.
pub(super) fn annotations_of_type(context: &Context, id: &str, name: &str) -> Result<Response, Refusal> {
    if !ANNOTATION_TYPES.contains(&name) {
        return Err(Refusal::Invalid(vec![not_a_choice("enum", ["path", "annotation_type"], &ANNOTATION_TYPES)]));
    }
    find(context, Kind::of(ANALYSIS_JOBS), id)?;
    let json = read_part(context, ANALYSIS_ANNOTATIONS, id)?.unwrap_or_else(|| b"{}".to_vec());
    let part = RawObject::parse(&json)?;
    let annotations = part.object("annotations");
    let taxonomies = annotations.object("taxonomies");
    let items = match name.strip_prefix("taxonomies__") {
        Some(taxonomy) => taxonomies.items(taxonomy),
        None => annotations.items(name),
    };
    // Any JSON may have been loaded: items that are not annotations are left out.
    let items: Vec<Annotation<'_>> = items.iter().filter_map(|item| serde_json::from_str(item.get()).ok()).collect();
    answer_parts(context, &items.iter().map(Annotation::json).collect::<Vec<_>>())
}

/// Answers with the annotations of a genome.
pub(super) fn genome_annotations(context: &Context, id: &str) -> Result<Response, Refusal> {
    let kind = Kind::of(GENOMES);
    check_catalogue(context, kind, &*find(context, kind, id)?)?;
    let annotations = read_member(context, GENOME_ANNOTATIONS, id, "annotations")?;
    let none = json!({"cog_categories": [], "kegg_classes": [], "kegg_modules": [], "antismash_gene_clusters": []});
    let annotations = annotations.map_or_else(|| none.to_string(), |annotations| annotations.get().to_owned());
    Ok(respond(format!("{{\"accession\":{},\"annotations\":{annotations}}}", Value::from(id)).into_bytes()))
}

/// Answers with the annotations of a publication by Europe PMC.
pub(super) fn publication_annotations(context: &Context, id: &str) -> Result<Response, Refusal> {
    let body = find(context, Kind::of(PUBLICATIONS), id)?;
    let (_, id) = body.key().unwrap_or_default();
    let none = || Refusal::NotFound(NOT_FOUND.to_owned());
    let json = read_part(context, PUBLICATION_ANNOTATIONS, &id)?.ok_or_else(none)?;
    let mut annotations = RawObject::parse(&json)?;
    annotations.retain(|name| name != "pubmed_id");
    Ok(respond(serde_json::to_vec(&annotations)?))
}

/// Answers with a page of the part of an assembly that is stored as a hidden type.
pub(super) fn items(context: &Context, hidden_type: &str, id: &str) -> Result<Response, Refusal> {
    let body = find(context, Kind::of(ASSEMBLIES), id)?;
    let (_, id) = body.key().unwrap_or_default();
    let json = read_part(context, hidden_type, &id)?.unwrap_or_else(|| b"{}".to_vec());
    answer_parts(context, &RawObject::parse(&json)?.items("items").into_iter().map(RawValue::get).collect::<Vec<_>>())
}
