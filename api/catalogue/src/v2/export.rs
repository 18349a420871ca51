//! Whole lists as lines of JSON and as tables.

use std::sync::Arc;

use api_http::SourceError;
use axum::response::Response;
use serde_json::{Map, Value};
use store_catalogue::{Listing, Ordinal, ResourceBody};

use super::list_request::{Fields, List};
use super::refusal::{Refusal, invalid};
use super::{Context, documents};
use crate::render::geo_json::{Features, Properties};
use crate::render::raw_object::RawObject;
use crate::render::stream::{self, File, Writer};
use crate::render::table::{Cell, Formulas, Layout, write_line};
use crate::render::wide::{self, METADATA, Rows, WideTable, text_of};
use crate::request::negotiation::Format;
use crate::snapshot::Snapshot;

struct Documents {
    snapshot: Snapshot,
    list: List,
    fields: Fields,
    format: Format,
    formulas: Formulas,
}

/// Streams all items of a listing from a position on. If `is_wide`, they are samples, in a table
/// with the metadata of the whole listing.
pub(super) fn respond(
    context: &Context,
    list: List,
    listing: Arc<Listing>,
    first: usize,
    fields: Fields,
    format: Format,
    is_wide: bool,
) -> Result<Response, Refusal> {
    let Context { snapshot, query, .. } = context;
    let documents = Documents { snapshot: snapshot.clone(), list, fields, format, formulas: Formulas::of(query) };
    let file = File::new(format, &list.kind.plural.replace(' ', "-"));
    if is_wide {
        let table = WideTable::new(snapshot, &listing, documents, format, query)?;
        let refused = || Refusal::Invalid(vec![invalid("query", METADATA, wide::TOO_MANY_COLUMNS)]);
        return Ok(stream::respond(snapshot, listing, first, table.ok_or_else(refused)?, &file)?);
    }
    Ok(match format {
        Format::GeoJson => stream::respond(snapshot, listing, first, Features::new(snapshot, documents), &file),
        _ => stream::respond(snapshot, listing, first, documents, &file),
    }?)
}

/// The member with the metadata has columns of its own.
impl Rows for Documents {
    fn names(&self) -> Vec<String> {
        self.columns().filter(|name| *name != METADATA).map(str::to_owned).collect()
    }

    fn cells(&self, ordinal: Ordinal, body: &ResourceBody) -> Result<Vec<Value>, SourceError> {
        let mut json = Vec::new();
        documents::write_item(&self.snapshot, self.list, &self.fields, ordinal, body, &mut json)?;
        let mut item: Map<String, Value> = serde_json::from_slice(&json).map_err(Box::from)?;
        let names = self.columns().filter(|name| *name != METADATA);
        Ok(names.map(|name| cell(item.remove(name).unwrap_or_default())).collect())
    }

    fn entries(&self, body: &ResourceBody) -> Result<Vec<(String, String)>, SourceError> {
        if !self.fields.contains(METADATA) {
            return Ok(Vec::new());
        }
        let json = [documents::document(body)?.shown(), b"}"].concat();
        let metadata = RawObject::parse(&json).map_err(Box::from)?.value(METADATA);
        let Value::Object(metadata) = metadata else { return Ok(Vec::new()) };
        let entries = metadata.into_iter().flat_map(|(name, value)| {
            let values = if let Value::Array(values) = value { values } else { vec![value] };
            values.into_iter().filter(|value| !value.is_null()).map(move |value| (name.clone(), text_of(value)))
        });
        Ok(entries.collect())
    }
}

impl Properties for Documents {
    fn write(&self, ordinal: Ordinal, body: &ResourceBody, json: &mut Vec<u8>) -> Result<(), SourceError> {
        documents::write_item(&self.snapshot, self.list, &self.fields, ordinal, body, json)
    }
}

impl Documents {
    fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.list.members().iter().copied().filter(|name| self.fields.contains(name))
    }

    fn write_cells(&self, cells: &[Value], text: &mut Vec<u8>) {
        let layout = if self.format == Format::Csv { Layout::Csv } else { Layout::Tsv };
        write_line(cells.iter().map(Cell::from), layout, self.formulas, text);
    }
}

impl Writer for Documents {
    fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        if self.format != Format::Ndjson {
            let names: Vec<Value> = self.columns().map(Value::from).collect();
            self.write_cells(&names, &mut head);
        }
        head
    }

    fn write(&mut self, ordinal: Ordinal, body: &ResourceBody, chunk: &mut Vec<u8>) -> Result<(), SourceError> {
        let start = chunk.len();
        documents::write_item(&self.snapshot, self.list, &self.fields, ordinal, body, chunk)?;
        if self.format == Format::Ndjson {
            chunk.push(b'\n');
            return Ok(());
        }
        let mut item: Map<String, Value> = serde_json::from_slice(&chunk[start..]).map_err(Box::from)?;
        chunk.truncate(start);
        let cells: Vec<Value> = self.columns().map(|name| cell(item.remove(name).unwrap_or_default())).collect();
        self.write_cells(&cells, chunk);
        Ok(())
    }
}

/// Returns a member as a cell: biomes by their lineage, lists of texts separated by semicolons,
/// other lists and objects as JSON.
fn cell(value: Value) -> Value {
    match &value {
        Value::Object(members) => match members.get("lineage") {
            Some(lineage) => lineage.clone(),
            None => value.to_string().into(),
        },
        Value::Array(items) => match items.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
            Some(texts) => texts.join(";").into(),
            None => value.to_string().into(),
        },
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_member_is_one_cell() {
        for (value, expected) in [
            (json!(null), json!(null)),
            (json!("a"), json!("a")),
            (json!(1.5), json!(1.5)),
            (json!({"biome_name": "A", "lineage": "root:A"}), json!("root:A")),
            (json!(["ERP1", "PRJEB1"]), json!("ERP1;PRJEB1")),
            (json!([]), json!("")),
            (json!({"depth": "5"}), json!(r#"{"depth":"5"}"#)),
            (json!([{"alias": "a"}]), json!(r#"[{"alias":"a"}]"#)),
        ] {
            assert_eq!(cell(value), expected);
        }
    }
}
