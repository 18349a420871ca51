//! Documents in answers, with other resources embedded in place of their accessions.

use std::borrow::Cow;

use api_http::SourceError;
use api_http::limits::Permit;
use serde::Deserialize;
use serde_json::Value;
use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, GENOME_CATALOGUES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES,
};
use store_catalogue::{Document, LinkStyle, Order, Ordinal, ResourceBody, ResourceBodyWriter};

use super::kinds::Kind;
use super::list_request::{Fields, List};
use crate::relations::linked;
use crate::render::raw_object::RawObject;
use crate::render::resource::Resource;
use crate::snapshot::{Form, Snapshot};

/// The bytes of items whose memory was reserved before; a page of items of ordinary size is
/// shorter.
const RESERVED_BYTES: usize = 1 << 20;

/// An accession in a stored document, or a list of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Accessions<'a> {
    One(#[serde(borrow)] Cow<'a, str>),
    Many(Vec<Cow<'a, str>>),
}

/// Returns the type of the resources that a member of documents embeds.
fn embedded_type(resource_type: &str, member: &str) -> Option<&'static str> {
    match (resource_type, member) {
        (ANALYSIS_JOBS, "run" | "read_run") => Some(RUNS),
        (ANALYSIS_JOBS, "sample") => Some(SAMPLES),
        (ANALYSIS_JOBS, "assembly") => Some(ASSEMBLIES),
        (SUPER_STUDIES, "flagship_studies" | "related_studies") => Some(STUDIES),
        (SUPER_STUDIES, "genome_catalogues") => Some(GENOME_CATALOGUES),
        _ => None,
    }
}

/// Returns the document of a resource. All resources of version 2 have one.
pub(super) fn document(body: &ResourceBody) -> Result<&Document, SourceError> {
    body.document().ok_or_else(|| SourceError::Fault("a stored resource has no document".into()))
}

/// Returns the members of the document of a resource that any answer shows.
pub(super) fn shown(body: &ResourceBody) -> Result<Value, SourceError> {
    Ok(serde_json::from_slice(&[document(body)?.shown(), b"}"].concat()).map_err(Box::from)?)
}

/// Writes resources as items of a list, separated by commas.
pub(super) fn write_items(
    snapshot: &Snapshot,
    list: List,
    fields: &Fields,
    ordinals: &[Ordinal],
    json: &mut Vec<u8>,
) -> Result<(), SourceError> {
    let (bodies, mut reserved) = (snapshot.resources(ordinals)?, RESERVED_BYTES);
    json.reserve(bodies.iter().filter_map(|body| body.document()).map(|document| document.json().len()).sum());
    for (position, (&ordinal, body)) in ordinals.iter().zip(&bodies).enumerate() {
        if position > 0 {
            json.push(b',');
        }
        write_item(snapshot, list, fields, ordinal, body, json)?;
        // Embedded documents may be longer than the documents that embed them.
        if json.len() > reserved {
            if !Permit::take_memory(json.len()) {
                return Err(SourceError::Overloaded);
            }
            reserved = 2 * json.len();
        }
    }
    Ok(())
}

/// Writes a resource as an item of a list.
pub(super) fn write_item(
    snapshot: &Snapshot,
    list: List,
    fields: &Fields,
    ordinal: Ordinal,
    body: &ResourceBody,
    json: &mut Vec<u8>,
) -> Result<(), SourceError> {
    let (resource_type, open) = (list.kind.resource_type, part(document(body)?, list.is_whole));
    if !fields.is_all() {
        json.extend(expanded(snapshot, resource_type, open, fields)?);
    } else if resource_type == ANALYSIS_JOBS {
        let form = if list.is_whole { Form::WithEmbedded } else { Form::ListedWithEmbedded };
        let expand = |_: &ResourceBody| expanded(snapshot, resource_type, open, fields).map(|json| body_of(&json));
        json.extend_from_slice(snapshot.completed(ordinal, form as u8, expand)?.json());
    } else {
        json.extend_from_slice(open);
        json.push(b'}');
    }
    Ok(())
}

fn body_of(json: &[u8]) -> ResourceBody {
    let mut writer = ResourceBodyWriter::default();
    writer.json(json);
    writer.finish()
}

fn part(document: &Document, is_whole: bool) -> &[u8] {
    if is_whole { document.shown() } else { document.listed() }
}

/// Returns the requested members of an object, with resources in place of accessions. `open` lacks
/// the closing brace, which is added.
fn expanded(snapshot: &Snapshot, resource_type: &str, open: &[u8], fields: &Fields) -> Result<Vec<u8>, SourceError> {
    let closed = [open, b"}"].concat();
    let mut object = RawObject::parse(&closed).map_err(Box::from)?;
    object.retain(|name| fields.contains(name));
    let mut json = b"{".to_vec();
    for (position, (name, value)) in object.iter().enumerate() {
        if position > 0 {
            json.push(b',');
        }
        serde_json::to_writer(&mut json, name).map_err(Box::from)?;
        json.push(b':');
        let embedded = embedded_type(resource_type, name);
        match embedded.and_then(|embedded| Some((embedded, serde_json::from_str(value).ok()?))) {
            Some((embedded, Accessions::One(accession))) => write_one(snapshot, embedded, &accession, &mut json)?,
            Some((embedded, Accessions::Many(accessions))) => {
                let found = accessions.iter().map(|accession| snapshot.find(embedded, accession));
                let found = found.collect::<Result<Vec<_>, _>>()?;
                write_list(snapshot, &found.into_iter().flatten().collect::<Vec<_>>(), &mut json)?;
            }
            None => json.extend_from_slice(value.as_bytes()),
        }
    }
    json.push(b'}');
    Ok(json)
}

/// Writes an embedded resource, or null if it was not loaded.
fn write_one(snapshot: &Snapshot, resource_type: &str, id: &str, json: &mut Vec<u8>) -> Result<(), SourceError> {
    if let Some(ordinal) = snapshot.find(resource_type, id)? {
        return write_embedded(&*snapshot.resource(ordinal)?, json);
    }
    json.extend_from_slice(b"null");
    Ok(())
}

fn write_list(snapshot: &Snapshot, ordinals: &[Ordinal], json: &mut Vec<u8>) -> Result<(), SourceError> {
    snapshot.take_memory(ordinals.len())?;
    json.push(b'[');
    for (position, body) in snapshot.resources(ordinals)?.iter().enumerate() {
        if position > 0 {
            json.push(b',');
        }
        write_embedded(body, json)?;
    }
    json.push(b']');
    Ok(())
}

fn write_embedded(body: &ResourceBody, json: &mut Vec<u8>) -> Result<(), SourceError> {
    json.extend_from_slice(document(body)?.listed());
    json.push(b'}');
    Ok(())
}

/// Returns a resource in the form of its detail.
pub(super) fn detail(snapshot: &Snapshot, kind: &Kind, body: &ResourceBody) -> Result<Vec<u8>, SourceError> {
    let shown = document(body)?.shown();
    let mut json = match kind.resource_type {
        ANALYSIS_JOBS | SUPER_STUDIES => {
            return expanded(snapshot, kind.resource_type, shown, &Fields::default());
        }
        _ => shown.to_vec(),
    };
    let resource = Resource::render(body, &LinkStyle::default())?;
    let mut write_named = |member: &str, relation: &str, resource_type: &str| {
        json.extend_from_slice(format!(",\"{member}\":").as_bytes());
        let named = resource.named(relation, resource_type).map_err(Box::from)?;
        // No resource has an empty id.
        write_one(snapshot, resource_type, named.first().map_or("", String::as_str), &mut json)
    };
    match kind.resource_type {
        RUNS => {
            write_named("sample", "sample", SAMPLES)?;
            write_named("study", "study", STUDIES)?;
        }
        GENOMES => write_named("catalogue", "catalogue", GENOME_CATALOGUES)?,
        SAMPLES | PUBLICATIONS => {
            let condition = linked::condition(&resource, STUDIES, STUDIES).map_err(Box::from)?;
            let by_accession = Order { field: "accession".to_owned(), is_descending: false };
            let studies = snapshot.select(STUDIES, vec![condition], vec![by_accession])?;
            json.extend_from_slice(b",\"studies\":");
            write_list(snapshot, &studies.ordinals(0..studies.len()), &mut json)?;
        }
        _ => {}
    }
    json.push(b'}');
    Ok(json)
}
