//! Whole listings, written while they are read, in memory that does not grow with them.

use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::vec::IntoIter;

use axum::response::Response;
use store::{LinkStyle, Listing, ResourceBody};

use super::resource::Resource;
use super::table::Table;
use crate::SourceError;
use crate::catalogue::collections::collection::Collection;
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::request::context::Context;
use crate::catalogue::request::fields::SparseFields;
use crate::catalogue::request::negotiation::Format;
use crate::catalogue::snapshot::Snapshot;
use crate::http::streaming;

const RESOURCES_PER_READ: usize = 256;

/// The least bytes of a chunk, except for the last of each read. It exceeds them by one resource at most.
const CHUNK_BYTES: usize = 256 * 1024;

struct Export {
    snapshot: Snapshot,
    listing: Arc<Listing>,
    /// The header of a table, until it is written.
    head: Option<Vec<u8>>,
    left: Range<usize>,
    unwritten: IntoIter<Arc<ResourceBody>>,
    links: LinkStyle,
    writer: Writer,
}

enum Writer {
    Csv(Table),
    Ndjson(SparseFields),
}

pub(crate) fn respond(
    context: &Context,
    listing: Arc<Listing>,
    collection: &Collection,
) -> Result<Response, CatalogueProblem> {
    let Context { snapshot, links, format, .. } = context;
    snapshot.take_memory(listing.len().min(RESOURCES_PER_READ))?;
    let (extension, writer) = if *format == Format::Csv {
        let resource_type = collection.resource_type.as_ref();
        let shape = snapshot.contents().types.get(resource_type).map(|contents| contents.shape.clone());
        let table = Table::new(collection, &shape.unwrap_or_default(), &context.fields(), context.formulas());
        ("csv", Writer::Csv(table))
    } else {
        ("ndjson", Writer::Ndjson(context.fields()))
    };
    let (head, left) = (Some(writer.head()), 0..listing.len());
    let (snapshot, links) = (snapshot.clone(), links.clone());
    let mut export = Export { snapshot, listing, head, left, unwritten: IntoIter::default(), links, writer };
    let name: String = collection.name.chars().filter(char::is_ascii_alphanumeric).collect();
    let next = move || export.next_chunk();
    Ok(streaming::attachment(format.content_type(), &format!("{name}.{extension}"), next))
}

impl Export {
    fn next_chunk(&mut self) -> Result<Option<Vec<u8>>, SourceError> {
        if let Some(head) = self.head.take().filter(|head| !head.is_empty()) {
            return Ok(Some(head));
        }
        if self.unwritten.as_slice().is_empty() {
            if self.left.is_empty() {
                return Ok(None);
            }
            let end = self.left.end.min(self.left.start + RESOURCES_PER_READ);
            let ordinals = self.listing.ordinals(mem::replace(&mut self.left.start, end)..end);
            self.unwritten = self.snapshot.resources(&ordinals)?.into_iter();
        }
        self.writer.chunk(&mut self.unwritten, &self.links).map(Some)
    }
}

impl Writer {
    fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        if let Self::Csv(table) = self {
            table.write_header(&mut head);
        }
        head
    }

    /// Writes resources until the chunk is long enough.
    fn chunk(&self, bodies: &mut IntoIter<Arc<ResourceBody>>, links: &LinkStyle) -> Result<Vec<u8>, SourceError> {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK_BYTES {
            let Some(body) = bodies.next() else { break };
            match self {
                Self::Csv(table) => {
                    let resource = Resource::render(&body, links)?;
                    table.write_row(&resource.json, &mut chunk).map_err(Box::from)?;
                }
                Self::Ndjson(fields) => {
                    if fields.is_all() {
                        body.render_whole(links, &mut chunk);
                    } else {
                        let resource = Resource::render(&body, links)?;
                        let json = fields.apply(resource.resource_type(), &resource.json).map_err(Box::from)?;
                        chunk.extend_from_slice(&json);
                    }
                    chunk.push(b'\n');
                }
            }
        }
        Ok(chunk)
    }
}

#[cfg(test)]
mod tests {
    use store::ResourceBodyWriter;

    use super::*;
    use crate::catalogue::request::query::Query;

    #[test]
    fn a_chunk_ends_when_it_is_long_enough() {
        let writer = Writer::Ndjson(SparseFields::parse(&Query::default()));
        let body = |num_bytes: usize| {
            let mut body = ResourceBodyWriter::default();
            body.json(format!("\"{}\"", "a".repeat(num_bytes - 3)).as_bytes());
            Arc::new(body.finish())
        };
        let lengths = [CHUNK_BYTES - 1, 100, 100, 2 * CHUNK_BYTES, 9];
        let mut resources = lengths.map(body).to_vec().into_iter();
        let mut lengths = Vec::new();
        while !resources.as_slice().is_empty() {
            lengths.push(writer.chunk(&mut resources, &LinkStyle::default()).unwrap().len());
        }
        assert_eq!(lengths, [CHUNK_BYTES + 99, 100 + 2 * CHUNK_BYTES, 9]);
    }
}
