//! Whole listings, written while they are read. The memory does not grow with the listing.

use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::vec::IntoIter;

use api_http::{SourceError, streaming};
use axum::response::Response;
use store_catalogue::{Listing, Ordinal, ResourceBody};

use crate::request::negotiation::Format;
use crate::snapshot::Snapshot;

pub(crate) const RESOURCES_PER_READ: usize = 256;

/// The fewest bytes of a chunk, except for the last of each read. A chunk is longer by at most one
/// resource.
const CHUNK_BYTES: usize = 256 * 1024;

/// Writes resources one after another.
pub(crate) trait Writer: Send + 'static {
    /// Returns the text before the first resource.
    fn head(&self) -> Vec<u8>;

    /// Appends a resource.
    fn write(&mut self, ordinal: Ordinal, body: &ResourceBody, chunk: &mut Vec<u8>) -> Result<(), SourceError>;

    /// Returns the text after the last resource.
    fn finish(&mut self) -> Result<Vec<u8>, SourceError> {
        Ok(Vec::new())
    }
}

/// The file for a stream.
pub(crate) struct File {
    pub(crate) content_type: &'static str,
    pub(crate) name: String,
}

impl File {
    /// Creates the file for a collection, given its name.
    pub(crate) fn new(format: Format, name: &str) -> Self {
        let name: String = name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
        Self { content_type: format.content_type(), name: format!("{name}.{}", format.name()) }
    }
}

struct Export<W> {
    snapshot: Snapshot,
    listing: Arc<Listing>,
    /// The text before the first resource, until it is written.
    head: Option<Vec<u8>>,
    left: Range<usize>,
    unwritten: Unwritten,
    /// `None` at the end.
    writer: Option<W>,
}

type Unwritten = IntoIter<(Ordinal, Arc<ResourceBody>)>;

/// Streams the resources of a listing from a position on.
pub(crate) fn respond(
    snapshot: &Snapshot,
    listing: Arc<Listing>,
    first: usize,
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
            let bodies = self.snapshot.resources_in_passing(&ordinals, &self.listing)?;
            self.unwritten = ordinals.into_iter().zip(bodies).collect::<Vec<_>>().into_iter();
        }
        chunk(writer, &mut self.unwritten).map(Some)
    }
}

/// Writes resources until the chunk is long enough.
fn chunk(writer: &mut impl Writer, unwritten: &mut Unwritten) -> Result<Vec<u8>, SourceError> {
    let num_bytes: usize = unwritten.as_slice().iter().map(|(_, body)| body.json().len()).sum();
    let mut chunk = Vec::with_capacity(num_bytes.min(CHUNK_BYTES));
    while chunk.len() < CHUNK_BYTES {
        let Some((ordinal, body)) = unwritten.next() else { break };
        writer.write(ordinal, &body, &mut chunk)?;
    }
    Ok(chunk)
}

#[cfg(test)]
mod tests {
    use store_catalogue::ResourceBodyWriter;

    use super::*;

    struct Lines;

    impl Writer for Lines {
        fn head(&self) -> Vec<u8> {
            Vec::new()
        }

        fn write(&mut self, _: Ordinal, body: &ResourceBody, chunk: &mut Vec<u8>) -> Result<(), SourceError> {
            chunk.extend_from_slice(body.json());
            chunk.push(b'\n');
            Ok(())
        }
    }

    #[test]
    fn a_chunk_ends_when_it_is_long_enough() {
        let body = |num_bytes: usize| {
            let mut body = ResourceBodyWriter::default();
            body.json(format!("\"{}\"", "a".repeat(num_bytes - 3)).as_bytes());
            (0, Arc::new(body.finish()))
        };
        let lengths = [CHUNK_BYTES - 1, 100, 100, 2 * CHUNK_BYTES, 9];
        let mut resources = lengths.map(body).to_vec().into_iter();
        let mut lengths = Vec::new();
        while !resources.as_slice().is_empty() {
            lengths.push(chunk(&mut Lines, &mut resources).unwrap().len());
        }
        assert_eq!(lengths, [CHUNK_BYTES + 99, 100 + 2 * CHUNK_BYTES, 9]);
    }
}
