//! Whole listings in the formats of version 1: lines, tables, points.

use std::sync::Arc;

use api_http::SourceError;
use axum::response::Response;
use store_catalogue::model::SAMPLES;
use store_catalogue::{LinkStyle, Listing, Ordinal, ResourceBody, Shape};

use super::geo_json::{Features, Properties};
use super::raw_object::RawObject;
use super::resource::Resource;
use super::stream::{File, Writer, respond};
use super::table::{Formulas, Table};
use super::wide::samples::SampleRows;
use super::wide::{self, WideTable};
use crate::collections::collection::Collection;
use crate::problem::CatalogueProblem;
use crate::request::context::Context;
use crate::request::fields::SparseFields;
use crate::request::negotiation::Format;

/// Writes resources in the form of version 1.
struct Resources {
    links: LinkStyle,
    form: ResourceForm,
}

enum ResourceForm {
    /// A table, and a buffer for the JSON of a resource.
    Csv(Box<Table>, Vec<u8>),
    Ndjson(SparseFields),
}

/// Streams the resources of a listing from a position on.
pub(crate) fn stream_resources(
    context: &Context,
    listing: Arc<Listing>,
    first: usize,
    collection: &Collection,
) -> Result<Response, CatalogueProblem> {
    let Context { snapshot, links, format, .. } = context;
    let file = File::new(*format, &collection.name);
    let form = match format {
        Format::GeoJson => {
            let attributes = Attributes(context.fields());
            return Ok(respond(snapshot, listing, first, Features::new(snapshot, attributes), &file)?);
        }
        Format::Csv => {
            let formulas = Formulas::of(&context.query);
            let table = Table::new(collection, &shape(context, collection), &context.fields(), formulas);
            ResourceForm::Csv(Box::new(table), Vec::new())
        }
        _ => ResourceForm::Ndjson(context.fields()),
    };
    Ok(respond(snapshot, listing, first, Resources { links: links.clone(), form }, &file)?)
}

/// Streams the samples of a listing from a position on, in a table with the metadata of the whole
/// listing.
pub(crate) fn stream_metadata(
    context: &Context,
    listing: Arc<Listing>,
    first: usize,
    collection: &Collection,
) -> Result<Response, CatalogueProblem> {
    let Context { snapshot, query, format, .. } = context;
    let rows = SampleRows::new(&shape(context, collection), &context.fields());
    let table = WideTable::new(snapshot, &listing, rows, *format, query)?;
    let table = table.ok_or_else(|| CatalogueProblem::refused(wide::METADATA, wide::TOO_MANY_COLUMNS))?;
    Ok(respond(snapshot, listing, first, table, &File::new(*format, &collection.name))?)
}

fn shape(context: &Context, collection: &Collection) -> Shape {
    let contents = context.snapshot.contents().types.get(collection.resource_type.as_ref());
    contents.map(|contents| contents.shape.clone()).unwrap_or_default()
}

/// The requested attributes of resources, as the properties of points.
struct Attributes(SparseFields);

impl Properties for Attributes {
    fn write(&self, _: Ordinal, body: &ResourceBody, json: &mut Vec<u8>) -> Result<(), SourceError> {
        let members = RawObject::parse(body.json()).map_err(Box::from)?;
        let mut attributes = members.object("attributes");
        attributes.retain(|name| self.0.shows(SAMPLES, name));
        Ok(serde_json::to_writer(json, &attributes).map_err(Box::from)?)
    }
}

impl Writer for Resources {
    fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        if let ResourceForm::Csv(table, _) = &self.form {
            table.write_header(&mut head);
        }
        head
    }

    fn write(&mut self, _: Ordinal, body: &ResourceBody, chunk: &mut Vec<u8>) -> Result<(), SourceError> {
        match &mut self.form {
            ResourceForm::Csv(table, json) => {
                json.clear();
                body.render(&self.links, json);
                table.write_row(json, chunk).map_err(Box::from)?;
            }
            ResourceForm::Ndjson(fields) => {
                if fields.is_all() {
                    body.render_whole(&self.links, chunk);
                } else {
                    let resource = Resource::render(body, &self.links)?;
                    let json = fields.apply(resource.resource_type(), &resource.json).map_err(Box::from)?;
                    chunk.extend_from_slice(&json);
                }
                chunk.push(b'\n');
            }
        }
        Ok(())
    }
}
