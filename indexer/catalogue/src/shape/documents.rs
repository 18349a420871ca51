//! The documents of version 2 that are stored with resources.

use std::borrow::Cow;

use serde_json::Value;
use store_catalogue::Document;
use store_catalogue::model::{document_members, num_listed_members};

use crate::merge::documents::derived;
use crate::read::resource::{Members, Resource};

/// Returns the document of a resource, and whether it came rather than being made of the row.
pub(crate) fn document_of(resource: &Resource) -> Option<(Cow<'_, Members>, bool)> {
    let came = resource.document.as_ref().map(|document| (Cow::Borrowed(document), true));
    came.or_else(|| Some((Cow::Owned(derived(resource)?), false)))
}

/// Returns a document as it is stored: the members of its type first, if it has one.
pub(super) fn stored_document(kind: &str, document: &Members, has_come: bool) -> Document {
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
    Document::new(json, lengths, has_come)
}
