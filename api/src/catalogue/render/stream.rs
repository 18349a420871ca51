//! Whole listings, written while they are read, in memory that does not grow with them.

use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::vec::IntoIter;

use axum::response::Response;
use store::model::SAMPLES;
use store::{LinkStyle, Listing, Ordinal, ResourceBody, Shape};

use super::geo_json::{Features, Properties};
use super::raw_object::RawObject;
use super::resource::Resource;
use super::table::{Formulas, Table};
use super::wide::samples::SampleRows;
use super::wide::{self, Columns, WideTable};
use crate::SourceError;
use crate::catalogue::collections::collection::Collection;
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::request::context::Context;
use crate::catalogue::request::fields::SparseFields;
use crate::catalogue::request::list_request::refused;
use crate::catalogue::request::negotiation::Format;
use crate::catalogue::snapshot::Snapshot;
use crate::http::streaming;

pub(crate) const RESOURCES_PER_READ: usize = 256;

/// The least bytes of a chunk, except for the last of each read. It exceeds them by one resource at most.
const CHUNK_BYTES: usize = 256 * 1024;

/// Writes resources one after another.
pub(crate) trait Writer: Send + 'static {
    /// Returns what comes before the first.
    fn head(&self) -> Vec<u8>;

    /// Appends a resource.
    fn write(&mut self, ordinal: Ordinal, body: &ResourceBody, chunk: &mut Vec<u8>) -> Result<(), SourceError>;

    /// Returns what comes behind the last.
    fn finish(&mut self) -> Result<Vec<u8>, SourceError> {
        Ok(Vec::new())
    }
}

/// The file that a stream becomes.
pub(crate) struct File {
    pub(crate) content_type: &'static str,
    pub(crate) name: String,
}

impl File {
    /// Takes the name of its collection.
    pub(crate) fn new(format: Format, name: &str) -> Self {
        let name: String = name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
        Self { content_type: format.content_type(), name: format!("{name}.{}", format.name()) }
    }
}

struct Export<W> {
    snapshot: Snapshot,
    listing: Arc<Listing>,
    /// What comes before the first resource, until it is written.
    head: Option<Vec<u8>>,
    left: Range<usize>,
    unwritten: Unwritten,
    /// `None` at the end.
    writer: Option<W>,
}

type Unwritten = IntoIter<(Ordinal, Arc<ResourceBody>)>;

/// Answers with the resources of a listing from a position on.
pub(crate) fn respond(
    snapshot: &Snapshot,
    (listing, first): (Arc<Listing>, usize),
    writer: impl Writer,
    file: &File,
) -> Result<Response, SourceError> {
    snapshot.take_memory(listing.len().min(RESOURCES_PER_READ))?;
    let (head, left) = (Some(writer.head()), first.min(listing.len())..listing.len());
    let (snapshot, writer) = (snapshot.clone(), Some(writer));
    let mut export = Export { snapshot, listing, head, left, unwritten: IntoIter::default(), writer };
    let next = move || export.next_chunk();
    Ok(streaming::attachment(file.content_type, &file.name, next))
}

impl<W: Writer> Export<W> {
    fn next_chunk(&mut self) -> Result<Option<Vec<u8>>, SourceError> {
        if let Some(head) = self.head.take().filter(|head| !head.is_empty()) {
            return Ok(Some(head));
        }
        let Some(writer) = &mut self.writer else { return Ok(None) };
        if self.unwritten.as_slice().is_empty() {
            if self.left.is_empty() {
                let tail = writer.finish()?;
                self.writer = None;
                return Ok(Some(tail));
            }
            let end = self.left.end.min(self.left.start + RESOURCES_PER_READ);
            let ordinals = self.listing.ordinals(mem::replace(&mut self.left.start, end)..end);
            let bodies = self.snapshot.resources(&ordinals)?;
            self.unwritten = ordinals.into_iter().zip(bodies).collect::<Vec<_>>().into_iter();
        }
        chunk(writer, &mut self.unwritten).map(Some)
    }
}

/// Writes resources until the chunk is long enough.
fn chunk(writer: &mut impl Writer, unwritten: &mut Unwritten) -> Result<Vec<u8>, SourceError> {
    let mut chunk = Vec::new();
    while chunk.len() < CHUNK_BYTES {
        let Some((ordinal, body)) = unwritten.next() else { break };
        writer.write(ordinal, &body, &mut chunk)?;
    }
    Ok(chunk)
}

/// Writes resources as version 1 has them.
struct Resources {
    links: LinkStyle,
    form: ResourceForm,
}

enum ResourceForm {
    /// With room for the JSON of a resource.
    Csv(Box<Table>, Vec<u8>),
    Ndjson(SparseFields),
}

/// Answers with the resources of a listing from a position on.
pub(crate) fn of_resources(
    context: &Context,
    from: (Arc<Listing>, usize),
    collection: &Collection,
) -> Result<Response, CatalogueProblem> {
    let Context { snapshot, links, format, .. } = context;
    let file = File::new(*format, &collection.name);
    let form = match format {
        Format::GeoJson => {
            let attributes = Attributes(context.fields());
            return Ok(respond(snapshot, from, Features::new(snapshot, attributes), &file)?);
        }
        Format::Csv => {
            let formulas = Formulas::of(&context.query);
            let table = Table::new(collection, &shape(context, collection), &context.fields(), formulas);
            ResourceForm::Csv(Box::new(table), Vec::new())
        }
        _ => ResourceForm::Ndjson(context.fields()),
    };
    Ok(respond(snapshot, from, Resources { links: links.clone(), form }, &file)?)
}

/// Answers with the samples of a listing from a position on, in a table with the metadata of all of the listing.
pub(crate) fn of_metadata(
    context: &Context,
    from: (Arc<Listing>, usize),
    collection: &Collection,
) -> Result<Response, CatalogueProblem> {
    let Context { snapshot, query, format, .. } = context;
    let rows = SampleRows::new(&shape(context, collection), &context.fields());
    let columns = Columns::find(snapshot, &from.0, &rows)?;
    let columns = columns.ok_or_else(|| refused(wide::METADATA, wide::TOO_MANY_COLUMNS))?;
    let table = WideTable::new(snapshot, (rows, columns), *format, query)?;
    Ok(respond(snapshot, from, table, &File::new(*format, &collection.name))?)
}

fn shape(context: &Context, collection: &Collection) -> Shape {
    let contents = context.snapshot.contents().types.get(collection.resource_type.as_ref());
    contents.map(|contents| contents.shape.clone()).unwrap_or_default()
}

/// The attributes of resources that are asked for, as the properties of points.
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

#[cfg(test)]
mod tests {
    use store::ResourceBodyWriter;

    use super::*;
    use crate::catalogue::request::query::Query;

    #[test]
    fn a_chunk_ends_when_it_is_long_enough() {
        let form = ResourceForm::Ndjson(SparseFields::parse(&Query::default()));
        let mut writer = Resources { links: LinkStyle::default(), form };
        let body = |num_bytes: usize| {
            let mut body = ResourceBodyWriter::default();
            body.json(format!("\"{}\"", "a".repeat(num_bytes - 3)).as_bytes());
            (0, Arc::new(body.finish()))
        };
        let lengths = [CHUNK_BYTES - 1, 100, 100, 2 * CHUNK_BYTES, 9];
        let mut resources = lengths.map(body).to_vec().into_iter();
        let mut lengths = Vec::new();
        while !resources.as_slice().is_empty() {
            lengths.push(chunk(&mut writer, &mut resources).unwrap().len());
        }
        assert_eq!(lengths, [CHUNK_BYTES + 99, 100 + 2 * CHUNK_BYTES, 9]);
    }
}
