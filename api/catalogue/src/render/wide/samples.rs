//! Rows for samples of version 1.

use std::borrow::Cow;
use std::collections::BTreeMap;

use api_http::SourceError;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use store_catalogue::model::SAMPLES;
use store_catalogue::{MetadataEntry, Ordinal, ResourceBody, Shape};

use super::{Rows, name_of, text_of};
use crate::render::raw_object::{Name, RawObject};
use crate::request::fields::SparseFields;

/// The attribute with the metadata.
const ENTRIES: &str = "sample-metadata";

/// A stored sample.
#[derive(Deserialize)]
struct Sample<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    attributes: RawObject<'a>,
    #[serde(borrow, default)]
    relationships: RawObject<'a>,
}

/// The same with nothing but its metadata.
#[derive(Deserialize)]
struct WithMetadata<'a> {
    #[serde(borrow, default)]
    attributes: MetadataAttribute<'a>,
}

#[derive(Default, Deserialize)]
struct MetadataAttribute<'a> {
    #[serde(borrow, rename = "sample-metadata")]
    entries: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    key: Option<&'a RawValue>,
    #[serde(borrow)]
    unit: Option<&'a RawValue>,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
}

/// Converts samples to rows: their attributes, and the ids in their relationships, such as the
/// lineage of the biome.
pub(crate) struct SampleRows {
    columns: BTreeMap<String, Source>,
    has_metadata: bool,
}

enum Source {
    Id,
    Attribute(String),
    Relationship(String),
}

impl SampleRows {
    /// Creates the rows from the shape of all samples and the requested fields.
    pub(crate) fn new(shape: &Shape, fields: &SparseFields) -> Self {
        let shows = |name: &str| fields.shows(SAMPLES, name);
        let members = |group: &str| shape.members.get(group).into_iter().flat_map(|group| &group.members);
        let mut columns = BTreeMap::new();
        for (name, relationship) in members("relationships") {
            if relationship.members.contains_key("data") && shows(name) {
                columns.insert(name.replace('-', "_"), Source::Relationship(name.clone()));
            }
        }
        for (name, _) in members("attributes").filter(|(name, _)| *name != ENTRIES && shows(name)) {
            columns.insert(name.replace('-', "_"), Source::Attribute(name.clone()));
        }
        // The id is the accession of all samples that have one.
        if !columns.contains_key("accession") && shows("id") {
            columns.insert("id".to_owned(), Source::Id);
        }
        Self { columns, has_metadata: shows(ENTRIES) }
    }
}

impl Rows for SampleRows {
    fn names(&self) -> Vec<String> {
        self.columns.keys().cloned().collect()
    }

    fn cells(&self, _: Ordinal, body: &ResourceBody) -> Result<Vec<Value>, SourceError> {
        let sample: Sample<'_> = serde_json::from_slice(body.json()).map_err(Box::from)?;
        let cell = |source: &Source| match source {
            Source::Id => sample.id.as_ref().into(),
            Source::Attribute(name) => match sample.attributes.value(name) {
                value @ (Value::Array(_) | Value::Object(_)) => value.to_string().into(),
                value => value,
            },
            Source::Relationship(name) => ids(&sample.relationships.object(name).value("data")),
        };
        Ok(self.columns.values().map(cell).collect())
    }

    fn entries(&self, body: &ResourceBody) -> Result<Vec<(String, String)>, SourceError> {
        if !self.has_metadata {
            return Ok(Vec::new());
        }
        let sample: WithMetadata<'_> = serde_json::from_slice(body.json()).map_err(Box::from)?;
        let entries = sample.attributes.entries.and_then(|entries| serde_json::from_str(entries.get()).ok());
        let entries: Vec<&RawValue> = entries.unwrap_or_default();
        let entries = entries.into_iter().filter_map(|entry| serde_json::from_str::<Entry<'_>>(entry.get()).ok());
        let entries = entries.map(|entry| {
            let [key, unit, value] = [entry.key, entry.unit, entry.value].map(text);
            let MetadataEntry { key, value, unit } = MetadataEntry::new(&key, Some(&value), &unit);
            (name_of(&key, &unit), value.unwrap_or_default())
        });
        Ok(entries.collect())
    }
}

/// Returns a value as a text; null and a missing one become an empty text.
fn text(value: Option<&RawValue>) -> Cow<'_, str> {
    let Some(json) = value.map(RawValue::get) else { return Cow::Borrowed("") };
    let read = serde_json::from_str(json).ok().map(|Name(text)| text);
    read.unwrap_or_else(|| Cow::Owned(serde_json::from_str(json).map_or_else(|_| String::new(), text_of)))
}

/// Returns the id in a relationship, or all ids in one text.
fn ids(data: &Value) -> Value {
    match data {
        Value::Array(items) => {
            let ids: Vec<&str> = items.iter().filter_map(|item| item["id"].as_str()).collect();
            ids.join("; ").into()
        }
        data => data["id"].clone(),
    }
}
