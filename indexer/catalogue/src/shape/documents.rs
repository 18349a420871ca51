//! The documents of version 2 that are stored with resources.

use std::borrow::Cow;

use serde_json::Value;
use store_catalogue::Document;
use store_catalogue::model::{
    BIOME_REPEATS, BIOMES, DOCUMENT_LINEAGE, GENOMES, SAMPLES, STUDIES, document_members, num_listed_members,
};

use crate::merge::derived;
use crate::read::{Members, Resource};

/// Returns the document of a resource, and whether it was loaded rather than derived from the row.
pub(crate) fn document_of(resource: &Resource) -> Option<(Cow<'_, Members>, bool)> {
    let loaded = resource.document.as_ref().map(|document| (Cow::Borrowed(document), true));
    loaded.or_else(|| Some((Cow::Owned(derived(resource)?), false)))
}

/// Returns a document as it is stored: the members of its type first, if it has one.
pub(super) fn stored_document(kind: &str, document: &Members, is_loaded: bool) -> Document {
    let names = document_members(kind);
    let is_known = |name: &&String| names.is_empty() || names.contains(&name.as_str());
    let (known, others): (Vec<_>, Vec<_>) = document.keys().partition(is_known);
    let num_listed = if names.is_empty() { known.len() } else { num_listed_members(kind) };
    let (mut json, mut lengths) = (b"{".to_vec(), [1, 1]);
    for (position, name) in known.iter().chain(&others).enumerate() {
        json.extend_from_slice(if position > 0 { b"," } else { b"" });
        json.extend_from_slice(format!("{}:{}", Value::from(name.as_str()), document[name.as_str()]).as_bytes());
        for (length, num_members) in lengths.iter_mut().zip([num_listed.min(known.len()), known.len()]) {
            if position < num_members {
                *length = json.len();
            }
        }
    }
    json.push(b'}');
    Document::new(json, lengths, is_loaded)
}

/// Returns the attributes that only version 2 searches.
pub(super) fn document_attributes(kind: &str, document: &Members) -> Vec<(String, String)> {
    let mut attributes = Vec::new();
    let mut add = |name: &str, value: String| attributes.push((name.to_owned(), value));
    if [STUDIES, SAMPLES].contains(&kind) {
        let elements: Vec<String> = accessions(document).map(array_element).collect();
        add("@ena", format!("{{{}}}", elements.join(",")));
    }
    if let Some(pipelines) = document.get("@pipelines").and_then(Value::as_array) {
        let all = pipelines.iter().filter_map(Value::as_str);
        all.chain(pipelines.is_empty().then_some("none")).for_each(|name| add("@pipeline", name.to_owned()));
    }
    let lineage = if [BIOMES, BIOME_REPEATS].contains(&kind) {
        Some(document)
    } else {
        document.get("biome").and_then(Value::as_object)
    };
    if let Some(lineage) = lineage.and_then(|biome| biome.get("lineage")?.as_str()) {
        add(DOCUMENT_LINEAGE, lineage.to_owned());
    }
    if let (GENOMES, Some(catalogue)) = (kind, document.get("catalogue_id").and_then(Value::as_str)) {
        add("@catalogue_id", catalogue.to_owned());
    }
    attributes
}

pub(super) fn accessions(document: &Members) -> impl Iterator<Item = &str> {
    document.get("ena_accessions").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns an element of an array as PostgreSQL writes it.
fn array_element(text: &str) -> String {
    let is_special = |c: char| c.is_whitespace() || ['{', '}', ',', '"', '\\'].contains(&c);
    if !text.is_empty() && !text.contains(is_special) && !text.eq_ignore_ascii_case("null") {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
