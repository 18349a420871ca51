//! Whole listings, written while they are read, in memory that does not grow with them.

use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::vec::IntoIter;

use axum::Extension;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use store::{LinkStyle, Listing, ResourceBody};
use tracing::{Instrument, Span};

use super::collection::Collection;
use super::context::Context;
use super::fields::SparseFields;
use super::negotiation::Format;
use super::problem::CatalogueProblem;
use super::resource::Resource;
use super::snapshot::Snapshot;
use super::table::Table;
use crate::SourceError;
use crate::blocking::blocking;
use crate::streaming::Streamed;

const RESOURCES_PER_READ: usize = 256;

/// How many bytes a chunk has at least, unless it ends with what was read at once. It has one resource more at most.
const CHUNK_BYTES: usize = 256 * 1024;

struct Export {
    snapshot: Snapshot,
    listing: Arc<Listing>,
    left: Range<usize>,
    unwritten: IntoIter<Arc<ResourceBody>>,
    links: LinkStyle,
    writer: Writer,
}

enum Writer {
    /// Rows, below a header.
    Csv(Table),
    Ndjson(SparseFields),
}

/// Answers with all resources of a listing in its order. A client that reads slowly slows the reading of the data down; where the
/// engine fails the connection is cut, so that the client notices.
pub(super) fn respond(
    context: &Context,
    listing: Arc<Listing>,
    collection: &Collection,
) -> Result<Response, CatalogueProblem> {
    let Context { snapshot, links, format, .. } = context;
    snapshot.take_memory(listing.len().min(RESOURCES_PER_READ))?;
    let (extension, writer) = if *format == Format::Csv {
        let resource_type = collection.resource_type.as_ref();
        let shape = snapshot.contents().types.get(resource_type).map(|contents| contents.shape.clone());
        let table = Table::new(resource_type, &shape.unwrap_or_default(), &context.fields(), context.formulas());
        ("csv", Writer::Csv(table))
    } else {
        ("ndjson", Writer::Ndjson(context.fields()))
    };
    let (head, left) = (writer.head(), 0..listing.len());
    let (snapshot, links) = (snapshot.clone(), links.clone());
    let export = Export { snapshot, listing, left, unwritten: IntoIter::default(), links, writer };
    let span = Span::current();
    let chunks = stream::try_unfold((head, export), move |(chunk, mut export)| {
        let span = span.clone();
        async move {
            if !chunk.is_empty() {
                return Ok(Some((chunk, (Vec::new(), export))));
            }
            let write = move || export.next_chunk().map(|chunk| chunk.map(|chunk| (chunk, (Vec::new(), export))));
            let chunk = blocking(write).await;
            // The status has been sent already: nobody but the log can be told why.
            chunk.inspect_err(|error: &SourceError| tracing::error!(%error, "a stream was cut short"))
        }
        .instrument(span)
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(format.content_type())),
        (header::CONTENT_DISPOSITION, attachment(&collection.name, extension)),
    ];
    Ok((headers, Extension(Streamed), Body::from_stream(chunks)).into_response())
}

fn attachment(name: &str, extension: &str) -> HeaderValue {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let value = HeaderValue::from_str(&format!("attachment; filename=\"{name}.{extension}\""));
    value.unwrap_or(HeaderValue::from_static("attachment"))
}

impl Export {
    fn next_chunk(&mut self) -> Result<Option<Vec<u8>>, SourceError> {
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
                        body.render(links, &mut chunk);
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

    use super::super::query::Query;
    use super::*;

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
