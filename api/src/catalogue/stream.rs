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
use store::{Listing, ResourceBody};
use tracing::{Instrument, Span};

use super::collection::Collection;
use super::fields::SparseFields;
use super::links::OwnedLinkStyle;
use super::problem::CatalogueProblem;
use super::source::{self, CatalogueSnapshot};
use super::table::{Formulas, Table};
use crate::SourceError;
use crate::blocking::blocking;
use crate::streaming::Streamed;

/// How many resources are read at once.
const RESOURCES_PER_READ: usize = 256;

/// How many bytes a chunk has at least, unless it ends with what was read at once. It has one resource more at most.
const CHUNK_BYTES: usize = 256 * 1024;

/// The form of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A table of comma-separated values.
    Csv(Formulas),
    /// A resource object a line.
    Ndjson,
}

/// A listing on its way out.
struct Export {
    /// The state of the data.
    snapshot: Arc<dyn CatalogueSnapshot>,
    /// What is written.
    listing: Arc<Listing>,
    /// The positions that are still to be read.
    left: Range<usize>,
    /// What was read and is still to be written.
    unwritten: IntoIter<ResourceBody>,
    /// How it is written.
    form: Arc<Form>,
    /// The request, for the log.
    span: Span,
}

/// How a listing is written.
struct Form {
    /// What writes its resources.
    writer: Writer,
    /// The links.
    links: OwnedLinkStyle,
}

/// What writes resources.
enum Writer {
    /// Rows. The header stands in front of the first ones.
    Csv(Table),
    /// Lines with the fields that are asked for, of a type.
    Ndjson(String, SparseFields),
}

/// Answers with all resources of a listing in its order. A client that reads slowly slows the reading of the data down; where the
/// engine fails the connection is cut, so that the client notices.
///
/// # Errors
///
/// * The answers that are under way leave no room for it.
pub(super) fn respond(
    snapshot: Arc<dyn CatalogueSnapshot>,
    listing: Arc<Listing>,
    collection: &Collection,
    kind: Kind,
    links: OwnedLinkStyle,
    fields: SparseFields,
) -> Result<Response, CatalogueProblem> {
    source::take_memory(snapshot.as_ref(), listing.len().min(RESOURCES_PER_READ))?;
    let resource_type = collection.resource_type.as_ref();
    let (content_type, extension, writer) = match kind {
        Kind::Csv(formulas) => {
            let shape = snapshot.contents().types.get(resource_type).map(|contents| contents.shape.clone());
            let table = Table::new(resource_type, &shape.unwrap_or_default(), &fields, formulas);
            ("text/csv", "csv", Writer::Csv(table))
        }
        Kind::Ndjson => ("application/x-ndjson", "ndjson", Writer::Ndjson(resource_type.to_owned(), fields)),
    };
    let left = 0..listing.len();
    let head = writer.head();
    let form = Arc::new(Form { writer, links });
    let export = Export { snapshot, listing, left, unwritten: IntoIter::default(), form, span: Span::current() };
    let chunks = stream::try_unfold((head, export), |(chunk, mut export)| async move {
        if !chunk.is_empty() {
            return Ok(Some((chunk, (Vec::new(), export))));
        }
        let span = export.span.clone();
        let chunk = export.next_chunk().instrument(span).await?;
        Ok::<_, SourceError>(chunk.map(|chunk| (chunk, (Vec::new(), export))))
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CONTENT_DISPOSITION, attachment(&collection.name, extension)),
    ];
    Ok((headers, Extension(Streamed), Body::from_stream(chunks)).into_response())
}

/// Names the file that a browser saves.
fn attachment(name: &str, extension: &str) -> HeaderValue {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let value = HeaderValue::from_str(&format!("attachment; filename=\"{name}.{extension}\""));
    value.unwrap_or(HeaderValue::from_static("attachment"))
}

impl Export {
    /// Returns the next chunk, or `None` at the end.
    async fn next_chunk(&mut self) -> Result<Option<Vec<u8>>, SourceError> {
        if self.unwritten.as_slice().is_empty() && self.left.is_empty() {
            return Ok(None);
        }
        // The status has been sent already: nobody but the log can be told why.
        self.write_next().await.map(Some).inspect_err(|error| tracing::error!(%error, "a stream was cut short"))
    }

    /// Writes the next resources, and reads them if need be.
    async fn write_next(&mut self) -> Result<Vec<u8>, SourceError> {
        if self.unwritten.as_slice().is_empty() {
            let end = self.left.end.min(self.left.start + RESOURCES_PER_READ);
            let ordinals = self.listing.ordinals(self.left.start..end);
            self.left.start = end;
            self.unwritten = self.snapshot.resources(ordinals).await?.into_iter();
        }
        let (form, mut bodies) = (Arc::clone(&self.form), mem::take(&mut self.unwritten));
        let write = move || form.chunk(&mut bodies).map(|chunk| (chunk, bodies));
        let (chunk, unwritten) = blocking(write).await.map_err(|error| SourceError::from(Box::from(error)))?;
        self.unwritten = unwritten;
        Ok(chunk)
    }
}

impl Form {
    /// Writes resources until the chunk is long enough.
    fn chunk(&self, bodies: &mut IntoIter<ResourceBody>) -> Result<Vec<u8>, serde_json::Error> {
        let (mut chunk, mut rendered) = (Vec::new(), Vec::new());
        while chunk.len() < CHUNK_BYTES {
            let Some(body) = bodies.next() else { break };
            rendered.clear();
            body.render(self.links.style(), &mut rendered);
            self.writer.write(&rendered, &mut chunk)?;
        }
        Ok(chunk)
    }
}

impl Writer {
    /// Returns what stands before all resources.
    fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        if let Self::Csv(table) = self {
            table.write_header(&mut head);
        }
        head
    }

    /// Appends a rendered resource.
    fn write(&self, rendered: &[u8], chunk: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        match self {
            Self::Csv(table) => table.write_row(rendered, chunk)?,
            Self::Ndjson(resource_type, fields) => {
                chunk.extend_from_slice(&fields.apply(resource_type, rendered)?);
                chunk.push(b'\n');
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use store::ResourceBodyWriter;

    use super::super::query::Query;
    use super::*;

    #[test]
    fn a_chunk_ends_when_it_is_long_enough() {
        let links = OwnedLinkStyle { prefix: String::new(), suffix: None, format: None };
        let fields = SparseFields::parse(&Query::default());
        let form = Form { writer: Writer::Ndjson("x".to_owned(), fields), links };
        let body = |num_bytes: usize| {
            let mut writer = ResourceBodyWriter::default();
            writer.json(format!("\"{}\"", "a".repeat(num_bytes - 3)).as_bytes());
            writer.finish()
        };
        let mut bodies = vec![body(CHUNK_BYTES - 1), body(100), body(100), body(2 * CHUNK_BYTES), body(9)].into_iter();
        let mut lengths = Vec::new();
        while !bodies.as_slice().is_empty() {
            lengths.push(form.chunk(&mut bodies).unwrap().len());
        }
        assert_eq!(lengths, [CHUNK_BYTES + 99, 100 + 2 * CHUNK_BYTES, 9]);
    }
}
