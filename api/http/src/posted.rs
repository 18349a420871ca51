//! Reading the bodies of requests.
//!
//! A body has a kind, which limits its bytes, its values, and the memory of everything that is made
//! from it. That memory is taken before anything is made. A long body is read in a turn. Callers
//! get members, items or sequences, never bytes, and reading stops at the first value beyond the
//! limit.

mod fault;
mod form;
mod given;

use std::io::Cursor;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, header};
use futures_util::TryStreamExt;
use store::{FastaReader, ProteinAccession};

pub use self::fault::BodyFault;
pub use self::given::Given;
use super::blocking::{ANSWER_PATIENCE, Turn, in_turn, in_turns};
use super::error::Problem;
use super::limits::{Limits, Permit};
use crate::SourceError;

/// The media type of JSON.
pub const JSON: &str = "application/json";
/// The media type of forms.
pub const FORM: &str = "application/x-www-form-urlencoded";
/// The media type of forms in parts.
pub const PARTS: &str = "multipart/form-data";

/// The longest body that is read at once, in less than a millisecond.
const SHORT_BYTES: usize = 16 << 10;

/// The memory of a value and of everything that is made from it, in addition to its bytes.
pub const VALUE_BYTES: usize = 160;

/// A kind of body, and its limits.
#[derive(Clone, Copy, Debug)]
pub struct BodyKind {
    /// Its content types. The first is named to clients that sent another. An empty one stands for
    /// a missing one.
    pub content_types: &'static [&'static str],
    /// The most bytes of a body.
    pub bytes_max: usize,
    /// The most values, including lists and objects, and their name in messages.
    pub values_max: (usize, &'static str),
    /// The most memory of its bytes and of everything that is made from them, as a multiple of the
    /// bytes, in addition to [`VALUE_BYTES`] for each value. The test `memory` compares it with the
    /// memory that is used.
    pub copies: usize,
}

/// A body that has arrived.
pub struct Posted(Contents);

/// The contents of a body.
pub struct Contents {
    kind: BodyKind,
    coding: Coding,
    bytes: Vec<u8>,
}

enum Coding {
    Json,
    Form,
    /// A form in parts, with the boundary between them.
    Parts(String),
    Text,
}

impl Coding {
    fn of(content_type: &str) -> Self {
        let is = |wanted: &str| essence(content_type).eq_ignore_ascii_case(wanted);
        match multer::parse_boundary(content_type) {
            Ok(boundary) if is(PARTS) => Self::Parts(boundary),
            _ if is(FORM) || is(PARTS) => Self::Form,
            _ if is(JSON) || essence(content_type).ends_with("+json") => Self::Json,
            _ => Self::Text,
        }
    }
}

impl Posted {
    /// Waits for a body, after all checks that do not need it.
    pub async fn arrive(limits: &Limits, headers: &HeaderMap, body: Body, kind: BodyKind) -> Result<Self, BodyFault> {
        if is_compressed(headers) {
            return Err(BodyFault::Compressed);
        }
        if !is_sent_as(headers, kind.content_types, body.is_end_stream()) {
            return Err(BodyFault::OtherType(kind.content_types));
        }
        // A body of unknown length may have all bytes that its kind allows.
        let length = body.size_hint().exact().map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let taken = length.map_or(kind.bytes_max, |bytes| bytes.min(kind.bytes_max) * kind.copies);
        take_memory(taken)?;
        let bytes = limits.arrival(read(body, kind.bytes_max)).await.map_err(BodyFault::Common)??;
        take_memory((bytes.len() * kind.copies).saturating_sub(taken))?;
        let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        Ok(Self(Contents { kind, coding: content_type.map_or(Coding::Json, Coding::of), bytes }))
    }

    /// Reads the body and works with it, in a turn.
    ///
    /// # Errors
    ///
    /// * There was no turn in time.
    pub async fn in_turn<T: Send + 'static>(
        self,
        work: impl FnOnce(Contents) -> T + Send + 'static,
    ) -> Result<T, SourceError> {
        in_turn(ANSWER_PATIENCE, move || work(self.0)).await
    }

    /// Reads the body and answers, in one turn. If that makes no answer, answers again in a long
    /// turn.
    ///
    /// # Errors
    ///
    /// * Errors of the two steps, or no turn in time.
    pub async fn in_turns<B: Send + 'static, T: Send + 'static, E: From<SourceError> + Send + 'static>(
        self,
        read: impl FnOnce(Contents) -> Result<B, E> + Send + 'static,
        answer: impl Fn(&B, Turn) -> Result<Option<T>, E> + Send + 'static,
    ) -> Result<T, E> {
        let (mut unread, mut body) = (Some((self.0, read)), None);
        in_turns(move |turn| {
            if let Some((contents, read)) = unread.take() {
                body = Some(read(contents)?);
            }
            body.as_ref().map_or(Ok(None), |body| answer(body, turn))
        })
        .await
    }

    /// Reads the body and works with it: at once if the body is short. The work must be short.
    ///
    /// # Errors
    ///
    /// * There was no turn in time.
    pub async fn read<T: Send + 'static>(
        self,
        work: impl FnOnce(Contents) -> T + Send + 'static,
    ) -> Result<T, SourceError> {
        if self.0.bytes.len() <= SHORT_BYTES { Ok(work(self.0)) } else { self.in_turn(work).await }
    }
}

impl Contents {
    /// Returns the members of an object, or the fields of a form, in order. No member occurs twice,
    /// but a field may.
    pub fn members(self) -> Result<Vec<(String, Given)>, BodyFault> {
        self.weigh()?;
        match self.coding {
            Coding::Form => form::fields(&self.bytes, self.kind.values_max),
            Coding::Parts(boundary) => form::parts(self.bytes, &boundary, self.kind.values_max),
            Coding::Json | Coding::Text => match Given::read(&self.bytes, self.kind.values_max)? {
                Given::Members(members) => Ok(members),
                _ => Err(BodyFault::Malformed("The body is not a JSON object.".to_owned())),
            },
        }
    }

    /// Reads the items of a list in order: texts, and the JSON of other values; or the accessions
    /// and names of a text.
    pub fn items(&self, mut each: impl FnMut(&str)) -> Result<(), BodyFault> {
        self.weigh()?;
        if matches!(self.coding, Coding::Json) {
            return given::items(&self.bytes, self.kind.values_max, each);
        }
        let mut num_left = self.kind.values_max.0;
        for line in self.bytes.split(|byte| *byte == b'\n') {
            for word in ProteinAccession::listed(&String::from_utf8_lossy(line)) {
                num_left = num_left.checked_sub(1).ok_or(BodyFault::TooMany(self.kind.values_max))?;
                each(word);
            }
        }
        Ok(())
    }

    /// Takes memory for the most values that the body may have.
    fn weigh(&self) -> Result<(), BodyFault> {
        let is_text = matches!(self.coding, Coding::Text);
        let separates = |byte: &&u8| {
            matches!(byte, b',' | b'[' | b'{' | b'&' | b'\n')
                || is_text && (byte.is_ascii_whitespace() || **byte == b';')
        };
        let num_values = self.bytes.iter().filter(separates).count() + 1;
        take_memory(num_values.min(self.kind.values_max.0) * VALUE_BYTES)
    }

    /// Returns the sequences of a FASTA file.
    pub fn sequences(self) -> Result<FastaReader<Cursor<Vec<u8>>>, BodyFault> {
        if num_sequences(&self.bytes) > self.kind.values_max.0 {
            return Err(BodyFault::TooMany(self.kind.values_max));
        }
        Ok(FastaReader::new(Cursor::new(self.bytes)))
    }
}

fn take_memory(num_bytes: usize) -> Result<(), BodyFault> {
    if Permit::take_memory(num_bytes) { Ok(()) } else { Err(BodyFault::Common(Problem::Overloaded)) }
}

/// Returns a content type without its parameters.
fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

fn is_compressed(headers: &HeaderMap) -> bool {
    let coding = headers.get(header::CONTENT_ENCODING);
    coding.is_some_and(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// Returns whether the headers give a body one of some types. An empty body does not need a type.
fn is_sent_as(headers: &HeaderMap, content_types: &[&str], is_empty: bool) -> bool {
    let is_wanted = |value: &str| content_types.iter().any(|wanted| essence(value).eq_ignore_ascii_case(wanted));
    match headers.get(header::CONTENT_TYPE) {
        Some(value) => value.to_str().is_ok_and(is_wanted),
        None => is_empty || content_types.contains(&""),
    }
}

/// Reads at most `max` bytes, regardless of the length in the headers.
async fn read(body: Body, max: usize) -> Result<Vec<u8>, BodyFault> {
    let length_min = body.size_hint().lower();
    if length_min > max as u64 {
        return Err(BodyFault::TooLarge(max));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length_min).unwrap_or(0));
    #[expect(clippy::disallowed_methods, reason = "this is the only way")]
    let mut pieces = body.into_data_stream();
    let broken = |_| BodyFault::Malformed("The body is incomplete.".to_owned());
    while let Some(piece) = pieces.try_next().await.map_err(broken)? {
        if piece.len() > max - bytes.len() {
            return Err(BodyFault::TooLarge(max));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// Returns the number of headers, plus one for a sequence that may stand before the first header.
fn num_sequences(text: &[u8]) -> usize {
    let is_header = |line: &&[u8]| line.starts_with(b">");
    let mut lines = text.split(|byte| *byte == b'\n').skip_while(|line| line.trim_ascii().is_empty());
    let first = usize::from(lines.next().is_some());
    first + lines.filter(is_header).count()
}

#[cfg(test)]
mod tests;
