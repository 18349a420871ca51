//! Single resources.

use std::sync::Arc;

use axum::response::Response;
use serde_json::{Value, json};
use store_catalogue::ResourceBody;
use store_catalogue::model::{GENOMES, ResourceType, STUDIES};

use super::kinds::{Id, Kind};
use super::list_request::Fields;
use super::lists::respond;
use super::refusal::Refusal;
use super::values::{integer, not_an_integer};
use super::{Context, documents};
use crate::render::raw_object::RawObject;

/// Finds a resource by an id in the form of its kind.
pub(super) fn find(context: &Context, kind: &Kind, id: &str) -> Result<Arc<ResourceBody>, Refusal> {
    let mut id = id.to_owned();
    if kind.id == Id::Number {
        id = integer(&id).ok_or_else(|| Refusal::Invalid(vec![not_an_integer("path", "pubmed_id")]))?;
    }
    let unknown = || Refusal::NotFound(kind.unknown.replace("{}", &id));
    let ordinal = context.snapshot.find(kind.resource_type, &id)?.ok_or_else(unknown)?;
    let body = context.snapshot.resource(ordinal)?;
    if matches!(kind.id, Id::Key(_)) && key(kind, &body)?.as_deref() != Some(&id) {
        return Err(unknown());
    }
    Ok(body)
}

/// Returns the key of a document.
fn key(kind: &Kind, body: &ResourceBody) -> Result<Option<String>, Refusal> {
    let document = RawObject::parse(documents::document(body)?.json())?;
    let key = document.get(ResourceType::rules_of(kind.resource_type).document_key);
    Ok(key.and_then(|key| serde_json::from_str(key.get()).ok()))
}

pub(super) fn answer(context: &Context, kind: &Kind, id: &str) -> Result<Response, Refusal> {
    let body = find(context, kind, id)?;
    if kind.resource_type == GENOMES {
        check_catalogue(context, kind, &body)?;
    }
    let json = documents::detail(&context.snapshot, kind, &body)?;
    respond_with_fields(context, json)
}

/// Answers with an object, with only the requested members.
pub(super) fn respond_with_fields(context: &Context, json: Vec<u8>) -> Result<Response, Refusal> {
    let fields = Fields::of(&context.query);
    if fields.is_all() {
        return Ok(respond(json));
    }
    let mut object = RawObject::parse(&json)?;
    object.retain(|name| fields.contains(name));
    Ok(respond(serde_json::to_vec(&object)?))
}

/// Refuses a genome that is not in the requested catalogue.
pub(super) fn check_catalogue(context: &Context, kind: &Kind, genome: &ResourceBody) -> Result<(), Refusal> {
    let Some(wanted) = context.query.filled("catalogue_id") else { return Ok(()) };
    let document: Value = serde_json::from_slice(documents::document(genome)?.json())?;
    if document["catalogue_id"] == wanted { Ok(()) } else { Err(Refusal::NotFound(kind.unknown.to_owned())) }
}

/// Answers with the accession of a study, given its accession in the European Nucleotide Archive.
pub(super) fn study_of(context: &Context, accession: &str) -> Result<Response, Refusal> {
    let unknown = || Refusal::NotFound(format!("Study with ena_accessions__contains = ['{accession}']  was not found"));
    let ordinal = context.snapshot.find(STUDIES, accession)?.ok_or_else(unknown)?;
    let body = context.snapshot.resource(ordinal)?;
    let document: Value = serde_json::from_slice(documents::document(&body)?.json())?;
    let accessions = document["ena_accessions"].as_array();
    if !accessions.is_some_and(|accessions| accessions.iter().any(|known| known == accession)) {
        return Err(unknown());
    }
    Ok(respond(serde_json::to_vec(&json!({"accession": document["accession"]}))?))
}
