//! The resources of documents over many lines, in batches, each with its line.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::document::{Document, split};
use super::read::{Content, Limits, ResourceBatch};
use crate::run::{Reason, Rejection};

/// How many bytes of resources make a batch.
const BATCH_BYTES: usize = 256 * 1024;

/// Counts the lines of a text. They are asked for in ascending order.
pub(super) struct LineCounter<'a> {
    text: &'a [u8],
    /// How far lines were counted.
    offset: usize,
    /// The line of that offset, in the whole input.
    line: u64,
}

impl<'a> LineCounter<'a> {
    pub(super) const fn new(text: &'a [u8], first_line: u64) -> Self {
        Self { text, offset: 0, line: first_line }
    }

    /// Returns where a part of the text starts.
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

/// Pushes the resources of all documents in a text. What follows the last readable one is a bad row. Returns whether somebody still takes
/// pieces.
pub(super) fn push_documents(
    head: &[u8],
    is_cut: bool,
    limits: Limits,
    push: &mut impl FnMut(Content) -> bool,
) -> bool {
    let mut counter = LineCounter::new(head, 1);
    let mut behind = 0;
    let mut fault = None;
    for value in serde_json::Deserializer::from_slice(head).into_iter::<&RawValue>() {
        let value = match value {
            Ok(value) => value,
            Err(error) => {
                fault = Some(error);
                break;
            }
        };
        behind = counter.offset(value.get().as_bytes()) + value.get().len();
        let goes_on = match split(value.get()) {
            Ok(document) => push_resources(document, &mut counter, push),
            Err(rejection) => {
                let text = value.get().as_bytes();
                push(Content::Rejected(rejection.of_row(counter.line_of(text), text)))
            }
        };
        if !goes_on {
            return false;
        }
    }
    fault.is_none_or(|error| {
        let rejection = if is_cut && error.is_eof() {
            let detail = format!("a file of documents has more than {} bytes: raise --memory", limits.document_bytes);
            Rejection::new(Reason::TooLong, detail)
        } else {
            Rejection::new(Reason::UnreadableJson, error.to_string())
        };
        let rest = head[behind..].trim_ascii_start();
        push(Content::Rejected(rejection.of_row(counter.line_of(rest), rest)))
    })
}

fn push_resources(
    document: Document<'_>,
    counter: &mut LineCounter<'_>,
    push: &mut impl FnMut(Content) -> bool,
) -> bool {
    let bad_included = document.bad_included.map(|(text, rejection)| {
        let line = LineCounter::new(counter.text, 1).line_of(text.as_bytes());
        rejection.of_row(line, text.as_bytes())
    });
    if bad_included.is_some_and(|row| !push(Content::Rejected(row))) {
        return false;
    }
    let found_in = document.found_in.map(Arc::new);
    let mut batch = ResourceBatch { found_in: found_in.clone(), ..ResourceBatch::default() };
    for (text, is_included) in document.resources {
        let start = batch.text.len();
        batch.text.push_str(text);
        batch.resources.push((start..batch.text.len(), counter.line_of(text.as_bytes()), is_included));
        if batch.text.len() >= BATCH_BYTES {
            let full =
                std::mem::replace(&mut batch, ResourceBatch { found_in: found_in.clone(), ..ResourceBatch::default() });
            if !push(Content::Resources(full)) {
                return false;
            }
        }
    }
    batch.resources.is_empty() || push(Content::Resources(batch))
}
