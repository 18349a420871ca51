//! Rows for samples of version 1.

use std::collections::BTreeMap;

use api_http::SourceError;
use serde_json::Value;
use store_catalogue::model::SAMPLES;
use store_catalogue::{MetadataEntry, Ordinal, ResourceBody, Shape};

use super::{Row, Rows, name_of, text_of};
use crate::render::raw_object::RawObject;
use crate::request::fields::SparseFields;

/// The attribute with the metadata.
const ENTRIES: &str = "sample-metadata";

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

    fn row(&self, _: Ordinal, body: &ResourceBody) -> Result<Row, SourceError> {
        let sample = RawObject::parse(body.json()).map_err(Box::from)?;
        let (attributes, relationships) = (sample.object("attributes"), sample.object("relationships"));
        let cell = |source: &Source| match source {
            Source::Id => sample.value("id"),
            Source::Attribute(name) => match attributes.value(name) {
                value @ (Value::Array(_) | Value::Object(_)) => value.to_string().into(),
                value => value,
            },
            Source::Relationship(name) => ids(&relationships.object(name).value("data")),
        };
        let entries = if self.has_metadata { attributes.items(ENTRIES) } else { Vec::new() };
        let entries = entries.into_iter().filter_map(|entry| RawObject::parse(entry.get().as_bytes()).ok());
        let entries = entries.map(|entry| {
            let [key, unit, value] = ["key", "unit", "value"].map(|name| text_of(entry.value(name)));
            let MetadataEntry { key, value, unit } = MetadataEntry::new(&key, Some(&value), &unit);
            (name_of(&key, &unit), value.unwrap_or_default())
        });
        Ok(Row { cells: self.columns.values().map(cell).collect(), entries: entries.collect() })
    }
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
