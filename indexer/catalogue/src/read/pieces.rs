//! Pieces of work: lines, and the resources of documents over many lines, each with its line.

use std::io;
use std::sync::Arc;

use indexer::lines::{LineBatch, cut_off};
use indexer::run::{Noted, Reason, RejectedRow, Rejection};
use serde_json::value::RawValue;

use super::document::{Document, split};
use crate::read::Relation;

/// The number of bytes of resources in a batch.
const BATCH_BYTES: usize = 256 * 1024;

/// The limits of reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) num_threads: usize,
    /// The longest line.
    pub(crate) line_bytes: usize,
    /// The longest file that is one document over many lines.
    pub(crate) document_bytes: usize,
}

pub(super) struct Piece {
    /// The input, by position.
    pub(crate) file: usize,
    pub(super) content: Content,
}

pub(super) enum Content {
    /// Lines, each a resource or a document.
    Lines(LineBatch),
    Resources(ResourceBatch),
    Rejected(RejectedRow),
}

#[derive(Default)]
pub(super) struct ResourceBatch {
    /// The related collection that lists them.
    pub(crate) found_in: Option<Arc<Relation>>,
    /// The JSON of each, its line, and whether it is in `included`.
    pub(crate) resources: Vec<(Box<str>, u64, bool)>,
    /// A remark on one of them, and its line.
    pub(super) noted: Option<(Noted, u64)>,
}

/// Counts the lines of a text. Offsets must be passed in ascending order.
pub(super) struct LineCounter<'a> {
    text: &'a [u8],
    /// The offset up to which lines were counted.
    offset: usize,
    /// The line of that offset, in the whole input.
    line: u64,
}

impl<'a> LineCounter<'a> {
    pub(crate) const fn new(text: &'a [u8], first_line: u64) -> Self {
        Self { text, offset: 0, line: first_line }
    }

    /// Returns the offset of a part of the text.
    fn offset(&self, part: &[u8]) -> usize {
        part.as_ptr().addr() - self.text.as_ptr().addr()
    }

    /// Returns the line on which a part of the text starts.
    pub(super) fn line_of(&mut self, part: &[u8]) -> u64 {
        let offset = self.offset(part);
        self.line += self.text[self.offset..offset].split(|&byte| byte == b'\n').count() as u64 - 1;
        self.offset = offset;
        self.line
    }
}

/// Pushes the resources of all documents in a text. The rest after the last readable document is a
/// bad row, unless the text ends within a document: then it is an error.
pub(super) fn push_documents(
    text: &[u8],
    is_cut: bool,
    limits: Limits,
    push: &mut impl FnMut(Content) -> io::Result<()>,
) -> io::Result<()> {
    let mut counter = LineCounter::new(text, 1);
    let mut end = 0;
    for value in serde_json::Deserializer::from_slice(text).into_iter::<&RawValue>() {
        let value = match value {
            Ok(value) => value.get(),
            Err(error) => {
                let rest = text[end..].trim_ascii_start();
                if error.is_eof() && !is_cut {
                    return Err(cut_off());
                }
                let rejection = if error.is_eof() {
                    let limit = limits.document_bytes;
                    let detail = format!("a file of documents has more than {limit} bytes: raise --memory");
                    Rejection::new(Reason::TooLong, detail)
                } else {
                    Rejection::new(Reason::UnreadableJson, error.to_string())
                };
                return push(Content::Rejected(rejection.at_row(counter.line_of(rest), rest)));
            }
        };
        end = counter.offset(value.as_bytes()) + value.len();
        match split(value) {
            Ok(document) => push_resources(document, &mut counter, push)?,
            Err(rejection) => {
                push(Content::Rejected(rejection.at_row(counter.line_of(value.as_bytes()), value.as_bytes())))?;
            }
        }
    }
    Ok(())
}

fn push_resources(
    document: Document<'_>,
    counter: &mut LineCounter<'_>,
    push: &mut impl FnMut(Content) -> io::Result<()>,
) -> io::Result<()> {
    if let Some((text, rejection)) = document.bad_included {
        let line = LineCounter::new(counter.text, 1).line_of(text.as_bytes());
        push(Content::Rejected(rejection.at_row(line, text.as_bytes())))?;
    }
    let found_in = document.found_in.map(Arc::new);
    let (mut resources, mut num_bytes) = (Vec::new(), 0);
    for (text, is_included) in document.resources {
        num_bytes += text.len();
        resources.push((text.into(), counter.line_of(text.as_bytes()), is_included));
        if num_bytes >= BATCH_BYTES {
            let resources = std::mem::take(&mut resources);
            push(Content::Resources(ResourceBatch { found_in: found_in.clone(), resources, noted: None }))?;
            num_bytes = 0;
        }
    }
    push(Content::Resources(ResourceBatch { found_in, resources, noted: None }))
}
